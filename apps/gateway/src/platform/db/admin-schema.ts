import { bigint, index, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** Actor of the gateway's commands. */
export const commandLine = 'command line'

/** What operators did and looked at. A trigger rejects updates and deletes. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: timestamp('at', { withTimezone: true }).notNull(),
    /** Token name, or email address and subject at the provider. */
    actor: text('actor').notNull(),
    action: text('action').notNull(),
    /** Id of a project or user; never an address or email. */
    target: text('target'),
    /** A project's changed settings, some with old and new value. */
    detail: text('detail'),
  },
  (table) => [index('audit_log_target').on(table.target)],
)

export const operatorSignIns = pgTable('operator_sign_ins', {
  /** Of the secret in the console's tab, by SHA-256. */
  id: text('id').primaryKey(),
  state: text('state').notNull(),
  nonce: text('nonce').notNull(),
  verifier: text('verifier').notNull(),
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
})

export const operatorSessions = pgTable('operator_sessions', {
  /** SHA-256 of the token. */
  id: text('id').primaryKey(),
  issuer: text('issuer').notNull(),
  subject: text('subject').notNull(),
  email: text('email'),
  /** Claims that gave the role: `[{"claim", "value"}]`. */
  grants: jsonb('grants').notNull(),
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
})
