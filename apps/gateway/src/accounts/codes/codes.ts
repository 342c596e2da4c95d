/**
 * Six-digit codes sent by email.
 *
 * 1. Only the newest code of a scope is valid; an older one is CODE_SPENT.
 * 2. A code works once, for ten minutes.
 * 3. A code has five tries, including the correct one, even if they are concurrent.
 * 4. The table has only a keyed hash of scope and digits.
 */
import { randomInt } from 'node:crypto'
import { limits as protocolLimits } from '@postern/protocol'
import { desc, eq, lt, sql } from 'drizzle-orm'
import type { Orm } from '../../platform/db/open'
import { codes } from '../../platform/db/schema'
import { sweepRows } from '../../platform/db/sweep'
import type { Taking } from '../../platform/limits/limiter'
import type { PostgresLimiter } from '../../platform/limits/postgres'

const tries = 5
/** Until the next email, in s. */
const untilNextMail = 30
/** Old codes are CODE_SPENT for this long, in ms. */
const remembered = 60 * 60_000

export type CodeFailure = 'WRONG_CODE' | 'CODE_EXPIRED' | 'CODE_SPENT' | 'TOO_MANY_ATTEMPTS'
export type CodeResult =
  | { readonly ok: true }
  | {
      readonly ok: false
      readonly failure: CodeFailure
      /** In s. */
      readonly retryAfter?: number
      /** After WRONG_CODE. */
      readonly triesLeft?: number
    }

type CodeRow = typeof codes.$inferSelect

export type IssuedCode = {
  readonly digits: string
  /** The previous code becomes valid again. */
  withdraw(): Promise<void>
}

export type TryTakings = {
  /** Even for an invalid code. */
  readonly always?: readonly Taking[]
  readonly whileValid?: readonly Taking[]
}

export type Codes = {
  /** @param scope purpose and owner, in ids and hashes. */
  issue(scope: string): Promise<IssuedCode>
  verify(scope: string, digits: string, takings?: TryTakings): Promise<CodeResult>
  forget(scope: string): Promise<void>
  sweep(): Promise<void>
}

export function createCodes(options: {
  readonly orm: Orm
  readonly hash: (text: string) => string
  readonly limits: Pick<PostgresLimiter, 'take'>
  /** Epoch milliseconds. */
  readonly now: () => number
}): Codes {
  const { orm, hash, limits, now } = options
  const hashOf = (scope: string, digits: string) => hash(`code ${scope} ${digits}`)

  return {
    async issue(scope) {
      const digits = String(randomInt(1_000_000)).padStart(6, '0')
      const [row] = await orm
        .insert(codes)
        .values({
          scope,
          codeHash: hashOf(scope, digits),
          expiresAt: new Date(now() + protocolLimits.emailCodeLifetimeMs),
        })
        .returning({ id: codes.id })
      return {
        digits,
        async withdraw() {
          if (row !== undefined) await orm.delete(codes).where(eq(codes.id, row.id))
        },
      }
    },

    verify: (scope, digits, { always = [], whileValid = [] } = {}) =>
      orm.transaction(async (transaction): Promise<CodeResult> => {
        // Concurrent tries wait here.
        const rows = await transaction
          .select()
          .from(codes)
          .where(eq(codes.scope, scope))
          .orderBy(desc(codes.id))
          .for('update')
        const [newest, ...older] = rows
        const code = validOf(newest)
        const isValid = 'codeHash' in code
        const taken = await limits.take(isValid ? [...always, ...whileValid] : always, transaction)
        if (!taken.ok) return failed('TOO_MANY_ATTEMPTS', taken.retryAfter)
        if (!isValid) return code
        const attemptHash = hashOf(scope, digits)
        const right = code.codeHash === attemptHash
        await transaction
          .update(codes)
          .set({ tries: sql`${codes.tries} + 1`, ...(right && { usedAt: new Date(now()) }) })
          .where(eq(codes.id, code.id))
        if (right) return { ok: true }
        if (older.some(({ codeHash }) => codeHash === attemptHash)) return failed('CODE_SPENT')
        return { ok: false, failure: 'WRONG_CODE', triesLeft: tries - code.tries - 1 }
      }),

    async forget(scope) {
      await orm.delete(codes).where(eq(codes.scope, scope))
    },

    async sweep() {
      await sweepRows(orm, codes, lt(codes.expiresAt, new Date(now() - remembered)))
    },
  }

  function validOf(code: CodeRow | undefined): CodeRow | CodeResult {
    if (code === undefined) return failed('CODE_EXPIRED')
    if (code.usedAt !== null) return failed('CODE_SPENT')
    if (code.expiresAt.getTime() <= now()) return failed('CODE_EXPIRED')
    return code.tries >= tries ? failed('TOO_MANY_ATTEMPTS', untilNextMail) : code
  }
}

function failed(failure: CodeFailure, retryAfter?: number): CodeResult {
  return { ok: false, failure, ...(retryAfter !== undefined && { retryAfter }) }
}
