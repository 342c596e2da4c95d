import type { Account, CaipNetworkId, Connection, ConnectorSummary } from '@postern/protocol'

export type SessionState = {
  readonly connection: Connection
  readonly attempt: number | null
}

export type KnownAccount = {
  readonly connector: ConnectorSummary
  readonly accounts: readonly Account[]
  readonly networkId: CaipNetworkId
}

export type SessionEvent =
  | { readonly type: 'connect'; readonly attempt: number; readonly connector: ConnectorSummary }
  /** A stored session is connecting until the sync ends (spec §4). */
  | { readonly type: 'restore'; readonly attempt: number; readonly known: KnownAccount }
  | { readonly type: 'lose'; readonly attempt: number }
  | { readonly type: 'succeed'; readonly attempt: number; readonly known: KnownAccount }
  /** The wallet could not be asked. */
  | { readonly type: 'unanswered'; readonly attempt: number }
  | { readonly type: 'fail'; readonly attempt: number }
  | { readonly type: 'accounts'; readonly accounts: readonly Account[] }
  | { readonly type: 'choose'; readonly address: string }
  | { readonly type: 'network'; readonly networkId: CaipNetworkId }
  | { readonly type: 'disconnect' }

export const initialSession: SessionState = { connection: { status: 'disconnected' }, attempt: null }

/**
 * The session of one chain namespace (spec §4).
 *
 * 1. `connect` is connecting; a connected session stays visible until the new one succeeds. A later attempt ends an
 *    earlier one, whose events are ignored.
 * 2. `restore` is connecting, and already shows the known account. It does nothing while connected.
 * 3. `lose` turns only connected into reconnecting, which still shows the account. `unanswered` turns a session that is
 *    being restored into reconnecting.
 * 4. `succeed` of the running attempt is connected, from any state; without an account, disconnected.
 * 5. `fail` of the running attempt is disconnected, but keeps a connected session.
 * 6. Accounts and network follow the wallet while connected; without an account it is disconnected (or connecting, if
 *    an attempt with another wallet runs). In other states they are ignored.
 * 7. `disconnect` is disconnected from any state, and ends the running attempt.
 * 8. `unsupported` is set exactly when the network is not configured.
 * 9. An event that changes nothing returns the same object.
 * 10. `choose` puts one of the wallet's accounts first while connected.
 */
export function reduceSession(
  state: SessionState,
  event: SessionEvent,
  isConfigured: (networkId: CaipNetworkId) => boolean,
): SessionState {
  const { connection } = state
  switch (event.type) {
    case 'connect':
      if (connection.status === 'connected') return { ...state, attempt: event.attempt }
      return { connection: { status: 'connecting', connector: event.connector }, attempt: event.attempt }
    case 'restore': {
      if (connection.status === 'connected') return state
      const { connector, accounts, networkId } = event.known
      return {
        connection: { status: 'connecting', connector, accounts: [...accounts], networkId },
        attempt: event.attempt,
      }
    }
    case 'lose': {
      if (connection.status !== 'connected') return state
      const { connector, accounts, networkId } = connection
      return { connection: { status: 'reconnecting', connector, accounts, networkId }, attempt: event.attempt }
    }
    case 'unanswered':
      if (state.attempt !== event.attempt || connection.status !== 'connecting') return state
      return connection.accounts === undefined
        ? state
        : { ...state, connection: { ...connection, status: 'reconnecting' } }
    case 'succeed':
      if (state.attempt !== event.attempt) return state
      return event.known.accounts.length === 0 ? initialSession : connected(event.known, isConfigured)
    case 'fail':
      if (state.attempt !== event.attempt) return state
      return connection.status === 'connected' ? { ...state, attempt: null } : initialSession
    case 'accounts':
      if (connection.status !== 'connected' || sameAccounts(connection.accounts, event.accounts)) return state
      if (event.accounts.length === 0) return left(state)
      return { ...state, connection: { ...connection, accounts: [...event.accounts] } }
    case 'choose':
      if (connection.status !== 'connected') return state
      return reduceSession(
        state,
        { type: 'accounts', accounts: putFirst(connection.accounts, event.address) },
        isConfigured,
      )
    case 'network':
      if (connection.status !== 'connected' || connection.networkId === event.networkId) return state
      return { ...state, connection: connected({ ...connection, networkId: event.networkId }, isConfigured).connection }
    case 'disconnect':
      return connection.status === 'disconnected' && state.attempt === null ? state : initialSession
  }
}

export function putFirst<T extends readonly Account[]>(
  accounts: T,
  address: string,
): T | readonly [Account, ...Account[]] {
  const chosen = accounts.find((account) => account.address === address)
  return chosen === undefined ? accounts : [chosen, ...accounts.filter((account) => account !== chosen)]
}

function left(state: SessionState): SessionState {
  return state.attempt === null ? initialSession : { ...state, connection: { status: 'connecting' } }
}

function connected(known: KnownAccount, isConfigured: (networkId: CaipNetworkId) => boolean): SessionState {
  const { connector, accounts, networkId } = known
  const unsupported = isConfigured(networkId) ? {} : ({ unsupported: true } as const)
  return {
    connection: { status: 'connected', connector, accounts: [...accounts], networkId, ...unsupported },
    attempt: null,
  }
}

function sameAccounts(left: readonly Account[], right: readonly Account[]): boolean {
  return (
    left.length === right.length &&
    left.every(({ address, type }, at) => address === right[at]?.address && type === right[at].type)
  )
}
