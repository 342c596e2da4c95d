/** `GET /getWallets` and the pictures of interop §2. The app checks the callers. */
import { type Context, Hono } from 'hono'
import { parseOrThrow, problem } from '../../platform/http/problem'
import type { Icon } from '../../platform/images/icon'
import type { Directory } from './directory'
import { WalletQuery } from './query'

/** An image id always names the same picture. */
const forGood = 'public, max-age=31536000, immutable'
/** In s. Networks, tokens and currencies may change their picture with a release. */
const forADay = 'public, max-age=86400, stale-while-revalidate=604800'
const forFiveMinutes = 'public, max-age=300'

export function directoryRoutes(directory: Directory): Hono {
  const routes = new Hono()

  routes.get('/getWallets', (context) => {
    const query = parseOrThrow(WalletQuery, context.req.query())
    return context.json(directory.query(query), 200, { 'Cache-Control': forFiveMinutes })
  })
  routes.get('/getWalletImage/:id', (context) =>
    sendIcon(context, directory.walletImage(context.req.param('id')), forGood),
  )
  routes.get('/public/getAssetImage/:id', (context) =>
    sendIcon(context, directory.networkImage(context.req.param('id')), forADay),
  )
  routes.get('/public/getCurrencyImage/:code', (context) =>
    sendIcon(context, directory.currencyImage(context.req.param('code')), forADay),
  )
  routes.get('/public/getTokenImage/:symbol', (context) =>
    sendIcon(context, directory.tokenImage(context.req.param('symbol')), forADay),
  )
  return routes
}

function sendIcon(context: Context, icon: Icon | undefined, cacheControl: string): Response {
  if (icon === undefined) {
    throw problem(404, 'id', 'There is no such picture', { 'Cache-Control': forFiveMinutes })
  }
  const etag = `"${icon.hash}"`
  const headers = {
    'Cache-Control': cacheControl,
    ETag: etag,
    // If opened directly, it must not run scripts or load anything.
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }
  const known = context.req.header('If-None-Match')?.split(',') ?? []
  if (known.some((tag) => tag.trim().replace(/^W\//, '') === etag)) return context.body(null, 304, headers)
  return context.body(icon.bytes, 200, { ...headers, 'Content-Type': icon.type })
}
