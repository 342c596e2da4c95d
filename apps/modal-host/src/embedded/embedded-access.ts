import { type OnceLoaded, onceLoaded } from '@postern/base/once-loaded'
import { limits, type ProjectPage } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { createEmbeddedStore } from '../connectors/embedded/stored'
import type { EmbeddedActions } from '../snapshot/actions'
import { isLegalDue } from '../snapshot/features'
import type { HostSnapshot } from '../snapshot/host-snapshot'
import type { Modal } from '../snapshot/modal'
import { accountConnection } from '../snapshot/opening'
import type { ClickPowers } from '../snapshot/popup'
import type { SnapshotStore } from '../snapshot/store'
import { createEmbeddedActions } from './embedded-actions'
import type { EmbeddedSession, EmbeddedSessionOptions } from './embedded-session'

export type EmbeddedAccess = {
  readonly session: OnceLoaded<EmbeddedSession>
  readonly actions: EmbeddedActions
  /** The user chose a wallet: a sign-in whose code is still loading does not begin. */
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
  const { actions, leaveSignIn, resumeSignIn } = createEmbeddedActions({
    session,
    store,
    powers,
    walletOrigin,
    onFailed,
  })
  const { openSignIn } = createEmbeddedStore(rest.storage)
  const stops = [
    modal.onClose(leaveSignIn),
    store.subscribe((now, before) => {
      if (now.open && !before.open && wallet?.email && isToConnect(now) && isRecent(openSignIn())) resumeSignIn()
    }),
  ]
  const isRecent = (since: number | null) => since !== null && rest.clock.now() - since < limits.emailFlowLifetimeMs
  return {
    session,
    actions,
    leaveSignIn,
    end() {
      isEnded = true
      for (const stop of stops) stop()
      session.notify((code) => code.end())
    },
  }
}

/** A view for choosing a wallet is open, and asks for nothing else first. */
function isToConnect(snapshot: HostSnapshot): boolean {
  const { view } = snapshot.opening
  return (view === 'Connect' || view === 'AllWallets') && accountConnection(snapshot) === null && !isLegalDue(snapshot)
}
