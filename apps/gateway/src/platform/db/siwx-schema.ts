/** Sign-in with a wallet: nonces, accounts and signatures are hashed or sealed. */
import { index, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

const time = (name: string) => timestamp(name, { withTimezone: true })

export const siwxKeys = pgTable('siwx_keys', {
  /** From 1; unique, so that replicas agree on the next key. */
  generation: integer('generation').primaryKey(),
  kid: text('kid').notNull().unique(),
  /** In base64url, as in a JWK. */
  publicKey: text('public_key').notNull(),
  /** Sealed seed in base64url. */
  privateKey: text('private_key').notNull(),
  signsFrom: time('signs_from').notNull(),
  signsUntil: time('signs_until').notNull(),
})

export const siwxNonces = pgTable(
  'siwx_nonces',
  {
    id: text('id').primaryKey(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [index('siwx_nonces_expiry').on(table.expiresAt)],
)

export const siwxRevoked = pgTable(
  'siwx_revoked',
  {
    /** SHA-256 of the session's id. */
    id: text('id').primaryKey(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [index('siwx_revoked_expiry').on(table.expiresAt)],
)

/** For checking contract accounts again. */
export const siwxProofs = pgTable(
  'siwx_proofs',
  {
    /** SHA-256 of the session's id. */
    id: text('id').primaryKey(),
    /** Sealed JSON: the message, its signature, and the last failed check. */
    sealed: text('sealed').notNull(),
    checkedAt: time('checked_at').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [index('siwx_proofs_expiry').on(table.expiresAt)],
)
