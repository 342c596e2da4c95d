import { walletApi } from '@postern/protocol'
import type { Context, Hono, MiddlewareHandler } from 'hono'
import { farcasterRoutes } from '../accounts/farcaster/routes'
import { authRoutes, openAuthRoutes, requesterIn } from '../accounts/routes'
import { offerNonce } from '../accounts/sessions/dpop'
import { requireSession } from '../accounts/sessions/sessions'
import { createRecoveries } from '../accounts/shares/recoveries'
import { walletRoutes } from '../accounts/shares/routes'
import { openSocialRoutes, socialRoutes } from '../accounts/social/routes'
import { revalidate } from '../platform/html/send-file'
import { requireOwnOrigin } from '../platform/http/same-origin'
import { walletFailure } from '../platform/http/wallet-calls'
import { requireProject } from '../projects/caller'
import { callerTakings } from '../projects/caller-limit'
import type { ProjectStore } from '../projects/store'
import type { Dependencies } from './dependencies'
import { networkImage } from './directory/routes'
import { only, type SiteEnv, serveFile } from './site'

const callPaths: ReadonlySet<string> = new Set(Object.values(walletApi).map(({ path }) => path))

export function serveWalletSite(
  app: Hono<SiteEnv>,
  dependencies: Dependencies,
  pages: { readonly frame: MiddlewareHandler; readonly window: MiddlewareHandler },
): void {
  const { platform, accounts, site } = dependencies
  const { walletOrigin, limiter, callRates } = platform
  const { projects } = dependencies.projects
  const { auth, wallets } = accounts
  const { staticFiles } = site
  app.get('/sdk', only('wallet'), pages.frame)
  app.get('/window', only('wallet'), pages.window)
  for (const path of ['/auth/*', '/wallet', '/wallet/*', '/.well-known/*']) app.use(path, only('wallet'))
  for (const name of ['device.css', 'social.css', 'social.js']) {
    app.get(`/${name}`, only('wallet'), (context) =>
      serveFile(context, staticFiles, name, { 'Cache-Control': revalidate }),
    )
  }
  // Approvals show the network's picture.
  app.get(networkImage.path, (context, next) =>
    context.get('site') === 'wallet' ? site.directory.routes.fetch(context.req.raw) : next(),
  )
  const { sessions, proofs, signInLimits } = auth
  const takeCall = (context: Context, projectId: string) => {
    // A limit per call: a flood of one does not block the others behind the same address. Unknown paths share a limit:
    // a caller must not choose a limiter's keys.
    const { path } = context.req
    const call = callPaths.has(path) ? path : 'unknown'
    const keyOf = (network: string) => `${call} ${projectId} ${network}`
    const taken = limiter.take(callerTakings(callRates.caller, platform.clientAddress(context), keyOf))
    if (!taken.ok) throw walletFailure('TOO_MANY_ATTEMPTS', taken.retryAfter)
  }
  const authOptions = {
    ...platform,
    ...accounts,
    sessions,
    proofs,
    signInLimits,
    takePage: (page: 'email' | 'social', context: Context) =>
      limiter.take(
        callerTakings(callRates.caller, platform.clientAddress(context), (network) => `${page} page ${network}`),
      ),
    takeCall,
    removeShares: wallets.revoke,
    addressesOf: async (userId: string) => (await wallets.find({ userId, isPrevious: false }))?.addresses ?? null,
  }
  app.route('/', openAuthRoutes(authOptions))
  app.route('/', openSocialRoutes(authOptions))
  for (const path of ['/auth/*', '/wallet', '/wallet/*']) {
    app.use(path, requireOwnOrigin(walletOrigin), offerNonce(proofs))
    app.use(path, requireProject(projects, [walletOrigin]))
    app.use(path, async (context, next) => {
      if (context.req.path !== walletApi.emailVerify.path) takeCall(context, context.get('project').id)
      return next()
    })
  }
  app.route('/', authRoutes(authOptions))
  app.route('/', socialRoutes(authOptions))
  app.route('/', farcasterRoutes(authOptions))
  app.route(
    '/',
    walletRoutes({
      wallets,
      recoveries: createRecoveries(platform),
      ends: accounts.walletEnds,
      recoveryWait: (ids) => recoveryWait(projects, ids),
      async tellMailbox(context, session, opensAt) {
        const requester = requesterIn(context, platform, context.get('project'))
        await auth.email?.recovery(session, requester, opensAt)
      },
      showKey: auth.addressChanges.showKey,
      now: platform.now,
      sessions,
      requireSession: requireSession(auth),
    }),
  )
}

/** The longest: a thief must not choose a project without a waiting time. */
async function recoveryWait(projects: ProjectStore, ids: readonly string[]): Promise<number> {
  const found = await Promise.all(ids.map((id) => projects.find(id)))
  return Math.max(0, ...found.map((project) => project?.recoveryWaitHours ?? 0)) * 60 * 60_000
}
