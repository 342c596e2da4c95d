import { isDropped, type OnceLoaded } from '@postern/base/once-loaded'
import type { EmbeddedActions } from '../snapshot/actions'
import type { ClickPowers, Popup } from '../snapshot/popup'
import type { SnapshotStore } from '../snapshot/store'
import type { EmbeddedSession } from './embedded-session'

/**
 * The actions of the embedded wallet.
 *
 * 1. What the browser allows only inside a click happens before anything is loaded.
 * 2. They reject only if their docstring says so. If their code fails to load, the modal shows IFRAME_LOAD_FAILED.
 * 3. A sign-in does not start, or continue after a reload, if while its code was loading the user cancelled it, closed
 *    the modal, or chose another method or wallet.
 */
export function createEmbeddedActions(options: {
  readonly session: OnceLoaded<EmbeddedSession>
  readonly store: SnapshotStore
  readonly powers: ClickPowers
  readonly walletOrigin: string
  readonly onFailed: () => void
}): { readonly actions: EmbeddedActions; leaveSignIn(): void; resumeSignIn(): void } {
  const { session, store, powers, walletOrigin, onFailed } = options
  const { call, send, notify } = session
  // Rule 3.
  const newestSignIn = session.latest()
  const newestEmailChange = session.latest()

  // Rule 1.
  function withPopup(run: (popup: Popup | null) => Promise<void>): void {
    const popup = powers.openPopup(`${walletOrigin}/auth/social/opening`)
    run(popup).catch((thrown: unknown) => {
      popup?.close()
      if (!isDropped(thrown)) onFailed()
    })
  }

  /** Only the click may open the window. */
  function needsPopup(): boolean {
    const { signIn } = store.getState()
    return signIn?.kind === 'social' && signIn.step !== 'opening'
  }

  return {
    leaveSignIn: newestSignIn.drop,
    resumeSignIn: () => newestSignIn.send(({ signIn }) => signIn.resume()),
    actions: {
      signInWithEmail: (email) => newestSignIn.send(({ signIn }) => signIn.email(email)),
      resendEmail: () => send(({ signIn }) => signIn.resend()),
      signInWithSocial: (provider) =>
        withPopup((popup) => newestSignIn.call(({ signIn }) => signIn.social(provider, popup))),
      signInWithFarcaster: () => newestSignIn.send(({ signIn }) => signIn.farcaster()),
      retrySignIn() {
        if (needsPopup()) withPopup((popup) => call(({ signIn }) => signIn.retry(popup)))
        else send(({ signIn }) => signIn.retry(null))
      },
      cancelSignIn() {
        newestSignIn.drop()
        notify(({ signIn }) => signIn.cancel())
      },
      openWalletWindow: (purpose) => withPopup((popup) => call(({ account }) => account.openWindow(purpose, popup))),
      forgetEndedWallet: (signal) => call(({ account }) => account.forgetEnded(signal)),
      createWallet: () => send(({ account }) => account.create()),
      connectOwnWallet: () => send(({ account }) => account.connect()),
      grantStorage() {
        const granted = powers.requestStorageAccess()
        send(({ account }) => account.useGrantedStorage(granted))
      },
      reject: (id) => send(({ approvals }) => approvals.reject(id)),
      placeWalletFrame: (place) => send(({ frame }) => frame.place(place)),
      focusWalletFrame: () => send(({ frame }) => frame.focus()),
      preferAccount: (type) => send(({ account }) => account.prefer(type)),
      changeEmail: (email) => newestEmailChange.send(({ emailChange }) => emailChange.begin(email)),
      retryEmailChange: () => send(({ emailChange }) => emailChange.retry()),
      cancelEmailChange() {
        newestEmailChange.drop()
        notify(({ emailChange }) => emailChange.cancel())
      },
      refreshWallet: () => send(({ account }) => account.refreshWallet()),
      putOffMove: () => send(({ account }) => account.putOffMove()),
      refreshWaiting: (networkIds) => send(({ waiting }) => waiting.refresh(networkIds)),
      replaceTransaction: (request) => send(({ waiting }) => waiting.replace(request)),
      seeRecoveries: (until) => send(({ account }) => account.seeRecoveries(until)),
      revokeDevice: (id, signal) => call(({ account }) => account.revokeDevice(id, signal)),
      deleteAccount: (signal) => call(({ account }) => account.delete(signal)),
    },
  }
}
