/**
 * Who calls the admin API.
 *
 * 1. The token comes in `Authorization: Bearer`, and from nowhere else: no page of another site can send it.
 * 2. All tokens are compared in constant time, by their hashes.
 * 3. Wrong tokens are limited by network address. A right one always passes: with 32 characters and more it cannot be
 *    guessed, and a flood of wrong ones must not lock the operator out.
 * 4. A viewer cannot change anything: 403.
 * 5. A page of another origin is refused even with a token, and there is no CORS.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { problem } from '../http/problem'
import { type RateLimit, takeOrThrow } from '../http/rate-limit'
import type { Log } from '../log'
import type { OperatorToken, Role } from './config'

export type Operator = { readonly name: string; readonly role: Role }
export type OperatorEnv = { Variables: { operator: Operator } }

export function requireOperator(options: {
  readonly operators: readonly OperatorToken[]
  readonly failures: RateLimit
  readonly clientAddress: (context: Context) => string
  readonly log: Pick<Log, 'warn'>
}): MiddlewareHandler<OperatorEnv> {
  const known = options.operators.map(({ name, role, token }) => ({ name, role, hash: hashOf(token) }))
  return async (context, next) => {
    if (!isOwnPage(context)) throw problem(403, 'origin', 'Call the admin API from its own origin')
    const token = /^Bearer ([\x21-\x7e]{1,512})$/.exec(context.req.header('Authorization') ?? '')?.[1]
    const hash = hashOf(token ?? '')
    // No early end: the time must not tell which token was close.
    const found = known.filter((operator) => timingSafeEqual(operator.hash, hash))[0]
    if (token === undefined || found === undefined) {
      takeOrThrow(options.failures, options.clientAddress(context), 1)
      if (token !== undefined) options.log.warn('a wrong token at the admin API')
      throw problem(401, 'token', 'A valid token is required', { 'WWW-Authenticate': 'Bearer' })
    }
    context.set('operator', { name: found.name, role: found.role })
    return next()
  }
}

export function requireRole({ role }: Operator, required: Role): void {
  if (required === 'admin' && role !== 'admin') throw problem(403, 'role', 'Only an admin may change this')
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
