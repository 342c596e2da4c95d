import type { Clock } from '@postern/base/clock'
import type { WalletWindowPurpose } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import type { AskWallet } from '../connectors/embedded/wallet-frame/wallet-frame'
import { navigatePopup, type Popup } from '../snapshot/popup'
import type { SnapshotStore } from '../snapshot/store'
import type { SignInFlow } from './sign-in'

export type WalletWindow = {
  /** Null if the browser blocked the popup. */
  open(purpose: WalletWindowPurpose, popup: Popup | null): void
}

/**
 * The wallet's own window.
 *
 * 1. It only goes to a URL of the wallet's origin. No secret passes through here: the window and the frame find each
 *    other.
 * 2. An unlocked or new wallet continues its sign-in; a closed window is reported there.
 */
export function createWalletWindow(options: {
  readonly ask: AskWallet
  readonly walletOrigin: string
  readonly clock: Clock
  readonly store: SnapshotStore
  readonly signIn: () => SignInFlow
  readonly tell: (thrown: unknown) => void
  readonly onDone: (purpose: WalletWindowPurpose) => Promise<void>
  readonly onClosed: (purpose: WalletWindowPurpose) => Promise<void>
}): WalletWindow {
  const { ask, walletOrigin, clock, store, signIn, tell } = options

  async function follow(purpose: WalletWindowPurpose, popup: Popup): Promise<void> {
    try {
      const { uri } = await ask('GET_WINDOW_URI', { purpose })
      // Rule 1.
      if (new URL(uri).origin !== walletOrigin) throw new Failure('INTERNAL')
      if (popup.closed) throw new Failure('WINDOW_CLOSED')
      const done = ask('AWAIT_WINDOW', { purpose })
      await Promise.all([navigatePopup(popup, uri, clock), done.catch(windowClosed)])
    } catch (thrown) {
      popup.close()
      const { code } = asFailure(thrown)
      // The wallet may have been made meanwhile, here or elsewhere.
      if (purpose === 'create' && code === 'WINDOW_CLOSED') signIn().continued()
      else if (isOfSignIn(purpose)) signIn().failed(thrown)
      else if (code !== 'WINDOW_CLOSED') tell(thrown)
      else await options.onClosed(purpose)
      return
    }
    if (isOfSignIn(purpose)) signIn().continued()
    else await options.onDone(purpose)
  }

  /** Rule 2. */
  function isOfSignIn(purpose: WalletWindowPurpose): boolean {
    return (purpose === 'unlock' || purpose === 'create') && store.getState().signIn !== null
  }

  return {
    open(purpose, popup) {
      if (popup !== null) return void follow(purpose, popup).catch(tell)
      const blocked = new Failure('POPUP_BLOCKED')
      if (isOfSignIn(purpose)) signIn().failed(blocked)
      else tell(blocked)
    },
  }
}

function windowClosed(thrown: unknown): never {
  throw asFailure(thrown).code === 'ABORTED' ? new Failure('WINDOW_CLOSED') : thrown
}
