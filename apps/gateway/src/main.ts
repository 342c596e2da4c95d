import path from 'node:path'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import { limits, namespaces } from '@postern/protocol'
import type { Context } from 'hono'
import { version } from '../package.json'
import { createAnalytics } from './analytics/store'
import { createApp } from './app'
import { createAuth } from './auth/auth'
import { createPublicFetch, publicFetchDefaults } from './blockchain/remote/public-fetch'
import { loadTokens } from './blockchain/tokens'
import { ConfigError, readConfig } from './config'
import { DatabaseInUseError } from './db/lock'
import { openConfigured } from './db/open'
import { createDirectory, directoryRoutes, loadDirectory } from './directory'
import { createEsplora } from './esplora/upstream'
import { createRelay } from './farcaster/channel'
import { clientAddress, clientIp } from './http/client-address'
import { createRateLimit } from './http/rate-limit'
import { watchSilentConnections } from './http/silent-connections'
import { createLog } from './log'
import { createMailer } from './mail/mailer'
import { createFiles } from './pages/files'
import { serveControl } from './projects/control'
import { rememberProjects } from './projects/remembered'
import { createProjectStore, seedProjects } from './projects/store'
import { createUpstreams } from './rpc/upstream'
import { keepSecrets } from './secrets/keep'
import { createSecrets } from './secrets/secrets'
import { createWalletStore } from './shares/store'
import { createSignIns } from './siwx/siwx'
import { createFlows } from './social/flows'
import { createProviders } from './social/social'
import type { UpstreamOptions } from './upstreams/attempt'

/** For pending requests after a stop signal, in ms. */
const grace = 10_000
const maxResponseBytes = 10_485_760
/**
 * Node's default of 511 fits about a hundred concurrent visitors; a rejected client retries only after 1, 3 and 7 s.
 */
const backlog = 4_096
/** Between deletions of expired rows, in ms. */
const sweepEvery = 3_600_000
/** Between writes of analytics events, in ms. */
const flushEvery = 1_000

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  const database = await openConfigured(config, (error) => log.error({ err: error }, 'database connection lost'))
  const projects = rememberProjects(createProjectStore(database, Date.now), { now: Date.now })
  const seeded = await seedProjects(projects, config.seed)
  const stopControl =
    database.kind === 'embedded' ? await serveControl(projects, path.join(config.dataDir, 'gateway.sock')) : null
  const directory = createDirectory(await loadDirectory(config.directoryDir, config.assetsDir))
  const listedTokens = await loadTokens(path.join(config.assetsDir, 'tokens.json'))

  const upstreamOptions: UpstreamOptions = {
    fetch,
    now: Date.now,
    timeout: limits.rpcTimeout,
    maxResponseBytes,
    onFailure: (failure) => log.warn(failure, 'upstream failed'),
  }

  const secrets = createSecrets(config.secrets ?? (await keepSecrets(path.join(config.dataDir, 'secrets.json'))))
  const auth = createAuth({
    database,
    secrets,
    mailer: config.mail === undefined ? null : createMailer(config.mail),
    mailRates: config.mailRates,
    walletOrigin: config.walletOrigin,
    log,
    now: Date.now,
  })
  const signIns = createSignIns({ database, secrets, rotateEvery: config.signInKeyDays * 86_400_000, now: Date.now })
  const upstreams = createUpstreams(upstreamOptions)
  const { farcaster } = config
  const stopSignal = new AbortController()
  const analytics = createAnalytics({ database, log, now: Date.now, days: config.analyticsDays })
  const sweep = () =>
    Promise.all([auth.sweep(), signIns.sweep(), analytics.sweep()]).catch((error: unknown) =>
      log.error({ err: error }, 'sweep failed'),
    )
  const flush = () => analytics.flush().catch((error: unknown) => log.error({ err: error }, 'analytics lost'))
  const flushing = setInterval(flush, flushEvery)
  flushing.unref()
  const sweeping = setInterval(sweep, sweepEvery)
  sweeping.unref()

  const hopsOf = (context: Context<{ Bindings: HttpBindings }>): Parameters<typeof clientAddress> => [
    context.env.incoming.socket.remoteAddress ?? '',
    context.req.header('X-Forwarded-For'),
    config.trustedProxies,
  ]

  const app = createApp({
    production: config.production,
    modalOrigin: config.modalOrigin,
    walletOrigin: config.walletOrigin,
    version,
    log,
    clock: () => performance.now(),
    now: Date.now,
    database,
    projects,
    auth,
    wallets: createWalletStore({
      database,
      authSealer: secrets.authShares,
      recoverySealer: secrets.recoveryShares,
      now: Date.now,
    }),
    signIns,
    flows: createFlows({ database, secrets, now: Date.now }),
    providers: createProviders({ config: config.socials, walletOrigin: config.walletOrigin, fetch, now: Date.now }),
    farcaster:
      farcaster === null
        ? null
        : {
            relay: createRelay(farcaster.relayUrl, fetch),
            chain: {
              upstreams,
              urls: config.networks.find(({ id }) => id === farcaster.networkId)?.upstreams ?? [],
              idRegistry: farcaster.idRegistry,
            },
          },
    accountAbstraction: config.accountAbstraction,
    stopping: stopSignal.signal,
    directory: {
      routes: directoryRoutes(directory),
      recommended: directory.recommended(namespaces),
      count: directory.count(namespaces),
      hasTokenImage: (symbol) => directory.tokenImage(symbol) !== undefined,
    },
    networks: config.networks,
    relayUrl: config.relayUrl,
    upstreams,
    esplora: createEsplora(upstreamOptions),
    blockchain: { ...config.blockchain, tokens: [...listedTokens, ...config.blockchain.tokens] },
    analytics,
    fetch,
    fetchPublic: createPublicFetch({
      ...publicFetchDefaults,
      trusted: config.blockchain.ipfs === null ? null : new URL(`${config.blockchain.ipfs}/ipfs/`).href,
    }),
    fetchForNames: createPublicFetch({
      ...publicFetchDefaults,
      trusted: config.blockchain.ens.servers?.own ?? null,
      // Responses are small, and a slow site must not block others.
      atOnce: 48,
      perSite: 3,
      waitingPerSite: 30,
    }),
    rpcLimit: createRateLimit({ ...config.rpcRate, now: Date.now }),
    projectLimit: createRateLimit({ ...config.projectRate, now: Date.now }),
    clientAddress: (context) => clientAddress(...hopsOf(context)),
    clientIp: (context) => clientIp(...hopsOf(context)),
    modalFiles: createFiles(config.modalDir),
    walletFiles: createFiles(config.walletDir),
    sdkFiles: createFiles(config.sdkDir),
    staticFiles: createFiles(config.staticDir),
  })

  const server = createAdaptorServer({
    fetch: app.fetch,
    hostname: config.host,
    serverOptions: {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 65_000,
      maxHeaderSize: 16_384,
    },
  })
  server.listen({ host: config.host, port: config.port, backlog }, () => {
    const address = server.address()
    const port = address !== null && typeof address === 'object' ? address.port : config.port
    log.info({ host: config.host, port, modal: config.modalOrigin, database: database.kind, seeded }, 'listening')
  })
  const closeSilentConnections = watchSilentConnections(server)
  server.on('error', (error) => {
    log.fatal({ err: error }, 'cannot listen')
    void stop(1)
  })

  let stopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(0))

  async function stop(exitCode: number): Promise<void> {
    if (stopping) return
    stopping = true
    stopSignal.abort()
    clearInterval(sweeping)
    clearInterval(flushing)
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    closeSilentConnections()
    log.info('stopping')
    if ('closeIdleConnections' in server) {
      // A request that ends now leaves its keep-alive connection open.
      const idle = setInterval(() => server.closeIdleConnections(), 50)
      const limit = setTimeout(() => server.closeAllConnections(), grace)
      await closed
      clearInterval(idle)
      clearTimeout(limit)
    }
    await closed
    await stopControl?.()
    await flush()
    await database.close()
    log.info('stopped')
    process.exitCode = exitCode
  }
}

main().catch((error: unknown) => {
  const expected = error instanceof ConfigError || error instanceof DatabaseInUseError
  process.stderr.write(`${expected ? error.message : error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 1
})
