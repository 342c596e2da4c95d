import type { Hono, MiddlewareHandler } from 'hono'
import { donePagePath, renderDonePage } from '../chains/blockchain/onramp/done-page'
import { revalidate } from '../platform/html/send-file'
import { serveOperation } from '../platform/http/operation'
import { readableByPages, requireProject } from '../projects/caller'
import { projectOperations, projectRoutes } from '../projects/routes'
import { analyticsOperations, analyticsRoutes } from './analytics/routes'
import type { Dependencies } from './dependencies'
import { directoryOperations } from './directory/routes'
import { createOpenApi, openApiDocument } from './openapi'
import { operations } from './operations'
import { serveScript } from './script'
import { only, type SiteEnv, serveFile, shownAnywhere } from './site'

/** The modal's page, the SDK's files and the API for pages. Later routes are the modal's alone. */
export function serveModalSite(app: Hono<SiteEnv>, dependencies: Dependencies, page: MiddlewareHandler): void {
  const { platform, site } = dependencies
  const { modalOrigin, walletOrigin } = platform
  const { staticFiles } = site
  app.use(only('modal'))
  app.get('/', page)
  app.get(donePagePath, renderDonePage)
  app.get('/onramp.js', (context) => serveFile(context, staticFiles, 'onramp.js', { 'Cache-Control': revalidate }))
  app.get('/refusal.js', (context) => serveFile(context, staticFiles, 'refusal.js', shownAnywhere))
  serveScript(app, site.sdkFiles)
  const openApi = createOpenApi(operations, { modal: modalOrigin, wallet: walletOrigin }, platform.version)
  serveOperation(app, openApiDocument, (context) =>
    context.json(openApi, 200, { 'Cache-Control': revalidate, 'Access-Control-Allow-Origin': '*' }),
  )

  for (const { path, caller } of [...projectOperations, ...analyticsOperations, ...directoryOperations]) {
    if (caller !== 'project') continue
    app.use(path, readableByPages)
    app.use(path, requireProject(dependencies.projects.projects, [modalOrigin]))
  }
  app.route('/', projectRoutes())
  app.route('/', analyticsRoutes({ ...platform, ...site }))
  app.route('/', site.directory.routes)
}
