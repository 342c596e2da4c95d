import { boolean, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

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
  /** The id by which WalletConnect's relay knows this project; null where it offers no WalletConnect. */
  walletConnect: text('wallet_connect_project_id'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull(),
})
