/**
 * The whole HTTP surface as one pure function of its dependencies: `main.ts` gives it the real ones, tests their own.
 * Two sites share the process and are told apart by host name; a request for any other host gets nothing but `/health` and
 * `/ready`, which load balancers ask by address.
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
  /** Milliseconds that only grow, for durations. */
  readonly clock: () => number
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly database: Pick<Database, 'ping' | 'orm'>
  readonly projects: ProjectStore
  readonly auth: Auth
  readonly wallets: WalletStore
  /** Sign-ins with a wallet. */
  readonly signIns: SignIns
  /** Absent: as `siwx/routes.ts` counts them. */
  readonly siwxQuestions?: SiwxRoutesOptions['siwxQuestions']
  /** Sign-ins by a social or by Farcaster that are under way. */
  readonly flows: Flows
  /** The socials that have credentials. */
  readonly providers: ReadonlyMap<SocialProvider, Provider>
  /** Null where it is not offered. */
  readonly farcaster: Farcaster | null
  readonly accountAbstraction: AccountAbstraction
  /** Aborts when the process is asked to stop. */
  readonly stopping: AbortSignal
  /** How long a waiting call waits, and how often it looks; absent: as the routes say. Milliseconds. */
  readonly waiting?: { readonly timeout: number; readonly interval: number }
  readonly directory: {
    /** `/getWallets`, `/getWalletImage/:id` and `/public/…`. */
    readonly routes: Hono
    readonly recommended: readonly WalletEntry[]
    readonly count: number
    readonly hasTokenImage: (symbol: string) => boolean
  }
  readonly networks: readonly GatewayNetwork[]
  readonly relayUrl: string
  readonly upstreams: Upstreams
  readonly esplora: Esplora
  /** Where balances, prices and names come from. */
  readonly blockchain: BlockchainConfig
  /** Takes what visitors do. */
  readonly analytics: Pick<Analytics, 'take'>
  readonly fetch: typeof globalThis.fetch
  /** What strangers name (pictures of collectibles and names) is fetched by it alone. */
  readonly fetchPublic: PublicFetch
  readonly fetchForNames: PublicFetch
  readonly rpcLimit: RateLimit
  /** What all callers of a project may ask of the chains together, by the project's id. */
  readonly projectLimit: RateLimit
  /** Who is at the other end, for rate limits. */
  readonly clientAddress: (context: Context) => string
  /** The whole address of who is at the other end, for whoever sells to them. */
  readonly clientIp: (context: Context) => string
  readonly modalFiles: Files
  readonly walletFiles: Files
  readonly sdkFiles: Files
  readonly staticFiles: Files
}

/** Parts of the refusal, which a page of another site frames. */
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
    // The route, not the path: paths hold addresses and queries hold more.
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

  app.get('/sdk', only('wallet'), pages.wallet.frame)
  app.get('/window', only('wallet'), pages.wallet.window)
  for (const path of ['/auth/*', '/wallet', '/wallet/*', '/.well-known/*']) app.use(path, only('wallet'))
  app.get('/page.css', (context) => file(context, staticFiles, 'page.css', shownAnywhere))
  for (const name of ['device.css', 'social.css', 'social.js']) {
    app.get(`/${name}`, only('wallet'), (context) => file(context, staticFiles, name, { 'Cache-Control': revalidate }))
  }
  const { sessions, limits } = dependencies.auth
  const takeCall = (context: Context, projectId: string) => {
    // Each call has a bucket of its own: whoever tries one as fast as the network carries it keeps nobody behind the same address from the rest.
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
  // Before the rest of `/v1`, whose answers any page may read that can ask.
  app.use(`${siwxBase}/*`, only('modal'))
  app.route('/', siwxRoutes({ ...chains, limits }))

  // The chains, for both sites: each site's own callers.
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
  // The script tag's file, and what it loads when it is needed: `postern-modal.js` and its like.
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

/** What is here for one of the two sites does not exist on the other. */
function only(site: Site) {
  return async (context: Context<Env>, next: () => Promise<void>) => {
    if (context.get('site') !== site) return context.notFound()
    return next()
  }
}

/** What both sites serve, each to its own callers. */
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

/** The pattern that answered, `/getWalletImage/:id`; `*` where none did. */
function routeOf(context: Context): string {
  return matchedRoutes(context).findLast(({ method }) => method !== METHOD_NAME_ALL)?.path ?? '*'
}

function isPage(context: Context): boolean {
  return context.res.headers.has('Content-Security-Policy')
}

function setMissing(context: Context, headers: Readonly<Record<string, string>>): void {
  // Straight into the answer: `context.header` makes another answer for each of them, and a stream of its body.
  const present = context.res.headers
  for (const [name, value] of Object.entries(headers)) {
    if (!present.has(name)) present.set(name, value)
  }
}
