import { DrizzleQueryError } from 'drizzle-orm'

/**
 * SQLSTATEs that an operator resolves: connection, resources (53100: disk full), restart, system; 25006: read-only after a
 * failover.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const states = /^(?:08|53|58)[0-9A-Z]{3}$|^57P[0-9A-Z]{2}$|^25006$/
const sockets: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])
/** `pg` throws these without a code. */
const messages = /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout)/

/** Why the database cannot serve a query now, such as `53100`; null for other errors. */
export function databaseFault(error: unknown): string | null {
  if (!(error instanceof DrizzleQueryError)) return null
  for (let cause: unknown = error.cause; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause ? String(cause.code) : ''
    if (states.test(code) || sockets.has(code)) return code
    if (messages.test(cause.message)) return 'connection'
  }
  return null
}
