import type { Hono } from 'hono'
import { offerNonce } from '../accounts/sessions/dpop'
import { requireSession } from '../accounts/sessions/sessions'
import { siwxBase, siwxRoutes } from '../accounts/siwx/routes'
import { blockchainRoutes } from '../chains/blockchain/blockchain'
import { bundlerRoutes } from '../chains/bundler/routes'
import { esploraRoutes } from '../chains/esplora/routes'
import { rpcRoutes } from '../chains/rpc/routes'
import { requireOwnOrigin } from '../platform/http/same-origin'
import { withProjectLimit } from '../platform/limits/rate-limit'
import { readableByPages, requireProject } from '../projects/caller'
import type { Dependencies } from './dependencies'
import { bySite, only, type SiteEnv } from './site'

/** `/v1`: sign-in with wallet, and the chains. */
export function serveChainApi(app: Hono<SiteEnv>, dependencies: Dependencies): void {
  const { modalOrigin, walletOrigin } = dependencies
  const { limits } = dependencies.auth
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
  const { auth } = dependencies
  for (const path of ['/v1/bundler', '/v1/paymaster']) app.use(path, only('wallet'), offerNonce(auth.proofs))
  app.route('/', bundlerRoutes({ ...chains, limits, requireSession: requireSession(auth) }))
}
