/** The dependencies of a running gateway: services, files on disk, clock and network. */
import type { HttpBindings } from '@hono/node-server'
import { namespaces } from '@postern/protocol'
import type { Context } from 'hono'
import { version } from '../package.json'
import { createRelay } from './accounts/farcaster/channel'
import type { Farcaster } from './accounts/farcaster/routes'
import { createFlows } from './accounts/social/flows'
import { createProviders } from './accounts/social/social'
import { createPublicFetch, publicFetchDefaults } from './chains/blockchain/remote/public-fetch'
import { createEsplora } from './chains/esplora/upstream'
import type { Config } from './config'
import { createFiles } from './platform/html/files'
import { clientAddress, clientIp, watchForwarding } from './platform/http/client-address'
import { regionCode } from './platform/http/region'
import type { Limiter, Taken } from './platform/limits/limiter'
import { createMemoryLimiter } from './platform/limits/memory'
import { createExchange, createSharedLimiter } from './platform/limits/replicas'
import type { Log } from './platform/log/log'
import { traceFetch } from './platform/tracing/spans'
import { createUpstreams, type Upstreams } from './platform/upstreams/rpc'
import type { Services } from './services'
import type { Accounts, Chains, Dependencies, Platform, Site } from './site/dependencies'
import { directoryRoutes } from './site/directory'
import type { EarlierBuilds } from './site/pages/earlier-builds'

/** @param stopping aborts on a stop signal. */
export function composeDependencies(config: Config, services: Services, log: Log, stopping: AbortSignal): Dependencies {
  const { projects } = services
  const fetch = traceFetch(globalThis.fetch)
  const chains = composeChains(config, services)
  return {
    platform: {
      production: config.production,
      version,
      modalOrigin: config.modalOrigin,
      walletOrigin: config.walletOrigin,
      log,
      onRequest: services.metrics?.onRequest,
      clock: () => performance.now(),
      now: Date.now,
      stopping,
      database: services.database,
      fetch,
      limiter: limiterOf(services),
      callRates: config.callRates,
      ...callersOf(config, log),
    },
    projects: { projects, projectKeys: config.projectKeys },
    accounts: composeAccounts(config, services, chains.upstreams, fetch),
    chains,
    site: composeSite(config, services),
  }
}

/** Replicas share their counts; the embedded database has none. */
function limiterOf({ database, secrets }: Services): Limiter<Taken> {
  const memory = createMemoryLimiter({ now: Date.now })
  return database.kind === 'embedded'
    ? memory
    : createSharedLimiter(memory, createExchange({ orm: database.orm, hash: secrets.hashCode }))
}

function callersOf(
  { trustedProxies, regionHeader }: Config,
  log: Log,
): Pick<Platform, 'clientAddress' | 'clientIp' | 'region'> {
  const watch = watchForwarding(trustedProxies, () =>
    log.warn('X-Forwarded-For is ignored: behind a proxy set TRUSTED_PROXIES, or all callers share the limits of one'),
  )
  const hopsOf = (context: Context<{ Bindings: HttpBindings }>): Parameters<typeof clientAddress> => {
    const forwardedFor = context.req.header('X-Forwarded-For')
    watch(forwardedFor)
    return [context.env.incoming.socket.remoteAddress ?? '', forwardedFor, trustedProxies]
  }
  return {
    clientAddress: (context) => clientAddress(...hopsOf(context)),
    clientIp: (context) => clientIp(...hopsOf(context)),
    region: (context) => (regionHeader === null ? null : regionCode(context.req.header(regionHeader))),
  }
}

function composeAccounts(config: Config, services: Services, upstreams: Upstreams, fetch: Platform['fetch']): Accounts {
  const { auth, database, secrets, wallets, walletEnds, signIns } = services
  return {
    auth,
    wallets,
    walletEnds,
    signIns,
    flows: createFlows({ database, secrets, limits: auth.limits, now: Date.now }),
    providersOf: createProviders({
      config: config.socials,
      projects: config.projectKeys,
      walletOrigin: config.walletOrigin,
      fetch,
      now: Date.now,
    }),
    farcaster: farcasterOf(config, upstreams, fetch),
  }
}

function composeChains(config: Config, { upstreamOptions, listedTokens }: Services): Chains {
  const { networks, blockchain, accountAbstraction, operationBudgets } = config
  return {
    networks,
    upstreams: createUpstreams(upstreamOptions),
    esplora: createEsplora(upstreamOptions),
    blockchain: { ...blockchain, tokens: [...listedTokens, ...blockchain.tokens] },
    accountAbstraction,
    operationBudgets,
    fetchPublic: createPublicFetch({
      ...publicFetchDefaults,
      trusted: blockchain.ipfs === null ? null : new URL(`${blockchain.ipfs}/ipfs/`).href,
    }),
    fetchForNames: createPublicFetch({
      ...publicFetchDefaults,
      trusted: blockchain.ens.servers?.own ?? null,
      // Responses are small; a slow site must not block others.
      atOnce: 48,
      perSite: 3,
      waitingPerSite: 30,
    }),
  }
}

function composeSite(config: Config, { directory, analytics, earlierBuilds }: Services): Site {
  const { relayUrl, trustsLoopback, securityContacts } = config
  return {
    directory: {
      routes: directoryRoutes(directory),
      recommended: directory.recommended(namespaces),
      count: directory.count(namespaces),
      hasTokenImage: (symbol) => directory.tokenImage(symbol) !== undefined,
    },
    analytics,
    relayUrl,
    trustsLoopback,
    securityContacts,
    ...filesOf(config, earlierBuilds),
    staticFiles: createFiles(config.staticDir),
  }
}

function filesOf(
  { modalDir, walletDir, sdkDir }: Config,
  earlier: EarlierBuilds | null,
): Pick<Site, 'modalFiles' | 'walletFiles' | 'sdkFiles'> {
  const own = { modal: createFiles(modalDir), wallet: createFiles(walletDir), sdk: createFiles(sdkDir) }
  if (earlier === null) return { modalFiles: own.modal, walletFiles: own.wallet, sdkFiles: own.sdk }
  return {
    modalFiles: earlier.modal(own.modal),
    walletFiles: earlier.wallet(own.wallet),
    sdkFiles: earlier.sdk(own.sdk),
  }
}

function farcasterOf(
  { farcaster, networks }: Config,
  upstreams: Upstreams,
  fetch: Platform['fetch'],
): Farcaster | null {
  if (farcaster === null) return null
  return {
    relay: createRelay(farcaster.relayUrl, fetch),
    chain: {
      upstreams,
      urls: networks.find(({ id }) => id === farcaster.networkId)?.upstreams ?? [],
      idRegistry: farcaster.idRegistry,
    },
  }
}
