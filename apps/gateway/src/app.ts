/** The whole HTTP surface. Two sites share the process by host name; other hosts get only `/health` and `/ready`. */
import type { NetworkDefinition } from '@postern/protocol'
import { type Context, Hono } from 'hono'
import { describeMoney, describeRouters, describeTokens } from './chains/blockchain/money'
import { scriptHeaders } from './platform/html/headers'
import { immutable, revalidate } from './platform/html/send-file'
import { problem } from './platform/http/problem'
import { serveChainApi } from './site/chain-api'
import type { Dependencies, Site } from './site/dependencies'
import { serveHealth } from './site/health'
import { serveModalSite } from './site/modal-site'
import { createPages } from './site/pages/modal'
import { answerErrors, logRequests } from './site/request-log'
import { traceRequests } from './site/request-traces'
import { serveSecurityTxt } from './site/security-txt'
import { type SiteEnv, serveFile, shownAnywhere } from './site/site'
import { serveWalletSite } from './site/wallet-site'

export function createApp(dependencies: Dependencies): Hono<SiteEnv> {
  const app = new Hono<SiteEnv>({ strict: false })
  const pages = pagesOf(dependencies)
  const { platform, site } = dependencies
  // Each serves what those before it left.
  traceRequests(app)
  logRequests(app, platform)
  answerErrors(app, platform)
  serveHealth(app, platform)
  refuseUnknownHosts(app)
  serveSharedFiles(app, site)
  serveSecurityTxt(app, site, platform.now)
  serveWalletSite(app, dependencies, pages.wallet)
  serveChainApi(app, dependencies)
  serveModalSite(app, dependencies, pages.modal)
  return app
}

function refuseUnknownHosts(app: Hono<SiteEnv>): void {
  app.use(async (context, next) => {
    if (context.get('site') === 'unknown') throw problem(421, 'host', 'This host name is not served here')
    return next()
  })
}

function pagesOf({ platform, projects, accounts, chains, site }: Dependencies): ReturnType<typeof createPages> {
  const { networks, blockchain } = chains
  return createPages({
    ...platform,
    ...projects,
    ...site,
    networks: networks.flatMap(({ definition }): NetworkDefinition[] => (definition ? [definition] : [])),
    gatewayVersion: platform.version,
    accountAbstraction: chains.accountAbstraction,
    money: describeMoney(blockchain, networks),
    swapRouters: describeRouters(blockchain, networks),
    tokens: describeTokens(blockchain, networks),
    signInMethodsOf: (projectId) => ({
      email: accounts.auth.email !== null,
      socials: [...accounts.providersOf(projectId).keys()],
      farcaster: accounts.farcaster !== null,
    }),
  })
}

function serveSharedFiles(app: Hono<SiteEnv>, { modalFiles, walletFiles, staticFiles }: Site): void {
  const filesOf = (context: Context<SiteEnv>) => (context.get('site') === 'wallet' ? walletFiles : modalFiles)
  // Each site's own build, with hashes in the names.
  app.get('/assets/*', (context) =>
    serveFile(context, filesOf(context), context.req.path.slice(1), {
      'Cache-Control': immutable,
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      ...(context.req.path.endsWith('.js') ? scriptHeaders : {}),
    }),
  )
  app.get('/licences.txt', (context) =>
    serveFile(context, filesOf(context), 'licences.txt', { 'Cache-Control': revalidate }),
  )
  app.get('/page.css', (context) => serveFile(context, staticFiles, 'page.css', shownAnywhere))
}
