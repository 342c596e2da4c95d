/** Sign-in with wallet. Nonces, accounts and signatures stand here hashed or sealed alone. */
import { index, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

const time = (name: string) => timestamp(name, { withTimezone: true })

/** Ed25519 keys that sign tokens, one after the other. */
export const siwxKeys = pgTable('siwx_keys', {
  /** From 1. Gateways that make the next one at the same time agree by it. */
  generation: integer('generation').primaryKey(),
  kid: text('kid').notNull().unique(),
  /** In base64url, as in a JWK. */
  publicKey: text('public_key').notNull(),
  /** Sealed: the seed in base64url. */
  privateKey: text('private_key').notNull(),
  signsFrom: time('signs_from').notNull(),
  signsUntil: time('signs_until').notNull(),
})

/** Nonces that were used. */
export const siwxNonces = pgTable(
  'siwx_nonces',
  {
    /** SHA-256 of the nonce. */
    id: text('id').primaryKey(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [index('siwx_nonces_expiry').on(table.expiresAt)],
)

/** Sessions that ended before their time. */
export const siwxRevoked = pgTable(
  'siwx_revoked',
  {
    /** SHA-256 of the session's id. */
    id: text('id').primaryKey(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [index('siwx_revoked_expiry').on(table.expiresAt)],
)

/** What sessions were begun with, to ask contracts again. */
export const siwxProofs = pgTable(
  'siwx_proofs',
  {
    /** SHA-256 of the session's id. */
    id: text('id').primaryKey(),
    /** Sealed JSON: the message, its signature, and when a chain was last asked about it without an answer. */
    sealed: text('sealed').notNull(),
    checkedAt: time('checked_at').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [index('siwx_proofs_expiry').on(table.expiresAt)],
)
