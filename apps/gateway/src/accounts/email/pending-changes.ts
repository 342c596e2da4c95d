import { and, eq, gt } from 'drizzle-orm'
import type { Orm } from '../../platform/db/open'
import { emailChanges } from '../../platform/db/schema'
import type { Secrets } from '../../platform/secrets/secrets'
import { freshness, type Session } from '../sessions/sessions'

export type PendingChange = {
  readonly newEmail: string
  /** When the old address confirmed it; null ten minutes later. */
  readonly primaryVerifiedAt: Date | null
  readonly sealed: string
}

export type PendingChanges = {
  /** The stored one, expired or not. */
  ofUser(userId: string): Promise<Omit<typeof emailChanges.$inferSelect, 'sessionId'> | undefined>
  /** The session's own, unless expired. */
  of(session: Session): Promise<PendingChange | undefined>
  put(session: Session, change: Pick<PendingChange, 'newEmail' | 'primaryVerifiedAt'>): Promise<void>
  /** False if another change has begun meanwhile. */
  confirmPrimary(session: Session, change: PendingChange): Promise<boolean>
  remove(userId: string): Promise<void>
}

const lifetimeMs = 30 * 60_000

/** @param now epoch milliseconds. */
export function createPendingChanges({
  orm,
  secrets,
  now,
}: {
  readonly orm: Orm
  readonly secrets: Pick<Secrets, 'identities'>
  readonly now: () => number
}): PendingChanges {
  const contextOf = (userId: string) => `email change ${userId}`
  const isOf = ({ userId, id }: Session) => and(eq(emailChanges.userId, userId), eq(emailChanges.sessionId, id))

  return {
    async ofUser(userId) {
      const [row] = await orm.select().from(emailChanges).where(eq(emailChanges.userId, userId)).limit(1)
      if (row === undefined) return undefined
      const { sessionId: _, ...change } = row
      return { ...change, newEmail: secrets.identities.open(row.newEmail, contextOf(userId)) }
    },

    async of(session) {
      const at = now()
      const [row] = await orm
        .select()
        .from(emailChanges)
        .where(and(isOf(session), gt(emailChanges.expiresAt, new Date(at))))
        .limit(1)
      if (row === undefined) return undefined
      const { newEmail: sealed, primaryVerifiedAt: verified } = row
      return {
        newEmail: secrets.identities.open(sealed, contextOf(session.userId)),
        primaryVerifiedAt: verified !== null && at - verified.getTime() <= freshness ? verified : null,
        sealed,
      }
    },

    async put({ userId, id }, { newEmail, primaryVerifiedAt }) {
      const row = {
        sessionId: id,
        newEmail: secrets.identities.seal(newEmail, contextOf(userId)),
        primaryVerifiedAt,
        expiresAt: new Date(now() + lifetimeMs),
      }
      await orm
        .insert(emailChanges)
        .values({ userId, ...row })
        .onConflictDoUpdate({ target: emailChanges.userId, set: row })
    },

    async confirmPrimary(session, { sealed }) {
      const verified = await orm
        .update(emailChanges)
        .set({ primaryVerifiedAt: new Date(now()) })
        .where(and(isOf(session), eq(emailChanges.newEmail, sealed)))
        .returning({ userId: emailChanges.userId })
      return verified.length > 0
    },

    async remove(userId) {
      await orm.delete(emailChanges).where(eq(emailChanges.userId, userId))
    },
  }
}
