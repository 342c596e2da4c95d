/** The directory and the pictures of interop §2. The app checks the callers. */

import { WalletPage } from '@postern/protocol'
import { type Context, Hono } from 'hono'
import { operation, serveOperation } from '../../platform/http/operation'
import { parseOrThrow, problem } from '../../platform/http/problem'
import type { Icon } from '../../platform/images/icon'
import type { Directory } from './directory'
import { WalletQuery } from './query'

/** An image id always names the same picture. */
const forGood = 'public, max-age=31536000, immutable'
/** Other pictures may change with a release. */
const forADay = 'public, max-age=86400, stale-while-revalidate=604800'
const forFiveMinutes = 'public, max-age=300'

const wallets = operation({
  method: 'get',
  path: '/getWallets',
  summary: 'Search the wallet directory',
  caller: 'project',
  query: WalletQuery,
  response: WalletPage,
})
const image = <const Path extends string>(path: Path, summary: string) =>
  operation({ method: 'get', path, summary, caller: 'anybody', response: 'image/*' })
const walletImage = image('/getWalletImage/:id', "A wallet's picture, by its image_id")
export const networkImage = image('/public/getAssetImage/:id', "A network's picture, by CAIP-2 id or image id")
const currencyImage = image('/public/getCurrencyImage/:code', "A currency's picture, by ISO 4217 code")
const tokenImage = image('/public/getTokenImage/:symbol', "A token's picture, by symbol")
export const directoryOperations = [wallets, walletImage, networkImage, currencyImage, tokenImage]

export function directoryRoutes(directory: Directory): Hono {
  const routes = new Hono()

  serveOperation(routes, wallets, (context) => {
    const query = parseOrThrow(WalletQuery, context.req.query())
    return context.json(directory.query(query), 200, { 'Cache-Control': forFiveMinutes })
  })
  serveOperation(routes, walletImage, (context) =>
    sendIcon(context, directory.walletImage(context.req.param('id')), forGood),
  )
  serveOperation(routes, networkImage, (context) =>
    sendIcon(context, directory.networkImage(context.req.param('id')), forADay),
  )
  serveOperation(routes, currencyImage, (context) =>
    sendIcon(context, directory.currencyImage(context.req.param('code')), forADay),
  )
  serveOperation(routes, tokenImage, (context) =>
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
    // Opened directly, it must not run or load anything.
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }
  const known = context.req.header('If-None-Match')?.split(',') ?? []
  if (known.some((tag) => tag.trim().replace(/^W\//, '') === etag)) return context.body(null, 304, headers)
  return context.body(icon.bytes, 200, { ...headers, 'Content-Type': icon.type })
}
