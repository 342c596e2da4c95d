/** The files of the script tag: `postern.js` and the parts that it loads, such as `postern-modal.js`. */
import type { Context, Hono } from 'hono'
import * as z from 'zod'
import type { Files } from '../pages/files'
import { immutable, revalidate } from '../pages/send-file'
import { type SiteEnv, serveFile } from './site'

/** `dist/integrity.json` of `@postern/client`. */
const Build = z.object({ version: z.string() })

/** The version of a build that is not released: its files change. */
const unreleased = '0.0.0'

const names = 'postern(?:-[a-z0-9]+)*\\.js'

/**
 * 1. `/postern.js` is the newest build, revalidated on each request. It asks for its parts with `?v=<version>`.
 * 2. `/postern@<version>/…` never changes, so that a page can pin it with an `integrity` attribute.
 * 3. Earlier versions are in folders named for them (`<sdkDir>/1.2.3/postern.js`). A version that is not there is not found:
 *    another version's file would fail the check of its hash.
 */
export function serveScript(app: Hono<SiteEnv>, files: Files): void {
  const current = async () => {
    const file = await files.read('integrity.json')
    return file === null ? undefined : Build.parse(JSON.parse(file.body.toString())).version
  }

  async function serve(context: Context<SiteEnv>, name: string, version: string | undefined, caching: string) {
    const isCurrent = version === undefined || version === (await current())
    return serveFile(context, files, isCurrent ? name : `${version}/${name}`, {
      'Cache-Control': caching,
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    })
  }

  app.get(`/:name{${names}}`, (context) =>
    serve(context, context.req.param('name'), context.req.query('v'), revalidate),
  )
  app.get(`/:release{postern@[0-9][0-9A-Za-z.-]*}/:name{${names}|integrity\\.json}`, (context) => {
    const version = context.req.param('release').slice('postern@'.length)
    return serve(context, context.req.param('name'), version, version === unreleased ? revalidate : immutable)
  })
}
