import { Refusal } from './http'

/** `HttpOnly`, for this host only and all its paths. */
export type CookieOptions = {
  /** Default: `__Host-siwx`, which no subdomain can set; `siwx` if not `secure`. */
  readonly name?: string | undefined
  /** Default: true. False: for development over HTTP. */
  readonly secure?: boolean | undefined
  /** Default: `Lax`. `None`, for a page on another site, requires `secure`. */
  readonly sameSite?: 'Strict' | 'Lax' | 'None' | undefined
}

export type Cookie = { readonly name: string; readonly attributes: string }

/** Bytes with name and attributes (RFC 6265, 6.1). */
export const maxCookieLength = 4096

/** @throws {TypeError} for what browsers would drop */
export function cookieOf(options: CookieOptions): Cookie {
  const { secure = true, sameSite = 'Lax' } = options
  const name = options.name ?? (secure ? '__Host-siwx' : 'siwx')
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)) throw new TypeError('Not a cookie name')
  if (!secure && sameSite === 'None') throw new TypeError('A cookie for other sites must be secure')
  if (!secure && /^__(host|secure)-/i.test(name)) throw new TypeError('A cookie of this name must be secure')
  return { name, attributes: `Path=/; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}` }
}

/** @param expiresAt epoch ms */
export function setCookie({ name, attributes }: Cookie, token: string, expiresAt: number, now: number): string {
  return `${name}=${token}; Max-Age=${Math.max(0, Math.floor((expiresAt - now) / 1000))}; ${attributes}`
}

export const clearCookie = ({ name, attributes }: Cookie): string => `${name}=; Max-Age=0; ${attributes}`

export function tokenOf(request: Request, cookie: Cookie | null): string | null {
  const [, bearer] = /^Bearer +([\w.~+/-]+=*)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  if (bearer !== undefined) return bearer
  if (cookie === null) return null
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const [, name, value = ''] = cookiePair.exec(pair) ?? []
    if (name === cookie.name) return value
  }
  return null
}

/** RFC 6265, 5.2: strips only spaces and tabs. Before other white space, browsers let a sibling host set `__Host-`. */
const cookiePair = /^[\t ]*([^\t =]+)[\t ]*=[\t ]*([^\t ]*)/

export const notSignedIn = (): Refusal => new Refusal(401, 'NOT_SIGNED_IN', 'No user is signed in')
