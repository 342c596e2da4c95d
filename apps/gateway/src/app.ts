/**
 * The whole HTTP surface as a pure function of its dependencies. Two sites share the process, by host name; other hosts
 * get only `/health` and `/ready`, for load balancers.
 */
import { randomUUID } from 'node:crypto'
import {
  type Health,
  type NetworkDefinition,
  type SocialProvider,
  type WalletEntry,
  walletApi,
} from '@postern/protocol'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { matchedRoutes } from 'hono/route'
import { METHOD_NAME_ALL } from 'hono/router'
import { analyticsRoutes } from './analytics/routes'
import type { Analytics } from './analytics/store'
import type { Auth } from './auth/auth'
import { authRoutes, openAuthRoutes } from './auth/routes'
import { requireSession } from './auth/sessions'
import { blockchainRoutes } from './blockchain/blockchain'
import type { BlockchainConfig } from './blockchain/config'
import { describeMoney } from './blockchain/money'
import { donePagePath, renderDonePage } from './blockchain/onramp/done-page'
import type { PublicFetch } from './blockchain/remote/public-fetch'
import type { AccountAbstraction } from './bundler/config'
import { bundlerRoutes } from './bundler/routes'
import type { GatewayNetwork } from './config'
import type { Database } from './db/open'
import { esploraRoutes } from './esplora/routes'
import type { Esplora } from './esplora/upstream'
import { type Farcaster, farcasterRoutes } from './farcaster/routes'
import { type CallerEnv, readableByPages, requireProject } from './http/caller'
import { Problem, problem, problemResponse } from './http/problem'
import { callerKey, type RateLimit, withProjectLimit } from './http/rate-limit'
import { requireOwnOrigin } from './http/same-origin'
import { walletFailure } from './http/wallet-calls'
import type { Log } from './log'
import { createOpenApi } from './openapi/create-openapi'
import type { Files } from './pages/files'
import { commonHeaders, inertHeaders, scriptHeaders } from './pages/headers'
import { createPages } from './pages/modal'
import { immutable, revalidate, sendFile } from './pages/send-file'
import { projectRoutes } from './projects/routes'
import type { ProjectStore } from './projects/store'
import { rpcRoutes } from './rpc/routes'
import type { Upstreams } from './rpc/upstream'
import { walletRoutes } from './shares/routes'
import type { WalletStore } from './shares/store'
import { type SiwxRoutesOptions, siwxBase, siwxRoutes } from './siwx/routes'
import type { SignIns } from './siwx/siwx'
import type { Flows } from './social/flows'
import type { Provider } from './social/provider'
import { openSocialRoutes, socialRoutes } from './social/routes'

export type Dependencies = {
  readonly production: boolean
  readonly modalOrigin: string
  readonly walletOrigin: string
  readonly version: string
  readonly log: Log
  /** Monotonic, in ms. */
  readonly clock: () => number
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly database: Pick<Database, 'ping' | 'orm'>
  readonly projects: ProjectStore
  readonly auth: Auth
  readonly wallets: WalletStore
  readonly signIns: SignIns
  /** Default: as in `siwx/routes.ts`. */
  readonly siwxQuestions?: SiwxRoutesOptions['siwxQuestions']
  readonly flows: Flows
  readonly providers: ReadonlyMap<SocialProvider, Provider>
  readonly farcaster: Farcaster | null
  readonly accountAbstraction: AccountAbstraction
  /** Aborts on a stop signal. */
  readonly stopping: AbortSignal
  /** Of long polls, in ms. Default: as in the routes. */
  readonly waiting?: { readonly timeout: number; readonly interval: number }
  readonly directory: {
    readonly routes: Hono
    readonly recommended: readonly WalletEntry[]
    readonly count: number
    readonly hasTokenImage: (symbol: string) => boolean
  }
  readonly networks: readonly GatewayNetwork[]
  readonly relayUrl: string
  readonly upstreams: Upstreams
  readonly esplora: Esplora
  readonly blockchain: BlockchainConfig
  readonly analytics: Pick<Analytics, 'take'>
  readonly fetch: typeof globalThis.fetch
  /** The only fetch for untrusted URLs, such as pictures of NFTs and names. */
  readonly fetchPublic: PublicFetch
  readonly fetchForNames: PublicFetch
  readonly rpcLimit: RateLimit
  /** Shared by all callers of a project; keyed by project id. */
  readonly projectLimit: RateLimit
  /** For rate limits. */
  readonly clientAddress: (context: Context) => string
  /** The full IP address, for on-ramps. */
  readonly clientIp: (context: Context) => string
  readonly modalFiles: Files
  readonly walletFiles: Files
  readonly sdkFiles: Files
  readonly staticFiles: Files
}

const shownAnywhere = { 'Cache-Control': revalidate, 'Cross-Origin-Resource-Policy': 'cross-origin' }

type Site = 'modal' | 'wallet' | 'unknown'
type Env = CallerEnv & { Variables: { site: Site; requestId: string } }

export function createApp(dependencies: Dependencies): Hono<Env> {
  const { log, clock, modalOrigin, walletOrigin, production, modalFiles, walletFiles, sdkFiles, staticFiles } =
    dependencies
  const modalHost = new URL(modalOrigin).host
  const walletHost = new URL(walletOrigin).host
  const app = new Hono<Env>({ strict: false })

  app.use(async (context, next) => {
    const begun = clock()
    const requestId = randomUUID()
    const host = context.req.header('Host')?.toLowerCase()
    context.set('requestId', requestId)
    context.set('site', host === modalHost ? 'modal' : host === walletHost ? 'wallet' : 'unknown')
    await next()
    setMissing(context, { ...commonHeaders(context.get('site'), production), 'X-Request-Id': requestId })
    if (!isPage(context)) setMissing(context, inertHeaders)
    // The route, not the path: paths and queries contain addresses.
    const { status } = context.res
    const line = {
      requestId,
      method: context.req.method,
      route: routeOf(context),
      status,
      ms: Math.round(clock() - begun),
    }
    log[status >= 500 ? 'error' : 'info'](line, 'request')
  })

  app.onError((error, context) => {
    if (error instanceof Problem) return problemResponse(context, error)
    if (error instanceof HTTPException) return problemResponse(context, problem(error.status, 'request', error.message))
    log.error({ requestId: context.get('requestId'), route: routeOf(context), err: error }, 'failed')
    return problemResponse(context, problem(500, 'server', 'Something went wrong'))
  })
  app.notFound((context) => problemResponse(context, problem(404, 'path', 'Nothing is served here')))

  app.get('/health', (context) =>
    context.json({ status: 'ok', version: dependencies.version } satisfies Health, 200, {
      'Cache-Control': 'no-store',
    }),
  )
  app.get('/ready', async (context) => {
    try {
      await dependencies.database.ping()
    } catch (error) {
      log.error({ err: error }, 'database does not answer')
      const health: Health = { status: 'unavailable', version: dependencies.version }
      return context.json(health, 503, { 'Cache-Control': 'no-store' })
    }
    const health: Health = { status: 'ok', version: dependencies.version }
    return context.json(health, 200, { 'Cache-Control': 'no-store' })
  })

  app.use(async (context, next) => {
    if (context.get('site') === 'unknown') throw problem(421, 'host', 'This host name is not served here')
    return next()
  })

  const pages = createPages({
    production,
    modalOrigin,
    walletOrigin,
    projects: dependencies.projects,
    modalFiles,
    walletFiles,
    networks: dependencies.networks.flatMap(({ definition }): NetworkDefinition[] => (definition ? [definition] : [])),
    directory: dependencies.directory,
    relayUrl: dependencies.relayUrl,
    gatewayVersion: dependencies.version,
    accountAbstraction: dependencies.accountAbstraction,
    money: describeMoney(dependencies.blockchain, dependencies.networks),
    signInMethods: {
      email: dependencies.auth.email !== null,
      socials: [...dependencies.providers.keys()],
      farcaster: dependencies.farcaster !== null,
    },
  })

  // Each site serves its own pages and the assets they name; every hash is in the name.
  app.get('/assets/*', (context) =>
    file(context, context.get('site') === 'wallet' ? walletFiles : modalFiles, context.req.path.slice(1), {
      'Cache-Control': immutable,
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      ...(context.req.path.endsWith('.js') ? scriptHeaders : {}),
    }),
  )
  app.get('/licences.txt', (context) =>
    file(context, context.get('site') === 'wallet' ? walletFiles : modalFiles, 'licences.txt', {
      'Cache-Control': revalidate,
    }),
  )

  app.get('/sdk', only('wallet'), pages.wallet.frame)
  app.get('/window', only('wallet'), pages.wallet.window)
  for (const path of ['/auth/*', '/wallet', '/wallet/*', '/.well-known/*']) app.use(path, only('wallet'))
  app.get('/page.css', (context) => file(context, staticFiles, 'page.css', shownAnywhere))
  for (const name of ['device.css', 'social.css', 'social.js']) {
    app.get(`/${name}`, only('wallet'), (context) => file(context, staticFiles, name, { 'Cache-Control': revalidate }))
  }
  const { sessions, limits } = dependencies.auth
  const takeCall = (context: Context, projectId: string) => {
    // One bucket per route, so that a flood of one route does not block callers behind the same address from the
    // others.
    const caller = callerKey(projectId, dependencies.clientAddress(context))
    const taken = dependencies.rpcLimit.take(`${context.req.path} ${caller}`, 1)
    if (!taken.ok) throw walletFailure('TOO_MANY_ATTEMPTS', taken.retryAfter)
  }
  const authOptions = { ...dependencies, sessions, limits, pageLimit: dependencies.rpcLimit, takeCall }
  app.route('/', openAuthRoutes(authOptions))
  app.route('/', openSocialRoutes(authOptions))
  for (const path of ['/auth/*', '/wallet', '/wallet/*']) {
    app.use(path, requireOwnOrigin(walletOrigin), requireProject(dependencies.projects, [walletOrigin]))
    app.use(path, async (context, next) => {
      if (context.req.path !== walletApi.emailVerify.path) takeCall(context, context.get('project').id)
      return next()
    })
  }
  app.route('/', authRoutes(authOptions))
  app.route('/', socialRoutes(authOptions))
  app.route('/', farcasterRoutes(authOptions))
  app.route('/', walletRoutes({ wallets: dependencies.wallets, sessions, requireSession: requireSession(sessions) }))

  const chains = { ...dependencies, rpcLimit: withProjectLimit(dependencies.rpcLimit, dependencies.projectLimit) }
  // Before the other `/v1` routes, which add CORS for any allowed page.
  app.use(`${siwxBase}/*`, only('modal'))
  app.route('/', siwxRoutes({ ...chains, limits }))

  app.use('/v1/*', bySite({ wallet: requireOwnOrigin(walletOrigin), modal: readableByPages }))
  app.use(
    '/v1/*',
    bySite({
      wallet: requireProject(dependencies.projects, [walletOrigin]),
      modal: requireProject(dependencies.projects, [modalOrigin]),
    }),
  )
  app.route('/', rpcRoutes(chains))
  app.route('/', esploraRoutes(chains))
  const { hasTokenImage } = dependencies.directory
  for (const routes of blockchainRoutes({ ...chains, limits, hasTokenImage })) app.route('/', routes)
  for (const path of ['/v1/bundler', '/v1/paymaster']) app.use(path, only('wallet'))
  app.route('/', bundlerRoutes(chains))

  app.use(only('modal'))
  app.get('/', pages.modal)
  app.get(donePagePath, renderDonePage)
  app.get('/onramp.js', (context) => file(context, staticFiles, 'onramp.js', { 'Cache-Control': revalidate }))
  app.get('/refusal.js', (context) => file(context, staticFiles, 'refusal.js', shownAnywhere))
  // The script tag's file and the chunks that it loads, such as `postern-modal.js`.
  app.get('/:name{postern(?:-[a-z0-9]+)*\\.js}', (context) =>
    file(context, sdkFiles, context.req.param('name'), {
      'Cache-Control': revalidate,
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    }),
  )
  const openApi = createOpenApi({ modal: modalOrigin, wallet: walletOrigin }, dependencies.version)
  app.get('/openapi.json', (context) =>
    context.json(openApi, 200, { 'Cache-Control': revalidate, 'Access-Control-Allow-Origin': '*' }),
  )

  for (const path of ['/getWallets', '/getAnalyticsConfig', '/e', '/projects/*', '/appkit/*']) {
    app.use(path, readableByPages)
    app.use(path, requireProject(dependencies.projects, [modalOrigin]))
  }
  app.route('/', projectRoutes())
  app.route('/', analyticsRoutes(dependencies))
  app.route('/', dependencies.directory.routes)
  return app
}

function only(site: Site) {
  return async (context: Context<Env>, next: () => Promise<void>) => {
    if (context.get('site') !== site) return context.notFound()
    return next()
  }
}

/** Applies each site's own caller check. */
function bySite({ wallet, modal }: Readonly<Record<'wallet' | 'modal', MiddlewareHandler>>) {
  return (context: Context<Env>, next: () => Promise<void>) =>
    (context.get('site') === 'wallet' ? wallet : modal)(context, next)
}

async function file(
  context: Context,
  files: Files,
  name: string,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const found = await files.read(name)
  return found === null ? context.notFound() : sendFile(context, found, headers)
}

/** The matched pattern, such as `/getWalletImage/:id`, or `*`. */
function routeOf(context: Context): string {
  return matchedRoutes(context).findLast(({ method }) => method !== METHOD_NAME_ALL)?.path ?? '*'
}

function isPage(context: Context): boolean {
  return context.res.headers.has('Content-Security-Policy')
}

function setMissing(context: Context, headers: Readonly<Record<string, string>>): void {
  // `context.header` would copy the response and its body stream for each header.
  const present = context.res.headers
  for (const [name, value] of Object.entries(headers)) {
    if (!present.has(name)) present.set(name, value)
  }
}
