import type { Clock } from '@postern/base/clock'
import type { ChainClient } from '@postern/chains/chain-client'
import type { CaipNetworkId } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { BlockchainApi, MoneyHost } from '../../snapshot/money'

const fail = () => Promise.reject(new Failure('HTTP_STATUS', { message: 'HTTP status code: 503' }))

/** Every call fails unless the test handles it. */
export function testMoney({
  api = {},
  clock,
  ...rest
}: Partial<Omit<MoneyHost, 'api'>> & { readonly api?: Partial<BlockchainApi> } = {}): MoneyHost {
  const stored = new Map<string, string>()
  return {
    origin: 'https://saltmarsh.example',
    client: silentClient,
    request: fail,
    transact: () => 'transaction',
    kept: {
      place: 'frame',
      get: (name) => stored.get(name) ?? null,
      set: (name, value) => void (value === null ? stored.delete(name) : stored.set(name, value)),
    },
    clock: clock ?? stoppedClock,
    randomId: () => 'id',
    openWindow: () => null,
    ...rest,
    api: {
      supportedChains: fail,
      identity: fail,
      balance: fail,
      history: fail,
      nfts: fail,
      prices: fail,
      swapTokens: fail,
      swapQuotes: fail,
      swapAllowance: fail,
      gasPrices: fail,
      buildSwap: fail,
      buildApprove: fail,
      name: fail,
      namesOf: fail,
      nameSuggestions: fail,
      registerName: fail,
      releaseName: fail,
      onRampOptions: fail,
      onRampQuote: fail,
      onRampUrl: fail,
      onRampPurchases: fail,
      smartSessions: fail,
      revokeSession: fail,
      ...api,
    },
  }
}

/** In epoch ms, far from the end of a day, a month and a year. */
export const noon = Date.UTC(2026, 0, 15, 12)
const stoppedClock: Clock = { now: () => noon, after: () => () => {} }

function silentClient(networkId: CaipNetworkId): ChainClient {
  return { networkId, rpc: { request: fail }, esplora: { get: fail, post: fail } }
}
