import type { ProjectPage } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { type OnceLoaded, onceLoaded } from '@postern/protocol/once-loaded'
import type { EmbeddedActions } from '../snapshot/actions'
import type { Modal } from '../snapshot/modal'
import type { ClickPowers } from '../snapshot/popup'
import type { SnapshotStore } from '../snapshot/store'
import { createEmbeddedActions } from './embedded-actions'
import type { EmbeddedSession, EmbeddedSessionOptions } from './embedded-session'

/** Loaded on first use. */
export type EmbeddedAccess = {
  readonly session: OnceLoaded<EmbeddedSession>
  readonly actions: EmbeddedActions
  /** A wallet is chosen: a sign-in that still waits for its code does not begin. */
  leaveSignIn(): void
  end(): void
}

export function createEmbeddedAccess(options: {
  readonly store: SnapshotStore
  readonly modal: Modal
  readonly wallet: ProjectPage['wallet']
  readonly powers: ClickPowers
  readonly rest: Omit<EmbeddedSessionOptions, 'store' | 'modal' | 'walletOrigin' | 'dom'>
}): EmbeddedAccess {
  const { store, modal, wallet, powers, rest } = options
  const walletOrigin = wallet?.origin ?? ''
  let isEnded = false
  const onFailed = () => modal.alert('IFRAME_LOAD_FAILED')
  const session = onceLoaded<EmbeddedSession>(async () => {
    if (wallet === null) throw new Failure('ADDRESS_OR_AUTH_NOT_FOUND')
    const [{ createEmbeddedSession }, dom] = await Promise.all([
      import('./embedded-session'),
      rest.dependencies.walletFrameDom(),
    ])
    if (isEnded) throw new Failure('LINK_CLOSED')
    return createEmbeddedSession({ ...rest, store, modal, walletOrigin, dom })
  }, onFailed)
  const { actions, leaveSignIn } = createEmbeddedActions({ session, store, powers, walletOrigin, onFailed })
  const stopClosing = modal.onClose(leaveSignIn)
  return {
    session,
    actions,
    leaveSignIn,
    end() {
      isEnded = true
      stopClosing()
      session.notify.end()
    },
  }
}
