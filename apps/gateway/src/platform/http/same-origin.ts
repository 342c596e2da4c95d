/**
 * Restricts the wallet site to its own pages.
 *
 * 1. A browser's call has the wallet's origin in `Origin`, or no `Origin` and a `Sec-Fetch-Site` of same-origin or
 *    none.
 * 2. Any other browser's call is 403, whatever the project allows: dapps and the modal must not call this site.
 * 3. A caller without these headers is not a browser: sessions and rate limits restrict it.
 * 4. No response is readable across origins or stored.
 */
import type { MiddlewareHandler } from 'hono'
import { problem } from './problem'

export function requireOwnOrigin(walletOrigin: string): MiddlewareHandler {
  return async (context, next) => {
    context.header('Cache-Control', 'no-store')
    context.header('Cross-Origin-Resource-Policy', 'same-origin')
    const origin = context.req.header('Origin')
    const site = context.req.header('Sec-Fetch-Site')
    if (!isOwn(origin, site, walletOrigin)) throw problem(403, 'origin', 'Unauthorized: origin not allowed')
    return next()
  }
}

/** @param site `Sec-Fetch-Site`; none means the address bar. */
export function isOwn(origin: string | undefined, site: string | undefined, walletOrigin: string): boolean {
  if (origin !== undefined) return origin === walletOrigin && (site === undefined || site === 'same-origin')
  return site === undefined || site === 'same-origin' || site === 'none'
}
