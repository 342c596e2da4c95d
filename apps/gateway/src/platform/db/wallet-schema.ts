/** The embedded wallet. Rows are deleted with their user. JSON columns have the protocol's types. */
import { sql } from 'drizzle-orm'
import { boolean, foreignKey, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { devices, users } from './schema'

/** A user's wallet. Each user has at most one previous wallet. */
export const wallets = pgTable(
  'wallets',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The user moved to a new wallet. Referencing rows change with it. */
    isPrevious: boolean('is_previous').notNull().default(false),
    eip155: text('eip155').notNull(),
    solana: text('solana').notNull(),
    /** Compressed public key in hex. */
    bip122: text('bip122').notNull(),
    /** Public keys, salts and a wrapped key; alone they open no share. */
    recovery: jsonb('recovery').notNull(),
    /** The owner's signature over `recovery`; null until the owner chooses a method. */
    recoveryProof: jsonb('recovery_proof'),
    /** Of the current generation; null until a device hands it in. */
    addressProof: jsonb('address_proof'),
    /** The previous wallet, signed by its key. */
    replaces: jsonb('replaces'),
    /** The gateway once had two shares in clear. False only if made for a passkey or passphrase. */
    isExposed: boolean('is_exposed').notNull().default(true),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.isPrevious] })],
)

/** A device's name, and the gateway's share of its split. */
export const authShares = pgTable(
  'auth_shares',
  {
    userId: text('user_id').notNull(),
    isPrevious: boolean('is_previous').notNull().default(false),
    deviceId: text('device_id').notNull(),
    deviceName: text('device_name').notNull(),
    sealed: text('sealed').notNull(),
    /** Of the share's proof: a retried call changes nothing. */
    proofHash: text('proof_hash').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    usedAt: timestamp('used_at', { withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.isPrevious, table.deviceId] }),
    foreignKey({
      name: 'auth_shares_wallets_fk',
      columns: [table.userId, table.isPrevious],
      foreignColumns: [wallets.userId, wallets.isPrevious],
    })
      .onDelete('cascade')
      .onUpdate('cascade'),
  ],
)

/** The split's recovery share. Deleted when another device changes the method. */
export const recoveryShares = pgTable(
  'recovery_shares',
  {
    userId: text('user_id').notNull(),
    isPrevious: boolean('is_previous').notNull().default(false),
    deviceId: text('device_id').notNull(),
    sealed: text('sealed').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.isPrevious, table.deviceId] }),
    foreignKey({
      name: 'recovery_shares_auth_shares_fk',
      columns: [table.userId, table.isPrevious, table.deviceId],
      foreignColumns: [authShares.userId, authShares.isPrevious, authShares.deviceId],
    })
      .onDelete('cascade')
      .onUpdate('cascade'),
  ],
)

/**
 * Data keys: `auth` seals a wallet's auth shares, `recovery` its recovery shares. The gateway's keys of the same kinds
 * seal them. Replaced with the recovery method. Back this table up apart.
 */
export const shareKeys = pgTable(
  'share_keys',
  {
    userId: text('user_id').notNull(),
    isPrevious: boolean('is_previous').notNull().default(false),
    auth: text('auth').notNull(),
    recovery: text('recovery').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.isPrevious] }),
    foreignKey({
      name: 'share_keys_wallets_fk',
      columns: [table.userId, table.isPrevious],
      foreignColumns: [wallets.userId, wallets.isPrevious],
    })
      .onDelete('cascade')
      .onUpdate('cascade'),
  ],
)

/** A device's recovery: opened, or waiting. */
export const recoveries = pgTable(
  'recoveries',
  {
    id: text('id').primaryKey().default(sql`gen_random_uuid()`),
    deviceId: text('device_id')
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    requestedAt: timestamp('requested_at', { withTimezone: true }).notNull(),
    opensAt: timestamp('opens_at', { withTimezone: true }).notNull(),
    openedAt: timestamp('opened_at', { withTimezone: true }),
    /** Got the shares; its repeated calls are the same recovery. */
    sessionId: text('session_id'),
  },
  (table) => [index('recoveries_user').on(table.userId), index('recoveries_device').on(table.deviceId)],
)

/**
 * A wallet's end, for a device that had a share. Outlives the account by up to a year; outside `sealed`, names no user
 * or wallet.
 */
export const walletEnds = pgTable(
  'wallet_ends',
  {
    id: text('id').primaryKey(),
    /** The device's, which survives a new sign-up. */
    tokenHash: text('token_hash').notNull(),
    /** SHA-256 of the user's id. */
    userHash: text('user_hash').notNull(),
    subjectHash: text('subject_hash').notNull(),
    sealed: text('sealed').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (table) => [index('wallet_ends_device').on(table.tokenHash), index('wallet_ends_age').on(table.createdAt)],
)

/** Of accepted signed texts: a proof works once. */
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

/** A pending social or Farcaster sign-in; what could hijack it is hashed or sealed. */
export const socialFlows = pgTable(
  'social_flows',
  {
    /** SHA-256 of the flow's secret, as the hashes below. */
    id: text('id').primaryKey(),
    projectId: text('project_id').notNull(),
    provider: text('provider').notNull(),
    /** From the frame; shown to the user. */
    origin: text('origin').notNull(),
    /** `open`, `started`, `arrived`, `failed`, `claimed`. */
    status: text('status').notNull(),
    failure: text('failure'),
    claimHash: text('claim_hash').notNull(),
    stateHash: text('state_hash'),
    cookieHash: text('cookie_hash'),
    ticketHash: text('ticket_hash'),
    /** HMAC: a plain hash of six digits can be brute-forced. */
    codeHash: text('code_hash'),
    tries: integer('tries').notNull().default(0),
    /** Sealed JSON: device token, code verifier and nonce, or channel token; later the identity. */
    sealed: text('sealed').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  },
  (table) => [index('social_flows_state').on(table.stateHash), index('social_flows_expiry').on(table.expiresAt)],
)
