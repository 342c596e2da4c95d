import type { Connection, HostParams, Namespace } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { Modal } from '../../snapshot/modal'
import type { SnapshotStore } from '../../snapshot/store'
import { factsOfView } from '../../snapshot/views'
import type { Sessions } from '../sessions/sessions'

/**
 * The page's `connect`.
 *
 * 1. If the namespace (default: any) is connected, it resolves at once; else Connect opens for it.
 * 2. It resolves once there is a connection, before the modal closes. A session restored meanwhile closes Connect; the
 *    user's own attempt closes it itself.
 * 3. When the user closes the modal, it rejects with USER_REJECTED. A cancel from the page closes the modal, unless
 *    another request of the page is waiting.
 * 4. `wallet` is asked at once; `social` or `email` is the only method in Connect, if it is offered; else Connect shows
 *    everything.
 */
export function createConnectRequest(options: {
  readonly store: SnapshotStore
  readonly sessions: Pick<Sessions, 'connection'>
  readonly modal: Modal
  readonly namespaces: readonly Namespace[]
  readonly openConnect: (params: HostParams<'connect'>) => void
}) {
  const { store, sessions, modal } = options
  let waiting = 0

  function closeIfIdle(): void {
    const { open, opening, connectAttempt, signIn } = store.getState()
    // A close would reject other waiting requests.
    const isIdle = connectAttempt === null && signIn === null && waiting === 0
    if (open && factsOfView(opening.view).choosesWallet && isIdle) modal.close()
  }

  return (params: HostParams<'connect'>, signal: AbortSignal): Promise<Connection> => {
    const { namespace } = params
    const requested = namespace === undefined ? options.namespaces : [namespace]
    const connected = () =>
      requested.map((name) => sessions.connection(name)).find(({ status }) => status === 'connected')
    return new Promise((resolve, reject) => {
      if (namespace !== undefined && !options.namespaces.includes(namespace))
        return reject(new Failure('ADAPTER_NOT_FOUND'))
      if (signal.aborted) return reject(new Failure('ABORTED'))
      const connection = connected()
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
        const current = connected()
        if (current === undefined) return
        settle(() => resolve(current))
        closeIfIdle()
      })
      const unlistenClose = modal.onClose(() => settle(() => reject(new Failure('USER_REJECTED'))))
      signal.addEventListener('abort', onAbort, { once: true })
      const { open, opening } = store.getState()
      if (!open || !factsOfView(opening.view).choosesWallet) options.openConnect(params)
    })
  }
}
