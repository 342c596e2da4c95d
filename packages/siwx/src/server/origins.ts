import { Refusal } from './http'

/** As browsers write them: `https://example.com`, `http://localhost:3000`. */
export type AllowedOrigins = readonly string[] | ((origin: string) => boolean)

/**
 * Returns the origin of the requesting page; null for a read without Origin header.
 * Browsers add `Origin` to all but a plain GET of the same site. `null` (a sandboxed or local page) is never allowed.
 * @throws {Refusal} 403
 */
export function askingOrigin(request: Request, allowed: AllowedOrigins): string | null {
  const origin = request.headers.get('origin')
  const changes = request.method !== 'GET' && request.method !== 'HEAD'
  if (origin === null && !changes) return null
  if (origin === null || !URL.canParse(origin) || !isAllowed(origin, allowed))
    throw new Refusal(403, 'ORIGIN_NOT_ALLOWED', 'This page may not sign users in here')
  return origin
}

function isAllowed(origin: string, allowed: AllowedOrigins): boolean {
  return typeof allowed === 'function' ? allowed(origin) : allowed.includes(origin)
}

/** @throws {TypeError} for what no browser sends: a path, a trailing slash, the default port */
export function checkOrigins(allowed: AllowedOrigins): void {
  if (typeof allowed === 'function') return
  for (const origin of allowed)
    if (!URL.canParse(origin) || (/^https?:/i.test(origin) && new URL(origin).origin !== origin))
      throw new TypeError('An origin looks like https://example.com')
}

/** Fetch, 3.2. Other origins get no headers, so browsers withhold the response. */
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
