/** The embedded wallet's rows. Everything goes with its user. */
import { foreignKey, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { users } from './schema'

/** One wallet a user: public addresses, and how the recovery shares are opened. */
export const wallets = pgTable('wallets', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  eip155: text('eip155').notNull(),
  solana: text('solana').notNull(),
  /** Compressed public key in hex. */
  bip122: text('bip122').notNull(),
  /** `Recovery` of the protocol: public keys, salts and a wrapped key; nothing in it opens a share by itself. */
  recovery: jsonb('recovery').notNull(),
  /** `RecoveryProof` of the protocol: the owner's signature over that method. Null until the owner chooses one. */
  recoveryProof: jsonb('recovery_proof'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
})

/** One row a device: the gateway's half of its split, and what the visitor knows the device by. */
export const authShares = pgTable(
  'auth_shares',
  {
    userId: text('user_id')
      .notNull()
      .references(() => wallets.userId, { onDelete: 'cascade' }),
    deviceId: text('device_id').notNull(),
    deviceName: text('device_name').notNull(),
    /** AES-256-GCM under the key of auth shares. */
    sealed: text('sealed').notNull(),
    /** Of the proof that it came with: a call that is repeated because its answer was lost changes nothing. */
    proofHash: text('proof_hash').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    usedAt: timestamp('used_at', { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.deviceId] })],
)

/** The recovery share of the same split, under another key. Absent once the recovery method changed on another device. */
export const recoveryShares = pgTable(
  'recovery_shares',
  {
    userId: text('user_id').notNull(),
    deviceId: text('device_id').notNull(),
    sealed: text('sealed').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.deviceId] }),
    foreignKey({
      name: 'recovery_shares_auth_shares_fk',
      columns: [table.userId, table.deviceId],
      foreignColumns: [authShares.userId, authShares.deviceId],
    }).onDelete('cascade'),
  ],
)

/** SHA-256 of every text whose signature was taken: a proof holds once. */
export const shareProofs = pgTable(
  'share_proofs',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    textHash: text('text_hash').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.textHash] })],
)

/** A sign-in by a social or by Farcaster that is under way. Whatever could be used to take it over is hashed or sealed. */
export const socialFlows = pgTable(
  'social_flows',
  {
    /** SHA-256 of the flow's secret, like every hash below unless it says otherwise. */
    id: text('id').primaryKey(),
    projectId: text('project_id').notNull(),
    /** One of the protocol's social providers, or `farcaster`. */
    provider: text('provider').notNull(),
    /** Of the dapp, as the frame reports it; shown to the visitor. */
    origin: text('origin').notNull(),
    /** `open`, `started`, `arrived`, `failed`, `claimed`. */
    status: text('status').notNull(),
    /** A `WalletApiFailure`, once failed. */
    failure: text('failure'),
    claimHash: text('claim_hash').notNull(),
    stateHash: text('state_hash'),
    cookieHash: text('cookie_hash'),
    ticketHash: text('ticket_hash'),
    /** HMAC: six digits alone would be found by trying. */
    codeHash: text('code_hash'),
    /** Wrong tickets and codes so far. */
    tries: integer('tries').notNull().default(0),
    /** Sealed JSON: device token, code verifier and nonce, or the channel's token; later who signed in. */
    sealed: text('sealed').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  },
  (table) => [index('social_flows_state').on(table.stateHash), index('social_flows_expiry').on(table.expiresAt)],
)
