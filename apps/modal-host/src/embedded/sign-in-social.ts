import { followAbort } from '@postern/base/abort'
import type { SocialProvider, WalletUser } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import type { SignIn } from '../snapshot/contract'
import { navigatePopup, type Popup } from '../snapshot/popup'
import type { RunningSignIn, SignInAttempt, SignInWayOptions } from './sign-in-attempt'

type SocialState = Extract<SignIn, { kind: 'social' }>

export const popupPollIntervalMs = 500
/** A closed popup may have just completed the sign-in. */
export const popupGraceMs = 3_000

/**
 * Social sign-in: the provider's page in a popup that was opened inside the click.
 *
 * 1. The popup only goes to a URL of the wallet's origin, whose page redirects to the provider.
 * 2. Without a popup the dapp's page opens a tab. A page that cannot reach the frame shows six digits, which the
 *    wallet's frame takes.
 * 3. The frame is asked again after each timeout, until the user has signed in, declined or cancelled.
 * 4. A popup that looks closed may be isolated by the provider's policy (COOP). After a grace period the user reads
 *    that it was closed, and may enter its digits or retry; a late result still counts.
 * 5. The end of the attempt closes the popup and aborts the frame's request.
 */
export function signInBySocial(
  attempt: SignInAttempt,
  options: SignInWayOptions,
  start: { readonly provider: SocialProvider; readonly popup: Popup | null; readonly isSignedIn?: boolean },
): RunningSignIn {
  const { ask, askCode, clock, stored, walletOrigin } = options
  const { signal } = attempt
  const { provider } = start
  const finished = new AbortController()
  const whileWaiting = followAbort(finished, signal)
  let state: SocialState = { kind: 'social', provider, step: 'starting', error: null }
  let popup = start.popup
  let stopWatch = () => {}
  let isTakingCode = false

  function show(changes: Partial<Pick<SocialState, 'step' | 'error'>>): void {
    state = { ...state, ...changes }
    attempt.show(state)
  }

  function fail(thrown: unknown): void {
    const error = attempt.errorOf(thrown)
    if (error !== null) show({ error })
  }

  function leavePopup(): void {
    stopWatch()
    stopWatch = () => {}
    popup?.close()
    popup = null
  }

  async function run(): Promise<void> {
    try {
      const { uri } = await ask('GET_SOCIAL_REDIRECT_URI', { provider }, { signal })
      // Rule 1.
      if (!isOf(uri, walletOrigin)) throw new Failure('PROVIDER_FAILED')
      await lead(uri)
      const { userName } = await result(uri)
      stored.keepSocial({ provider, userName: userName ?? null })
    } catch (thrown) {
      leavePopup()
      finished.abort(new Failure('ABORTED'))
      return fail(thrown)
    }
    leavePopup()
    finished.abort(new Failure('ABORTED'))
    await open()
  }

  async function lead(uri: string): Promise<void> {
    if (popup !== null && !popup.closed) {
      await navigatePopup(popup, uri, clock)
      signal.throwIfAborted()
      show({ step: 'window' })
      return watch(null)
    }
    // Rule 2.
    popup = null
    await options.openTab(uri)
    signal.throwIfAborted()
    showCode({})
  }

  /** Rule 4. */
  function watch(goneSince: number | null): void {
    stopWatch = clock.after(popupPollIntervalMs, () => {
      if (popup === null || signal.aborted) return
      if (!popup.closed) return watch(null)
      const since = goneSince ?? clock.now()
      if (clock.now() - since < popupGraceMs) return watch(since)
      // The frame already takes the digits.
      if (state.step === 'code') return
      const { code, message } = new Failure('WINDOW_CLOSED')
      showCode({ error: { code, message } })
    })
  }

  /** Rule 3. */
  async function result(uri: string): Promise<WalletUser> {
    for (;;) {
      try {
        return await ask('CONNECT_SOCIAL', { uri }, { signal })
      } catch (thrown) {
        if (asFailure(thrown).code !== 'IFRAME_REQUEST_TIMEOUT' || signal.aborted) throw thrown
      }
    }
  }

  function showCode(changes: Partial<Pick<SocialState, 'error'>>): void {
    show({ step: 'code', ...changes })
    if (!isTakingCode) void takeCode()
  }

  async function takeCode(): Promise<void> {
    isTakingCode = true
    try {
      await askCode('SOCIAL_CODE', undefined, whileWaiting)
    } catch (thrown) {
      if (!whileWaiting.aborted) fail(thrown)
    } finally {
      isTakingCode = false
    }
  }

  async function open(): Promise<void> {
    show({ step: 'opening', error: null })
    try {
      await attempt.open()
    } catch (thrown) {
      fail(thrown)
    }
  }

  if (start.isSignedIn) void open()
  else {
    show({})
    void run()
  }
  return {
    resend() {},
    retry(fresh) {
      fresh?.close()
      if (state.step === 'opening') void open()
    },
    codeWanted() {
      if (state.step !== 'window' && state.step !== 'code') return
      const isGone = state.error?.code === 'WINDOW_CLOSED'
      showCode({ ...((state.step === 'window' || isGone) && { error: null }) })
    },
    end: leavePopup,
  }
}

/** Both requests wait for the user: only the end of the attempt or of the frame ends them. */
export function signInByFarcaster(
  attempt: SignInAttempt,
  { ask }: SignInWayOptions,
  { isSignedIn = false }: { readonly isSignedIn?: boolean } = {},
): RunningSignIn {
  const { signal } = attempt
  let url: string | undefined
  let isIn = isSignedIn

  function show(step: 'starting' | 'waiting' | 'opening', error: SignIn['error'] = null): void {
    attempt.show({ kind: 'farcaster', step, error, ...(url !== undefined && { url }) })
  }

  async function run(): Promise<void> {
    try {
      if (!isIn) {
        show('starting')
        ;({ url } = await ask('GET_FARCASTER_URI', undefined, { signal }))
        show('waiting')
        await ask('CONNECT_FARCASTER', undefined, { signal })
        isIn = true
      }
      show('opening')
      await attempt.open()
    } catch (thrown) {
      const error = attempt.errorOf(thrown)
      if (error !== null) show(isIn ? 'opening' : url === undefined ? 'starting' : 'waiting', error)
    }
  }

  void run()
  return { resend() {}, retry: () => void run(), codeWanted() {}, end() {} }
}

function isOf(uri: string, origin: string): boolean {
  try {
    return new URL(uri).origin === origin
  } catch {
    return false
  }
}
