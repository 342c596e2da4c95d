/** The Blockchain API of interop §3, from its parts. */
import type { Context, Hono } from 'hono'
import type { GatewayNetwork } from '../config'
import type { Esplora } from '../esplora/upstream'
import type { CallerEnv } from '../http/caller'
import type { RateLimit } from '../http/rate-limit'
import type { Log } from '../log'
import type { Upstreams } from '../rpc/upstream'
import { knownNetworks } from './account'
import { createBalances } from './accounts/balances'
import { accountRoutes } from './accounts/routes'
import type { BlockchainConfig } from './config'
import { createHistory } from './history/history'
import { createEns } from './identity/ens'
import { createIdentities } from './identity/identity'
import { identityRoutes } from './identity/routes'
import { createNfts } from './nfts/nfts'
import { nftRoutes } from './nfts/routes'
import { priceRoutes } from './prices/routes'
import { createPriceSource } from './prices/source'
import { createTokenList } from './tokens'

export type BlockchainOptions = {
  readonly blockchain: BlockchainConfig
  readonly networks: readonly GatewayNetwork[]
  readonly upstreams: Upstreams
  readonly esplora: Esplora
  readonly fetch: typeof globalThis.fetch
  readonly hasTokenImage: (symbol: string) => boolean
  readonly rpcLimit: RateLimit
  readonly clientAddress: (context: Context) => string
  readonly log: Pick<Log, 'warn'>
  /** Epoch milliseconds. */
  readonly now: () => number
}

export function blockchainRoutes(options: BlockchainOptions): readonly Hono<CallerEnv>[] {
  const { blockchain, upstreams } = options
  const networks = knownNetworks(options.networks)
  const tokens = createTokenList(blockchain.tokens)
  const prices = createPriceSource({ ...options, networks, config: blockchain.prices })
  const balances = createBalances({ ...options, networks, tokens, prices, scanBlocks: blockchain.logBlocks })
  const history = createHistory({ ...options, ...blockchain, networks, tokens })
  const names = networks.get(blockchain.ens.network)
  const ens = names === undefined ? null : createEns({ upstreams, urls: names.urls }, blockchain.ens.universalResolver)
  return [
    nftRoutes({ ...options, nfts: createNfts({ ...options, ...blockchain, networks }) }),
    accountRoutes({ ...options, balances, history }),
    priceRoutes({ ...options, networks, tokens, prices }),
    identityRoutes({ ...options, identities: createIdentities(ens, options.now) }),
  ]
}
