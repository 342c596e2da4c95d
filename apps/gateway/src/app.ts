/**
 * The whole HTTP surface as a pure function of its dependencies. Two sites share the process, by host name; other hosts
 * get only `/health` and `/ready`, for load balancers.
 */
import type { NetworkDefinition } from '@postern/protocol'
import { type Context, Hono } from 'hono'
import { describeMoney, describeRouters, describeTokens } from './chains/blockchain/money'
import { scriptHeaders } from './platform/html/headers'
import { immutable, revalidate } from './platform/html/send-file'
import { problem } from './platform/http/problem'
import { serveChainApi } from './site/chain-api'
import type { Dependencies } from './site/dependencies'
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
  // In this order: each serves what those before it left.
  traceRequests(app)
  logRequests(app, dependencies)
  answerErrors(app, dependencies)
  serveHealth(app, dependencies)
  refuseUnknownHosts(app)
  serveSharedFiles(app, dependencies)
  serveSecurityTxt(app, dependencies)
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

function pagesOf(dependencies: Dependencies): ReturnType<typeof createPages> {
  const { production, modalOrigin, walletOrigin, modalFiles, walletFiles } = dependencies
  return createPages({
    production,
    modalOrigin,
    walletOrigin,
    projects: dependencies.projects,
    modalFiles,
    walletFiles,
    networks: dependencies.networks.flatMap(({ definition }): NetworkDefinition[] => (definition ? [definition] : [])),
    directory: dependencies.directory,
    relayUrl: dependencies.relayUrl,
    trustsLoopback: dependencies.trustsLoopback,
    gatewayVersion: dependencies.version,
    accountAbstraction: dependencies.accountAbstraction,
    money: describeMoney(dependencies.blockchain, dependencies.networks),
    swapRouters: describeRouters(dependencies.blockchain, dependencies.networks),
    tokens: describeTokens(dependencies.blockchain, dependencies.networks),
    signInMethodsOf: (projectId) => ({
      email: dependencies.auth.email !== null,
      socials: [...dependencies.providersOf(projectId).keys()],
      farcaster: dependencies.farcaster !== null,
    }),
  })
}

function serveSharedFiles(
  app: Hono<SiteEnv>,
  { modalFiles, walletFiles, staticFiles }: Pick<Dependencies, 'modalFiles' | 'walletFiles' | 'staticFiles'>,
): void {
  const filesOf = (context: Context<SiteEnv>) => (context.get('site') === 'wallet' ? walletFiles : modalFiles)
  // Each site's own build; every name has a hash.
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
