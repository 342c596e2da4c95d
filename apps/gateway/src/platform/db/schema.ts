import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'

const time = (name: string) => timestamp(name, { withTimezone: true })

/** A dapp that may embed the modal. Members that a JSON column lacks have their defaults. */
export const projects = pgTable('projects', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  allowedOrigins: text('allowed_origins').array().notNull().default([]),
  /** Also allows development and preview hosts (spec §6). */
  defaultAncestors: boolean('default_ancestors').notNull().default(true),
  features: jsonb('features').notNull().default({}),
  analytics: jsonb('analytics').notNull().default({}),
  /** In days; null: the gateway's setting. */
  analyticsDays: integer('analytics_days'),
  walletConnect: text('wallet_connect_project_id'),
  recoveryWaitHours: integer('recovery_wait_hours').notNull().default(0),
  /** CAIP-2; null: all known chains. */
  signInChains: text('sign_in_chains').array(),
  recovery: text('recovery').notNull().default('any'),
  recoveryChoice: text('recovery_choice').notNull().default('later'),
  approvals: jsonb('approvals').notNull().default({}),
  mail: jsonb('mail').notNull().default({}),
  look: jsonb('look').notNull().default({}),
  mailTexts: jsonb('mail_texts').notNull().default({}),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull(),
})

/*
 * Sign-in. Identities are keyed hashes (lookup) and sealed (display: email columns, `userName`); secrets are hashes, as
 * are the ids of sessions and flows. A reader of the tables learns no address or code, and cannot take over a session.
 */

export const users = pgTable(
  'users',
  {
    id: text('id').primaryKey(),
    /** `email`, `farcaster` or a social provider. */
    provider: text('provider').notNull(),
    /** Of provider and subject. */
    subjectHash: text('subject_hash').notNull(),
    email: text('email'),
    userName: text('user_name'),
    blockedAt: time('blocked_at'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [uniqueIndex('users_identity').on(table.provider, table.subjectHash)],
)

/** A browser storage partition of a signed-in user. Revoked rows stay, for the wallet to report. */
export const devices = pgTable(
  'devices',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    tokenHash: text('token_hash').notNull(),
    /** The user's when the device was added; the address may have changed since. */
    subjectHash: text('subject_hash'),
    /** Of the last sign-in; null for rows from before the column. */
    projectId: text('project_id'),
    /** Added by a restoring session; deleted with it, unless it restores the account. */
    isRestoring: boolean('is_restoring').notNull().default(false),
    /** Recoveries up to then were shown on this device. */
    recoveriesSeenAt: time('recoveries_seen_at'),
    createdAt: time('created_at').notNull(),
    usedAt: time('used_at').notNull(),
    revokedAt: time('revoked_at'),
  },
  (table) => [
    uniqueIndex('devices_token').on(table.userId, table.tokenHash).where(sql`revoked_at is null`),
    index('devices_token_hash').on(table.tokenHash),
  ],
)

export const sessions = pgTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    deviceId: text('device_id')
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    projectId: text('project_id').notNull(),
    /** RFC 7638, of the key that signs each call; refused if null. */
    keyThumbprint: text('key_thumbprint'),
    /** By a frozen account's former address: can only show the wallet's key (`address-changes.ts`). */
    isRestoring: boolean('is_restoring').notNull().default(false),
    signedInAt: time('signed_in_at').notNull(),
    usedAt: time('used_at').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [index('sessions_user').on(table.userId), index('sessions_expiry').on(table.expiresAt)],
)

/** A pending email sign-in. An approval covers every flow of its address and device. */
export const emailFlows = pgTable(
  'email_flows',
  {
    id: text('id').primaryKey(),
    projectId: text('project_id').notNull(),
    emailHash: text('email_hash').notNull(),
    email: text('email').notNull(),
    deviceTokenHash: text('device_token_hash').notNull(),
    /** Entry of the project's list, shown for approval. */
    site: text('site'),
    /** ISO 3166-1 alpha-2, shown for approval. */
    region: text('region'),
    /** Of the emailed link's token; null for a known device, which gets none. */
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

/** Emailed codes. A scope's newest is valid; older ones stay for a while, to tell them from wrong ones. */
export const codes = pgTable(
  'codes',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** Purpose and owner, as hashes and ids. */
    scope: text('scope').notNull(),
    /** Keyed hash of scope and digits. */
    codeHash: text('code_hash').notNull(),
    tries: integer('tries').notNull().default(0),
    usedAt: time('used_at'),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [index('codes_scope').on(table.scope), index('codes_expiry').on(table.expiresAt)],
)

export const emailChanges = pgTable('email_changes', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  sessionId: text('session_id').notNull(),
  newEmail: text('new_email').notNull(),
  primaryVerifiedAt: time('primary_verified_at'),
  expiresAt: time('expires_at').notNull(),
})

/** A user's last address change, while it can be undone (`address-changes.ts`). */
export const addressChanges = pgTable(
  'address_changes',
  {
    userId: text('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    formerHash: text('former_hash').notNull(),
    formerEmail: text('former_email').notNull(),
    deviceId: text('device_id').notNull(),
    changedAt: time('changed_at').notNull(),
    /** Until then the former address can freeze the account; a freeze ends then too. */
    endsAt: time('ends_at').notNull(),
    frozenAt: time('frozen_at'),
    /** Had a passkey or passphrase at the change. */
    wasHardened: boolean('was_hardened').notNull(),
    /** The new address has shown an earlier device, passkey or passphrase. */
    isProven: boolean('is_proven').notNull(),
  },
  (table) => [index('address_changes_former').on(table.formerHash), index('address_changes_end').on(table.endsAt)],
)

/** GCRA: when a hashed key has all its tries back. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    key: text('key').primaryKey(),
    /** Epoch ms. */
    fullAt: bigint('full_at', { mode: 'number' }).notNull(),
  },
  (table) => [index('rate_limits_full').on(table.fullAt)],
)
