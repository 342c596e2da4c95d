/**
 * What operators did and looked at.
 *
 * 1. An entry is written before its action, so no action is without one. A failed action has one too.
 * 2. The database refuses changes and deletions.
 * 3. An entry has no user's address or email address. It names settings, with values of those that decide about
 *    security (`audited-projects.ts`).
 */
import { and, desc, eq, lt } from 'drizzle-orm'
import { auditLog } from '../../platform/db/admin-schema'
import type { Database } from '../../platform/db/open'

export type AuditEntry = {
  readonly id: number
  /** ISO 8601, UTC. */
  readonly at: string
  readonly actor: string
  readonly action: string
  readonly target: string | null
  readonly detail: string | null
}

export type Audit = {
  write(entry: Pick<AuditEntry, 'actor' | 'action' | 'target' | 'detail'>): Promise<void>
  /** Newest first. */
  list(query: { readonly before?: number | undefined; readonly target?: string | undefined }): Promise<AuditEntry[]>
}

const pageSize = 100

export function createAudit({ orm }: Pick<Database, 'orm'>, now: () => number): Audit {
  return {
    async write(entry) {
      await orm.insert(auditLog).values({ ...entry, at: new Date(now()) })
    },
    async list({ before, target }) {
      const rows = await orm
        .select()
        .from(auditLog)
        .where(
          and(
            before === undefined ? undefined : lt(auditLog.id, before),
            target === undefined ? undefined : eq(auditLog.target, target),
          ),
        )
        .orderBy(desc(auditLog.id))
        .limit(pageSize)
      return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
    },
  }
}
