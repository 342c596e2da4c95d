/**
 * Who may call the wallet site: its own pages.
 *
 * 1. A browser's call has the wallet's origin in `Origin`, or none and `Sec-Fetch-Site` says that it is same-origin (or the address bar).
 * 2. Every other browser's call is 403 'Unauthorized: origin not allowed', whatever the project allows: dapps and the modal have no business here.
 * 3. A caller that is no browser sends neither header and is let in: sessions and rate limits bind it.
 * 4. No answer can be read across origins, and none is stored.
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

/** @param site `Sec-Fetch-Site`: same-origin, same-site, cross-site or none (typed into the address bar). */
export function isOwn(origin: string | undefined, site: string | undefined, walletOrigin: string): boolean {
  if (origin !== undefined) return origin === walletOrigin && (site === undefined || site === 'same-origin')
  return site === undefined || site === 'same-origin' || site === 'none'
}
