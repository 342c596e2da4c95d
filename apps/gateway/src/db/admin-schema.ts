/** The admin API. */
import { bigint, index, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** What operators did and looked at. A trigger of the migration rejects updates and deletes. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: timestamp('at', { withTimezone: true }).notNull(),
    /** The name of the operator's token. */
    actor: text('actor').notNull(),
    action: text('action').notNull(),
    /** Id of a project or a user; never an address or email address. */
    target: text('target'),
    /** Names of the changed settings. */
    detail: text('detail'),
  },
  (table) => [index('audit_log_target').on(table.target)],
)
