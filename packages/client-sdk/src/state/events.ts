import { namespaces } from '@postern/protocol/namespaces'
import { callAll } from '../shared/call-all'
import type { Connection, Connections, Namespace, Postern, PosternEvents } from '../types/index'
import type { State } from './state'

export type Emit = <E extends keyof PosternEvents>(event: E, data: PosternEvents[E]) => void

type Listeners = { [E in keyof PosternEvents]?: Set<(data: PosternEvents[E]) => void> }

/**
 * Events from the changes of an instance's state.
 *
 * 1. Restoring a connection, or losing it for a moment, fires no event; its outcome does.
 * 2. `connect` and `disconnect` alternate in each namespace. Other accounts of a connected wallet fire `account`.
 * 3. Learning the first network does not fire `network`.
 * 4. A listener that throws does not stop the others.
 */
export function createEvents({ get, subscribe }: Pick<State, 'get' | 'subscribe'>): {
  readonly on: Postern['on']
  readonly emit: Emit
} {
  const listeners: Listeners = {}
  const settled: Connections = {}
  let { open, activeNetworkId } = get()

  const emit: Emit = (event, data) => callAll(listeners[event] ?? [], data)

  function follow<N extends Namespace>(
    namespace: N,
    connection: Connection<N>,
    before: Connection<N> | undefined,
  ): void {
    const was = accountsOf(before)
    const accounts = accountsOf(connection)
    if (connection.status === 'connected' && was === undefined) emit('connect', { namespace, connection })
    else if (accounts === undefined) was && emit('disconnect', { namespace })
    else if (JSON.stringify(was) !== JSON.stringify(accounts)) emit('account', { namespace, accounts })
  }

  subscribe(() => {
    const now = get()
    for (const namespace of namespaces) {
      const connection = now.connections[namespace] ?? { status: 'disconnected' }
      const before = settled[namespace]
      if (connection === before || /ing$/.test(connection.status)) continue
      Object.assign(settled, { [namespace]: connection })
      follow(namespace, connection, before)
    }
    const [wasOpen, networkId] = [open, activeNetworkId]
    open = now.open
    activeNetworkId = now.activeNetworkId
    if (networkId !== null && activeNetworkId !== null && networkId !== activeNetworkId)
      emit('network', { networkId: activeNetworkId })
    if (wasOpen !== open) emit(open ? 'open' : 'close', null)
  })

  return {
    emit,
    on<E extends keyof PosternEvents>(event: E, listener: (data: PosternEvents[E]) => void) {
      const own = (data: PosternEvents[E]) => listener(data)
      const known: Set<(data: PosternEvents[E]) => void> = listeners[event] ?? new Set()
      known.add(own)
      Object.assign(listeners, { [event]: known })
      return () => {
        known.delete(own)
      }
    },
  }
}

function accountsOf<N extends Namespace>(connection: Connection<N> | undefined) {
  return connection?.status === 'connected' ? connection.accounts : undefined
}
