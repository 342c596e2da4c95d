import { followAbort } from '@postern/base/abort'
import { Email, emailLoginWait, errors, fillText, limits } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import type { SignIn } from '../snapshot/contract'
import type { RunningSignIn, SignInAttempt, SignInWayOptions } from './sign-in-attempt'

export const devicePollIntervalMs = 3_000

/** `step`: where a reload interrupted the sign-in. */
export type EmailSignInStart = { readonly email: string; readonly step?: 'device' | 'code' | 'opening' | undefined }

type EmailSignIn = Extract<SignIn, { kind: 'email' }>

/**
 * Sign-in by email (spec §4, §5).
 *
 * 1. An invalid address is never sent. One email may be requested per 30 s, for any address and across reloads; an
 *    earlier request fails with the seconds left, rounded up. One request runs at a time.
 * 2. The user types the emailed code into the wallet's frame. In a browser that the wallet does not know, the user
 *    first follows an emailed link (`device`). A live session needs neither.
 * 3. While waiting for the link, the frame is asked again after each timeout: users read email in their own time. An
 *    unreachable wallet service is shown and retried after a delay.
 * 4. The frame keeps asking after a wrong code. It is asked once at a time.
 * 5. A failure stays at its step, and `retry` continues there: it sends an email only if needed.
 * 6. The frame keeps a sign-in whose email was sent. It continues after a reload (`from`), and when the user enters its
 *    address again during the cooldown. A frame lost while it waits is asked once more.
 */
export function signInByEmail(
  attempt: SignInAttempt,
  options: SignInWayOptions,
  from: EmailSignInStart,
): RunningSignIn {
  const { ask, askCode, stored } = options
  const { signal } = attempt
  const cooldown = createCooldown(options)
  let state: EmailSignIn = { kind: 'email', email: from.email.trim(), step: 'sending', resendAt: 0, error: null }
  let waiting = new AbortController()
  let isSending = false
  let isTakingCode = false

  function show(changes: Partial<Pick<EmailSignIn, 'step' | 'resendAt' | 'error'>>): void {
    state = { ...state, ...changes }
    attempt.show(state)
  }

  function fail(thrown: unknown, step: EmailSignIn['step'] = state.step): void {
    const error = attempt.errorOf(thrown)
    if (error !== null) show({ step, error })
  }

  /** Rule 6. */
  async function waitingStep(): Promise<'device' | 'code' | undefined> {
    isSending = true
    const waiting = await ask('GET_EMAIL_SIGN_IN', undefined, { signal }).catch(() => null)
    isSending = false
    return waiting?.email === state.email ? waiting.step : undefined
  }

  /** Rule 6. */
  async function goOn(step: 'device' | 'code'): Promise<void> {
    stored.keepOpenSignIn(stored.lastEmailLogin())
    show({ step, resendAt: cooldown.endsAt(), error: null })
    await (step === 'device' ? awaitDevice() : takeCode())
  }

  async function send(): Promise<void> {
    if (!Email.safeParse(state.email).success) return fail(new Failure('INVALID_EMAIL'))
    if (isSending) return
    show({ error: null })
    if (cooldown.secondsLeft() > 0) {
      const step = state.step === 'sending' ? await waitingStep() : undefined
      if (signal.aborted) return
      if (step !== undefined) return goOn(step)
      if (cooldown.secondsLeft() > 0) return show({ resendAt: cooldown.endsAt(), error: cooldown.error() })
    }
    isSending = true
    try {
      const { action } = await ask('CONNECT_EMAIL', { email: state.email }, { signal }).finally(() => {
        isSending = false
      })
      if (isFurther()) {
        if (action !== 'CONNECT') show({ resendAt: cooldown.start() })
        return
      }
      // Until now the previous link was valid.
      waiting.abort(new Failure('ABORTED'))
      if (action === 'CONNECT') return await open()
      const step = action === 'VERIFY_OTP' ? 'code' : 'device'
      show({ step, resendAt: cooldown.start(), error: null })
      await (step === 'device' ? awaitDevice() : takeCode())
    } catch (thrown) {
      if (!isFurther()) fail(thrown)
    }
  }

  /** Whether the previous code was accepted while another was requested. */
  function isFurther(): boolean {
    return state.step === 'opening'
  }

  /** Rule 3. */
  async function awaitDevice(): Promise<void> {
    const controller = new AbortController()
    waiting = controller
    const own = followAbort(controller, signal)
    try {
      await untilDeviceApproved(options, own, (failure) => (failure === null ? show({ error: null }) : fail(failure)))
      show({ step: 'code', resendAt: cooldown.start(), error: null })
      void takeCode()
    } catch (thrown) {
      if (!own.aborted) fail(thrown)
    } finally {
      controller.abort()
    }
  }

  /** Rule 4. */
  async function takeCode(): Promise<void> {
    if (isTakingCode) return
    isTakingCode = true
    try {
      await unlessLost(() => askCode('CONNECT_OTP', undefined, signal), signal)
    } catch (thrown) {
      return fail(thrown, 'code')
    } finally {
      isTakingCode = false
    }
    stored.keepSocial(null)
    await open()
  }

  async function open(): Promise<void> {
    show({ step: 'opening', error: null })
    try {
      await attempt.open()
    } catch (thrown) {
      fail(thrown)
    }
  }

  if (from.step === 'opening') void open()
  else if (from.step !== undefined) void goOn(from.step)
  else {
    show({})
    void send()
  }
  return {
    resend() {
      if (state.step === 'device' || state.step === 'code') void send()
    },
    // Rule 5.
    retry() {
      if (state.step === 'opening') return void open()
      if (state.step === 'sending') return void send()
      show({ error: null })
      if (state.step === 'code') return void takeCode()
      if (waiting.signal.aborted) void awaitDevice()
    },
    codeWanted() {},
    end: () => waiting.abort(new Failure('ABORTED')),
  }
}

/** Rule 1. */
function createCooldown({ clock, stored }: Pick<SignInWayOptions, 'clock' | 'stored'>) {
  const secondsLeft = () => emailLoginWait(stored.lastEmailLogin(), clock.now())
  return {
    secondsLeft,
    /** Epoch ms. */
    endsAt: () => Math.min(stored.lastEmailLogin() ?? 0, clock.now()) + limits.emailLoginCooldownMs,
    error(): NonNullable<SignIn['error']> {
      return { code: 'EMAIL_COOLDOWN', message: fillText(errors.EMAIL_COOLDOWN.message, { seconds: secondsLeft() }) }
    },
    /** Returns when the next email is allowed (epoch ms). */
    start(): number {
      const now = clock.now()
      stored.keepLastEmailLogin(now)
      stored.keepOpenSignIn(now)
      return now + limits.emailLoginCooldownMs
    },
  }
}

/**
 * Rule 3.
 *
 * @param onReach receives the failure if the wallet service is unreachable, null before it is asked again
 */
async function untilDeviceApproved(
  { ask, clock }: Pick<SignInWayOptions, 'ask' | 'clock'>,
  signal: AbortSignal,
  onReach: (failure: unknown) => void,
): Promise<void> {
  for (;;) {
    try {
      await unlessLost(() => ask('CONNECT_DEVICE', undefined, { signal }), signal)
      return
    } catch (thrown) {
      const { code } = asFailure(thrown)
      if (signal.aborted || (code !== 'IFRAME_REQUEST_TIMEOUT' && code !== 'WALLET_SERVICE_UNREACHABLE')) throw thrown
      if (code === 'IFRAME_REQUEST_TIMEOUT') continue
      onReach(thrown)
      await new Promise<void>((resolve) => void clock.after(devicePollIntervalMs, resolve))
      signal.throwIfAborted()
      onReach(null)
    }
  }
}

/** Rule 6: waits once more if the frame is lost. */
function unlessLost<T>(wait: () => Promise<T>, signal: AbortSignal): Promise<T> {
  return wait().catch((thrown: unknown) => {
    if (signal.aborted || asFailure(thrown).code !== 'LINK_CLOSED') throw thrown
    return wait()
  })
}
