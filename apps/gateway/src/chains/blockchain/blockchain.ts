import type { Context, Hono } from 'hono'
import type { Database } from '../../platform/db/open'
import type { Operation } from '../../platform/http/operation'
import type { PostgresLimiter } from '../../platform/limits/postgres'
import type { Log } from '../../platform/log/log'
import type { GatewayNetwork } from '../../platform/upstreams/gateway-network'
import type { Upstreams } from '../../platform/upstreams/rpc'
import type { CallerEnv } from '../../projects/caller'
import type { CallerLimit } from '../../projects/caller-limit'
import type { Esplora } from '../esplora/upstream'
import { knownNetworks } from './account'
import { createBalances } from './accounts/balances'
import { createListing } from './accounts/listing'
import { accountOperations, accountRoutes } from './accounts/routes'
import type { BlockchainConfig } from './config'
import { createGasPrices } from './convert/gas'
import { convertOperations, convertRoutes } from './convert/routes'
import { createSwaps } from './convert/swaps'
import { createTokenBalance } from './convert/token-balance'
import { createHistory } from './history/history'
import { hostedRoutes } from './hosted/routes'
import { createAvatarPictures } from './identity/avatar-pictures'
import { createEns } from './identity/ens'
import { createIdentities } from './identity/identity'
import { identityOperations, identityRoutes } from './identity/routes'
import { createNameRegistry } from './names/registry'
import { nameOperations, nameRoutes } from './names/routes'
import { createNfts } from './nfts/nfts'
import { nftOperations, nftRoutes } from './nfts/routes'
import { createFollow } from './offchain/follow'
import { createOnRamp } from './onramp/onramp'
import { onRampOperations, onRampRoutes } from './onramp/routes'
import { priceOperations, priceRoutes } from './prices/routes'
import { createPriceSource } from './prices/source'
import type { PublicFetch } from './remote/public-fetch'
import { createRemote } from './remote/remote'
import { sessionOperations, sessionRoutes } from './sessions/routes'
import { createTokenList } from './tokens'

export const blockchainOperations: readonly Operation[] = [
  ...accountOperations,
  ...nftOperations,
  ...convertOperations,
  ...priceOperations,
  ...sessionOperations,
  ...identityOperations,
  ...nameOperations,
  ...onRampOperations,
]

export type BlockchainOptions = CallerLimit & {
  readonly blockchain: BlockchainConfig
  readonly networks: readonly GatewayNetwork[]
  readonly upstreams: Upstreams
  readonly esplora: Esplora
  readonly fetch: typeof globalThis.fetch
  /** The only fetch for untrusted URLs. */
  readonly fetchPublic: PublicFetch
  /** With a queue of its own. */
  readonly fetchForNames: PublicFetch
  readonly hasTokenImage: (symbol: string) => boolean
  readonly clientIp: (context: Context) => string
  readonly modalOrigin: string
  readonly database: Pick<Database, 'orm'>
  readonly limits: Pick<PostgresLimiter, 'take'>
  readonly log: Pick<Log, 'warn'>
  /** Epoch milliseconds. */
  readonly now: () => number
}

export function blockchainRoutes(options: BlockchainOptions): readonly Hono<CallerEnv>[] {
  const { blockchain, upstreams } = options
  const networks = knownNetworks(options.networks)
  const tokens = createTokenList(blockchain.tokens)
  const listingOf = createListing([
    ...tokens.all(),
    ...[...networks.values()].map(({ definition }) => definition.nativeCurrency),
  ])
  const prices = createPriceSource({ ...options, networks, tokens, config: blockchain.prices })
  const balances = createBalances({ ...options, networks, tokens, prices, listingOf, scanBlocks: blockchain.logBlocks })
  const history = createHistory({ ...options, ...blockchain, networks, tokens })
  const ensNetwork = networks.get(blockchain.ens.network)
  const gasPrices = createGasPrices(options.now)
  const readBalance = createTokenBalance({ networks, upstreams })
  const swaps = createSwaps({ ...options, networks, tokens, listingOf, gasPrices, config: blockchain.swaps })
  const { universalResolver, servers } = blockchain.ens
  const follow = servers === null ? null : createFollow({ ...options, fetchPublic: options.fetchForNames })
  const ens =
    ensNetwork === undefined ? null : createEns({ upstreams, urls: ensNetwork.urls }, universalResolver, follow)
  const remote = createRemote({ ...options, ipfs: blockchain.ipfs })
  const nfts = createNfts({ ...options, ...blockchain, networks, remote })
  const suffix = blockchain.nameSuffix
  const names = suffix === null ? null : createNameRegistry(options.database, { suffix, now: options.now })
  return [
    // First: it takes over the routes below.
    ...(blockchain.hosted === null
      ? []
      : [hostedRoutes({ ...options, readBalance, tokens, hosted: blockchain.hosted })]),
    nftRoutes({ ...options, nfts }),
    accountRoutes({ ...options, balances, history }),
    priceRoutes({ ...options, networks, tokens, prices }),
    convertRoutes({ ...options, networks, swaps, gasPrices, readBalance }),
    sessionRoutes({ ...options, networks, logBlocks: blockchain.logBlocks }),
    identityRoutes({
      ...options,
      names,
      ensNetwork: ensNetwork?.id,
      identities: createIdentities(ens, names, createAvatarPictures(nfts, remote), options.now),
    }),
    nameRoutes({ ...options, names, networks }),
    onRampRoutes({ ...options, onramp: createOnRamp(blockchain.onramp, { ...options, networks }) }),
  ]
}
