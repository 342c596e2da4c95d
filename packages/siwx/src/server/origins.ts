import { Refusal } from './http'

/** Pages that may speak to the handler, as browsers write them: `https://example.com`, `http://localhost:3000`. */
export type AllowedOrigins = readonly string[] | ((origin: string) => boolean)

/**
 * The origin of the page that asks, where it may.
 *
 * A browser adds `Origin` to every request that is not a plain GET of the page's own site, and a page cannot forge it. So a request that
 * changes something has to carry one that is allowed. `null` (a sandboxed or local page) and what is no URL never is.
 *
 * @returns null for a request that changes nothing and says nothing of its origin
 * @throws {Refusal} 403
 */
export function askingOrigin(request: Request, allowed: AllowedOrigins): string | null {
  const origin = request.headers.get('origin')
  const changes = request.method !== 'GET' && request.method !== 'HEAD'
  if (origin === null && !changes) return null
  if (origin === null || !URL.canParse(origin) || !isAllowed(origin, allowed))
    throw new Refusal(403, 'ORIGIN_NOT_ALLOWED', 'This page may not sign anybody in here')
  return origin
}

function isAllowed(origin: string, allowed: AllowedOrigins): boolean {
  return typeof allowed === 'function' ? allowed(origin) : allowed.includes(origin)
}

/** @throws {TypeError} for what no browser would ever send: a path, a slash at the end, a port that is the scheme's own */
export function checkOrigins(allowed: AllowedOrigins): void {
  if (typeof allowed === 'function') return
  for (const origin of allowed)
    if (!URL.canParse(origin) || (/^https?:/i.test(origin) && new URL(origin).origin !== origin))
      throw new TypeError('An origin looks like https://example.com')
}

/** CORS (Fetch, 3.2) for a page whose origin is allowed; for others nothing, so that their browser keeps the answer from them. */
export function corsHeaders(origin: string | null, withCookies: boolean): Record<string, string> {
  return {
    vary: 'Origin',
    ...(origin !== null && { 'access-control-allow-origin': origin }),
    ...(origin !== null && withCookies && { 'access-control-allow-credentials': 'true' }),
  }
}

export const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'authorization, content-type',
  'access-control-max-age': '600',
}
