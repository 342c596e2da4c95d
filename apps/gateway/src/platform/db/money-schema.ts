import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { projects } from './schema'

export const names = pgTable(
  'names',
  {
    /** Without suffix; the check allows no upper case. */
    label: text('label').primaryKey(),
    /** SLIP-44. */
    coinType: integer('coin_type').notNull(),
    /** In lower case. */
    address: text('address').notNull(),
    /** CAIP-2 network of the contract that signed; null for a key. */
    chainId: text('chain_id'),
    /** From 1; limits an address's names. Null after release. */
    slot: integer('slot'),
    /** `{avatar?, bio?}`. */
    attributes: jsonb('attributes').notNull(),
    registeredAt: timestamp('registered_at', { withTimezone: true }).notNull(),
    /** The row stays for a while, against new registrations. */
    releasedAt: timestamp('released_at', { withTimezone: true }),
  },
  (table) => [
    uniqueIndex('names_slot').on(table.address, table.coinType, table.slot),
    check('names_label', sql`${table.label} ~ '^[a-z0-9-]{4,63}$'`),
    check('names_released', sql`(${table.slot} is null) = (${table.releasedAt} is not null)`),
  ],
)

/** Deleted after retention. Addresses only if the project allows them. */
export const analyticsEvents = pgTable(
  'analytics_events',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** From the sender, against duplicates. */
    eventId: text('event_id').notNull(),
    type: text('type').notNull(),
    event: text('event').notNull(),
    origin: text('origin').notNull(),
    properties: jsonb('properties').notNull(),
    address: text('address'),
    receivedAt: timestamp('received_at', { withTimezone: true }).notNull(),
  },
  (table) => [
    uniqueIndex('analytics_events_once').on(table.projectId, table.eventId),
    index('analytics_events_received').on(table.receivedAt),
  ],
)

/** Events per day and name; outlives the events. */
export const analyticsCounts = pgTable(
  'analytics_counts',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    day: text('day').notNull(),
    event: text('event').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.day, table.event] })],
)
