import type { Connection, HostParams, Namespace } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { HostSnapshot } from '../snapshot/contract'
import type { Modal } from '../snapshot/modal'
import type { SnapshotStore } from '../snapshot/store'
import type { Sessions } from './sessions'

/**
 * The page's `connect`.
 *
 * 1. Answered at once where the namespace (or, none named, any) is connected already; else Connect opens, for wallets of that namespace.
 * 2. Settles with the connection as soon as there is one, before the modal closes over its success.
 *    A session that was found meanwhile, here or by another tab, closes the Connect that nobody needs any more; an attempt of the
 *    visitor's closes it by itself.
 * 3. The modal's close is the visitor's no: USER_REJECTED. The page's own cancel closes the modal, unless another question of the page waits still.
 */
export function createConnectRequest(options: {
  readonly store: SnapshotStore
  readonly sessions: Sessions
  readonly modal: Modal
  readonly namespaces: readonly Namespace[]
  /** Opens where wallets are chosen (`opening.ts`). */
  readonly openConnect: (namespace: Namespace | undefined) => void
}) {
  const { store, sessions, modal } = options
  let waiting = 0

  function closeNeedless(): void {
    const { open, opening, connectAttempt, signIn } = store.getState()
    // A close is a no to whoever waits still: for them Connect stays.
    const isLeft = connectAttempt === null && signIn === null && waiting === 0
    if (open && isChoosing(opening.view) && isLeft) modal.close()
  }

  return ({ namespace }: HostParams<'connect'>, signal: AbortSignal): Promise<Connection> => {
    const wanted = namespace === undefined ? options.namespaces : [namespace]
    const found = () => wanted.map((name) => sessions.connection(name)).find(({ status }) => status === 'connected')
    return new Promise((resolve, reject) => {
      if (namespace !== undefined && !options.namespaces.includes(namespace))
        return reject(new Failure('ADAPTER_NOT_FOUND'))
      if (signal.aborted) return reject(new Failure('ABORTED'))
      const connection = found()
      if (connection !== undefined) return resolve(connection)

      waiting += 1
      const settle = (action: () => void) => {
        waiting -= 1
        unsubscribe()
        unlistenClose()
        signal.removeEventListener('abort', onAbort)
        action()
      }
      const onAbort = () =>
        settle(() => {
          reject(new Failure('ABORTED'))
          if (waiting === 0) modal.close()
        })
      const unsubscribe = store.subscribe(() => {
        const now = found()
        if (now === undefined) return
        settle(() => resolve(now))
        closeNeedless()
      })
      const unlistenClose = modal.onClose(() => settle(() => reject(new Failure('USER_REJECTED'))))
      signal.addEventListener('abort', onAbort, { once: true })
      const { open, opening } = store.getState()
      // Whoever chooses there already is not sent back to the start.
      if (!open || !isChoosing(opening.view)) options.openConnect(namespace)
    })
  }
}

function isChoosing(view: HostSnapshot['opening']['view']): boolean {
  return view === 'Connect' || view === 'AllWallets' || view === 'ConnectingExternal'
}
