/**
 * Authenticates callers of the admin API.
 *
 * 1. The token comes in `Authorization: Bearer` alone: no page of another site can send it.
 * 2. All tokens are compared in constant time, by their hashes.
 * 3. Wrong tokens are limited by network address. A right one always passes: 32 characters cannot be guessed, and a
 *    flood of wrong ones must not lock the operator out.
 * 4. A viewer cannot change anything: 403.
 * 5. A page of another origin is refused even with a token, and there is no CORS.
 * 6. Tokens of sessions (`oidc/sessions.ts`) are valid too.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { problem } from '../../platform/http/problem'
import { type Limiter, type Rate, type Taken, takenOrThrow } from '../../platform/limits/limiter'
import type { Log } from '../../platform/log/log'
import { callerTakings } from '../../projects/caller-limit'
import type { OperatorToken } from './config'
import type { OidcSessions } from './oidc/sessions'
import type { Operator, Role } from './role'

/** By network address: ten at once, then ten a minute. */
const failedTokens: Rate = { name: 'wrong tokens', burst: 10, every: 6_000 }

export type OperatorEnv = { Variables: { operator: Operator } }

export function requireOperator(options: {
  readonly operators: readonly OperatorToken[]
  /** Null: no sessions. */
  readonly sessions: Pick<OidcSessions, 'find'> | null
  readonly limiter: Limiter<Taken>
  readonly clientAddress: (context: Context) => string
  readonly log: Pick<Log, 'warn'>
}): MiddlewareHandler<OperatorEnv> {
  const tokens = options.operators.map(({ name, role, token }) => ({
    operator: { name, role, sessionId: null },
    hash: hashOf(token),
  }))
  return async (context, next) => {
    const token = /^Bearer ([\x21-\x7e]{1,512})$/.exec(context.req.header('Authorization') ?? '')?.[1]
    const hash = hashOf(token ?? '')
    // No early end: the time must not tell which token was close.
    const known = tokens.filter((each) => timingSafeEqual(each.hash, hash))[0]
    const operator = token === undefined ? null : (known?.operator ?? (await options.sessions?.find(token)) ?? null)
    if (operator === null) {
      takenOrThrow(options.limiter.take(callerTakings(failedTokens, options.clientAddress(context))))
      if (token !== undefined) options.log.warn('a wrong token at the admin API')
      throw problem(401, 'token', 'A valid token is required', { 'WWW-Authenticate': 'Bearer' })
    }
    context.set('operator', operator)
    return next()
  }
}

export const requireOwnPage: MiddlewareHandler = async (context, next) => {
  if (!isOwnPage(context)) throw problem(403, 'origin', 'Call the admin API from its own origin')
  return next()
}

export function requireRole({ role }: Operator, required: Role): void {
  if (required === 'admin' && role !== 'admin') throw problem(403, 'role', 'Only an admin may change this')
}

/**
 * Refuses other hosts than the console's and this machine's: with DNS rebinding, a foreign page would pass as the
 * console's own.
 *
 * @param origin of the console.
 */
export function requireOwnHost(origin: string): MiddlewareHandler {
  const own = new URL(origin).host
  return async ({ req }, next) => {
    const host = req.header('Host') ?? new URL(req.url).host
    const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : ''
    if (host !== own && !/^(?:(?:.+\.)?localhost|127\.0\.0\.1|\[::1\])$/.test(name))
      throw problem(421, 'host', 'Open the console at POSTERN_ADMIN_ORIGIN, and let the proxy pass on the Host header')
    return next()
  }
}

/** A script, a terminal, or a page that this port served. */
function isOwnPage({ req }: Context): boolean {
  const origin = req.header('Origin')
  const site = req.header('Sec-Fetch-Site')
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === req.header('Host'))
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
