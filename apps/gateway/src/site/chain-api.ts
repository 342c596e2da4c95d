import type { Hono } from 'hono'
import { offerNonce } from '../accounts/sessions/dpop'
import { requireSession } from '../accounts/sessions/sessions'
import { siwxBase } from '../accounts/siwx/operations'
import { siwxRoutes } from '../accounts/siwx/routes'
import { blockchainRoutes } from '../chains/blockchain/blockchain'
import { bundlerOperations, bundlerRoutes } from '../chains/bundler/routes'
import { esploraRoutes } from '../chains/esplora/routes'
import { rpcRoutes } from '../chains/rpc/routes'
import { requireOwnOrigin } from '../platform/http/same-origin'
import { readableByPages, requireProject } from '../projects/caller'
import type { Dependencies } from './dependencies'
import { bySite, only, type SiteEnv } from './site'

export function serveChainApi(app: Hono<SiteEnv>, dependencies: Dependencies): void {
  const { platform, accounts, site } = dependencies
  const { modalOrigin, walletOrigin } = platform
  const { projects } = dependencies.projects
  const { auth } = accounts
  const options = {
    ...platform,
    ...dependencies.projects,
    ...dependencies.chains,
    limits: auth.limits,
  }
  // Before the other `/v1` routes, which add CORS for any allowed page.
  app.use(`${siwxBase}/*`, only('modal'))
  app.route('/', siwxRoutes({ ...options, ...accounts }))

  app.use('/v1/*', bySite({ wallet: requireOwnOrigin(walletOrigin), modal: readableByPages }))
  app.use(
    '/v1/*',
    bySite({
      wallet: requireProject(projects, [walletOrigin]),
      modal: requireProject(projects, [modalOrigin]),
    }),
  )
  app.route('/', rpcRoutes(options))
  app.route('/', esploraRoutes(options))
  const { hasTokenImage } = site.directory
  for (const routes of blockchainRoutes({ ...options, hasTokenImage })) app.route('/', routes)
  for (const { path } of bundlerOperations) app.use(path, only('wallet'), offerNonce(auth.proofs))
  app.route('/', bundlerRoutes({ ...options, ...accounts, requireSession: requireSession(auth) }))
}
