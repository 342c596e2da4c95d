import { Email, emailLoginWait, errors, fillText, limits } from '@postern/protocol'
import { followAbort } from '@postern/protocol/abort'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import type { SignIn } from '../snapshot/contract'
import type { SignInAttempt, SignInWay, SignInWayOptions } from './sign-in-attempt'

/** Between two tries to reach the wallet's service while the link is waited for, in ms. */
export const devicePause = 3_000

type EmailSignIn = Extract<SignIn, { kind: 'email' }>

/**
 * Signing in by email (spec §4, §5; DESIGN §4).
 *
 * 1. An address that is none is never sent. A mail may be asked for once per 30 s, whatever the address; sooner is an error that says how many
 *    seconds are left, rounded up. The time of the last mail is stored, so that a reload changes nothing. While one is asked for, no other is.
 * 2. A browser that the wallet does not know yet follows a mailed link first (`device`), then types the code; a known one types the code at once;
 *    a session that is alive needs neither.
 * 3. While the link is waited for, the frame is asked again each time that its limit has passed: a person reads their mail in their own time. Where the
 *    wallet's service cannot be reached, that is said, and asked again after a pause: who follows the link meanwhile looks elsewhere.
 * 4. A wrong code leaves the visitor where they are. One code is verified at a time.
 * 5. Every failure stays with the step it happened in, and `retry` goes on from there: it sends no mail where none is needed.
 */
export function signInByEmail(attempt: SignInAttempt, options: SignInWayOptions, address: string): SignInWay {
  const { ask, clock, stored } = options
  const { signal } = attempt
  let state: EmailSignIn = { kind: 'email', email: address.trim(), step: 'sending', resendAt: 0, error: null }
  let waiting = new AbortController()
  let isSending = false

  function show(changes: Partial<Pick<EmailSignIn, 'step' | 'resendAt' | 'error'>>): void {
    state = { ...state, ...changes }
    attempt.show(state)
  }

  function fail(thrown: unknown, step: EmailSignIn['step'] = state.step): void {
    const error = attempt.errorOf(thrown)
    if (error !== null) show({ step, error })
  }

  /** 1. */
  function cooldown(): boolean {
    const last = stored.lastEmailLogin()
    const seconds = emailLoginWait(last, clock.now())
    if (seconds === 0) return false
    const message = fillText(errors.EMAIL_COOLDOWN.message, { seconds })
    const resendAt = Math.min(last ?? 0, clock.now()) + limits.emailLoginCooldown
    show({ resendAt, error: { code: 'EMAIL_COOLDOWN', message } })
    return true
  }

  function mailed(): number {
    const now = clock.now()
    stored.keepLastEmailLogin(now)
    return now + limits.emailLoginCooldown
  }

  async function send(): Promise<void> {
    if (!Email.safeParse(state.email).success) return fail(new Failure('INVALID_EMAIL'))
    if (isSending || cooldown()) return
    show({ error: null })
    isSending = true
    try {
      const { action } = await ask('CONNECT_EMAIL', { email: state.email }, { signal }).finally(() => {
        isSending = false
      })
      if (isFurther()) {
        if (action !== 'CONNECT') show({ resendAt: mailed() })
        return
      }
      // Until then the link of the mail before counts.
      waiting.abort(new Failure('ABORTED'))
      if (action === 'CONNECT') return await open()
      const step = action === 'VERIFY_OTP' ? 'code' : 'device'
      show({ step, resendAt: mailed(), error: null })
      if (step === 'device') await awaitDevice()
    } catch (thrown) {
      if (!isFurther()) fail(thrown)
    }
  }

  /** The code of the mail before was typed while another one was asked for. */
  function isFurther(): boolean {
    return state.step === 'verifying' || state.step === 'opening'
  }

  /** 3. */
  async function awaitDevice(): Promise<void> {
    const mine = new AbortController()
    waiting = mine
    const own = followAbort(mine, signal)
    try {
      while (!(await isDeviceApproved(own)));
      show({ step: 'code', resendAt: mailed(), error: null })
    } catch (thrown) {
      if (!own.aborted) fail(thrown)
    } finally {
      mine.abort()
    }
  }

  async function isDeviceApproved(own: AbortSignal): Promise<boolean> {
    try {
      await ask('CONNECT_DEVICE', undefined, { signal: own })
      return true
    } catch (thrown) {
      const { code } = asFailure(thrown)
      if (own.aborted || (code !== 'IFRAME_REQUEST_TIMEOUT' && code !== 'WALLET_SERVICE_UNREACHABLE')) throw thrown
      if (code === 'WALLET_SERVICE_UNREACHABLE') {
        fail(thrown)
        await new Promise<void>((resolve) => void clock.after(devicePause, resolve))
        own.throwIfAborted()
        show({ error: null })
      }
      return false
    }
  }

  /** 4. */
  async function verify(otp: string): Promise<void> {
    show({ step: 'verifying', error: null })
    try {
      await ask('CONNECT_OTP', { otp }, { signal })
    } catch (thrown) {
      return fail(thrown, 'code')
    }
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

  show({})
  void send()
  return {
    submitCode(otp) {
      if (state.step === 'code') void verify(otp)
    },
    resend() {
      if (state.step === 'device' || state.step === 'code') void send()
    },
    // 5.
    retry() {
      if (state.step === 'opening') return void open()
      if (state.step !== 'device') return void send()
      show({ error: null })
      if (waiting.signal.aborted) void awaitDevice()
    },
    codeWanted() {},
    end: () => waiting.abort(new Failure('ABORTED')),
  }
}
