import type { SocialProvider, WalletUser } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import type { Modal } from '../snapshot/modal'
import { accountConnection } from '../snapshot/opening'
import type { Popup } from '../snapshot/popup'
import type { SnapshotStore } from '../snapshot/store'
import type { RunningSignIn, SignInAttempt, SignInWayOptions } from './sign-in-attempt'
import { signInByEmail } from './sign-in-email'
import { signInByFarcaster, signInBySocial } from './sign-in-social'

export type SignInFlow = {
  email(address: string): void
  /** Continues a sign-in that a reload interrupted, if the wallet's frame still has it. */
  resume(): Promise<void>
  resend(): void
  retryCode(): void
  social(provider: SocialProvider, popup: Popup | null): void
  farcaster(): void
  retry(popup: Popup | null): void
  cancel(): void
  continued(): void
  failed(thrown: unknown): void
}

export type SignInOptions = SignInWayOptions & {
  readonly store: SnapshotStore
  readonly modal: Modal
  readonly onBegin: () => void
  /** False if the wallet is locked or missing. */
  readonly connect: (signal: AbortSignal) => Promise<boolean>
  readonly onDone: () => void
  /** Null if signed out. */
  readonly readUser: () => Promise<WalletUser | null>
}

type Running = { readonly controller: AbortController; way: RunningSignIn | null }

/**
 * Sign-in to the embedded wallet: one attempt at a time, by email, a social account or Farcaster.
 *
 * 1. A later attempt ends an earlier one, and closes its window.
 * 2. Closing the modal cancels it.
 * 3. A sign-in that a reload interrupted continues if it waits for an email, or its user must still unlock or make the
 *    wallet. A sign-in that the user left continues only when the user enters its address again.
 * 4. A locked or missing wallet waits at `opening` until the user unlocks or makes it.
 */
export function createSignIn(options: SignInOptions): SignInFlow & { end(): void } {
  const { store, modal } = options
  let running: Running | null = null

  function begin(start: (attempt: SignInAttempt) => RunningSignIn): void {
    leave()
    options.onBegin()
    const controller = new AbortController()
    const attempt: Running = { controller, way: null }
    running = attempt
    attempt.way = start({
      signal: controller.signal,
      show(signIn) {
        if (running !== attempt) return
        if (signIn.step === 'opening') options.stored.keepOpenSignIn(options.clock.now())
        store.setState({ signIn })
      },
      errorOf: (thrown) => (controller.signal.aborted ? null : errorOf(thrown)),
      async open() {
        const isConnected = await options.connect(controller.signal)
        if (running !== attempt || !isConnected) return
        running = null
        options.stored.keepOpenSignIn(null)
        store.setState({ signIn: null })
        options.onDone()
      },
    })
  }

  function errorOf(thrown: unknown) {
    const { code, message } = asFailure(thrown)
    modal.alertFailure(code)
    return { code, message }
  }

  function stop(): void {
    const ended = running
    running = null
    ended?.controller.abort(new Failure('ABORTED'))
    ended?.way?.end()
  }

  /** Rule 3. */
  function leave(): void {
    if (running !== null) options.stored.keepOpenSignIn(null)
    stop()
  }

  function cancel(): void {
    leave()
    if (store.getState().signIn !== null) store.setState({ signIn: null })
  }

  function social(provider: SocialProvider, popup: Popup | null): void {
    begin((attempt) => signInBySocial(attempt, options, { provider, popup }))
  }

  async function resume(): Promise<void> {
    // If the frame cannot be asked, the next opening tries again.
    const start = await interrupted().catch(() => undefined)
    if (start === undefined || running !== null) return
    const snapshot = store.getState()
    // The user may have chosen a wallet while the frame took its time.
    const isLeft = snapshot.connectAttempt !== null || accountConnection(snapshot) !== null
    if (start === null || isLeft) options.stored.keepOpenSignIn(null)
    else if (snapshot.open) begin(start)
  }

  async function interrupted(): Promise<((attempt: SignInAttempt) => RunningSignIn) | null> {
    const waiting = await options.ask('GET_EMAIL_SIGN_IN', undefined)
    if (waiting !== null) return (attempt) => signInByEmail(attempt, options, waiting)
    const user = await options.readUser()
    if (user === null) return null
    const { provider = 'email', email } = user
    if (provider === 'email')
      return (attempt) => signInByEmail(attempt, options, { email: email ?? '', step: 'opening' })
    if (provider === 'farcaster') return (attempt) => signInByFarcaster(attempt, options, { isSignedIn: true })
    return (attempt) => signInBySocial(attempt, options, { provider, popup: null, isSignedIn: true })
  }

  const unlisten = modal.onClose(cancel)
  return {
    email: (email) => begin((attempt) => signInByEmail(attempt, options, { email })),
    resume,
    resend: () => running?.way?.resend(),
    retryCode: () => running?.way?.codeWanted(),
    social,
    farcaster: () => begin((attempt) => signInByFarcaster(attempt, options)),
    retry(popup) {
      const { signIn } = store.getState()
      if (signIn?.kind === 'social' && signIn.step !== 'opening') social(signIn.provider, popup)
      else if (running === null) popup?.close()
      else running.way?.retry(popup)
    },
    cancel,
    continued: () => running?.way?.retry(null),
    failed(thrown) {
      const { signIn } = store.getState()
      const error = errorOf(thrown)
      if (signIn !== null) store.setState({ signIn: { ...signIn, error } })
    },
    end() {
      unlisten()
      stop()
      store.setState({ signIn: null })
    },
  }
}
