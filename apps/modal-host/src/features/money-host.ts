import type { Clock } from '@postern/base/clock'
import type { ChainClient } from '@postern/chains/chain-client'
import {
  type CaipNetworkId,
  classifyRpcMethod,
  type HostParams,
  isWalletRequestMethod,
  parseCaipNetworkId,
} from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { Sessions } from '../connections/sessions/sessions'
import type { HttpClient } from '../services/http'
import type { HostStorage } from '../services/storage'
import type { RequestContext } from '../snapshot/approval'
import type { MoneyHost } from '../snapshot/money'
import { type ClickPowers, openWindow } from '../snapshot/popup'
import type { SnapshotStore } from '../snapshot/store'
import { createBlockchainApi } from './blockchain-api'
import { createTransactions, type TransactionsOptions } from './transaction/transactions'

export type MoneyHostOptions = {
  readonly store: SnapshotStore
  readonly sessions: Sessions
  readonly http: HttpClient
  readonly projectId: string
  readonly origin: string
  readonly storage: HostStorage
  readonly clock: Clock
  readonly randomId: () => string
  readonly clientOf: (networkId: CaipNetworkId) => ChainClient
  /** Checks the allowed methods. */
  readonly rpc: (params: HostParams<'rpc'>, signal: AbortSignal, context?: RequestContext) => Promise<unknown>
  readonly refreshBalance: () => void
  readonly openPopup: ClickPowers['openPopup']
}

export function createMoneyHost(
  options: MoneyHostOptions,
): MoneyHost & Pick<ReturnType<typeof createTransactions>, 'settled' | 'end'> {
  const { sessions, store, clock, randomId } = options

  const request: TransactionsOptions['request'] = async (namespace, method, params, signal, context) => {
    const connector = sessions.connector(namespace)
    if (connector === null) throw new Failure('NO_CONNECTION_CLIENT')
    // `rpc` never sends a page wallet's safe methods over the link.
    const isOwnMethod = connector.pageWallet !== undefined && isWalletRequestMethod(method)
    if (isOwnMethod && classifyRpcMethod(method) === 'safe') return connector.request(method, params, signal, context)
    const connection = sessions.connection(namespace)
    const networkId = connection.status === 'connected' ? connection.networkId : undefined
    return options.rpc({ namespace, method, params, ...(networkId !== undefined && { networkId }) }, signal, context)
  }

  const transactions = createTransactions({
    clock,
    randomId,
    request,
    sender(networkId) {
      const connection = sessions.connection(parseCaipNetworkId(networkId).namespace)
      const isThere = connection.status === 'connected' && connection.networkId === networkId
      return isThere ? (connection.accounts[0]?.address ?? null) : null
    },
    clientOf: options.clientOf,
    follow: async () => (await import('./transaction/follow')).followTransaction,
    onChange: (all) => store.setState({ transactions: all }),
    onMoved: options.refreshBalance,
  })

  return {
    origin: options.origin,
    api: createBlockchainApi(options.http, options.projectId),
    client: options.clientOf,
    // A view asks for the user.
    request: (namespace, method, params, signal = new AbortController().signal) =>
      request(namespace, method, params, signal, { asker: 'visitor' }),
    transact: transactions.transact,
    kept: options.storage,
    openWindow: () => openWindow(options.openPopup),
    clock,
    randomId,
    settled: transactions.settled,
    end: transactions.end,
  }
}
