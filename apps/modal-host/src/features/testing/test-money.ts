import type { ChainClient } from '@postern/chains/chain-client'
import type { CaipNetworkId } from '@postern/protocol'
import type { Clock } from '@postern/protocol/clock'
import { Failure } from '@postern/protocol/failure'
import type { BlockchainApi, MoneyHost } from '../../snapshot/money'

const unasked = () => Promise.reject(new Failure('HTTP_STATUS', { message: 'HTTP status code: 503' }))

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
    request: unasked,
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
      supportedChains: unasked,
      identity: unasked,
      balance: unasked,
      history: unasked,
      nfts: unasked,
      prices: unasked,
      swapTokens: unasked,
      swapQuotes: unasked,
      swapAllowance: unasked,
      gasPrices: unasked,
      buildSwap: unasked,
      buildApprove: unasked,
      name: unasked,
      namesOf: unasked,
      nameSuggestions: unasked,
      registerName: unasked,
      releaseName: unasked,
      onRampOptions: unasked,
      onRampQuote: unasked,
      onRampUrl: unasked,
      onRampPurchases: unasked,
      smartSessions: unasked,
      revokeSession: unasked,
      ...api,
    },
  }
}

const stoppedClock: Clock = { now: () => Date.UTC(2026, 0, 15, 12), after: () => () => {} }

function silentClient(networkId: CaipNetworkId): ChainClient {
  return { networkId, rpc: { request: unasked }, esplora: { get: unasked, post: unasked } }
}
