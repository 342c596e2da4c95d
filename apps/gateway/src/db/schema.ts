import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'

const time = (name: string) => timestamp(name, { withTimezone: true })

/** A dapp that may embed the modal. */
export const projects = pgTable('projects', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  /** As {@link parseAllowedOrigin} normalised them: `https://app.example.com`, `https://*.example.com`. */
  allowedOrigins: text('allowed_origins').array().notNull().default([]),
  /** Whether the hosts of development and previews (spec §6) may embed it too. */
  defaultAncestors: boolean('default_ancestors').notNull().default(true),
  /** Only the flags that differ from the defaults of spec §1. */
  features: jsonb('features').notNull().default({}),
  /** Only what differs from the defaults of `Analytics`. */
  analytics: jsonb('analytics').notNull().default({}),
  /** The id by which WalletConnect's relay knows this project; null where it offers no WalletConnect. */
  walletConnect: text('wallet_connect_project_id'),
  /** CAIP-2 ids of the chains on which visitors sign in with their wallet; null for all that the gateway knows. */
  signInChains: text('sign_in_chains').array(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull(),
})

/*
 * Sign-in. Who somebody is stands here hashed under a key (to be found) and sealed (to be shown), secrets hashed: nobody who reads these tables learns
 * an address, takes over a session or knows a code.
 */

/** One for each identity: an email address, or a provider with its subject. */
export const users = pgTable(
  'users',
  {
    id: text('id').primaryKey(),
    /** `email`, `farcaster` or a social provider. */
    provider: text('provider').notNull(),
    /** Keyed hash of provider and subject. */
    subjectHash: text('subject_hash').notNull(),
    /** Sealed. */
    email: text('email'),
    /** Sealed. */
    userName: text('user_name'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [uniqueIndex('users_identity').on(table.provider, table.subjectHash)],
)

/** A storage partition of a browser in which a user signed in. A revoked one stays, so that it can be told why it is out. */
export const devices = pgTable(
  'devices',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Of the device's own secret. */
    tokenHash: text('token_hash').notNull(),
    createdAt: time('created_at').notNull(),
    usedAt: time('used_at').notNull(),
    revokedAt: time('revoked_at'),
  },
  (table) => [uniqueIndex('devices_token').on(table.userId, table.tokenHash).where(sql`revoked_at is null`)],
)

export const sessions = pgTable(
  'sessions',
  {
    /** Hash of the token. */
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    deviceId: text('device_id')
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    /** Where the visitor signed in. */
    projectId: text('project_id').notNull(),
    signedInAt: time('signed_in_at').notNull(),
    usedAt: time('used_at').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [index('sessions_user').on(table.userId), index('sessions_expiry').on(table.expiresAt)],
)

/** A sign-in by email under way. What was approved holds for every flow of the same address and device. */
export const emailFlows = pgTable(
  'email_flows',
  {
    /** Hash of the flow's secret. */
    id: text('id').primaryKey(),
    projectId: text('project_id').notNull(),
    emailHash: text('email_hash').notNull(),
    /** Sealed. */
    email: text('email').notNull(),
    deviceTokenHash: text('device_token_hash').notNull(),
    /** Of the dapp, for the visitor to judge. */
    origin: text('origin').notNull(),
    /** As "Chrome on Linux", for the visitor to judge. */
    browser: text('browser').notNull(),
    /** Of the mailed link's token; null where the device was known and no link was mailed. */
    linkHash: text('link_hash').unique(),
    approvedAt: time('approved_at'),
    completedAt: time('completed_at'),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [
    index('email_flows_device').on(table.emailHash, table.deviceTokenHash),
    index('email_flows_expiry').on(table.expiresAt),
  ],
)

/** Six digits that were mailed. Of one scope only the newest counts; the older ones stay a while, to be told apart from wrong ones. */
export const codes = pgTable(
  'codes',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** What the code opens, and for whom: holds hashes and ids only. */
    scope: text('scope').notNull(),
    /** Keyed hash of scope and digits. */
    codeHash: text('code_hash').notNull(),
    tries: integer('tries').notNull().default(0),
    usedAt: time('used_at'),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [index('codes_scope').on(table.scope), index('codes_expiry').on(table.expiresAt)],
)

/** A change of a user's address under way. */
export const emailChanges = pgTable('email_changes', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  sessionId: text('session_id').notNull(),
  /** Sealed. */
  newEmail: text('new_email').notNull(),
  /** When the code that went to the old address came back. */
  primaryVerifiedAt: time('primary_verified_at'),
  expiresAt: time('expires_at').notNull(),
})

/** Rates, by the time at which each key has all its tries back (GCRA). Keys are hashed. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    key: text('key').primaryKey(),
    /** Epoch ms. */
    fullAt: bigint('full_at', { mode: 'number' }).notNull(),
  },
  (table) => [index('rate_limits_full').on(table.fullAt)],
)
