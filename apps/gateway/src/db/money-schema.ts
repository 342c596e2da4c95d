/** Names that the gateway registers, and what projects count. */
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

/** Whose names are. All of it is public. */
export const names = pgTable(
  'names',
  {
    /** Without its ending, in lower case, which the check holds: so nobody has the same one in other letters. */
    label: text('label').primaryKey(),
    /** SLIP-44. */
    coinType: integer('coin_type').notNull(),
    /** In lower case. */
    address: text('address').notNull(),
    /** CAIP-2: where the contract is whose signature took the name; null where a key's did. */
    chainId: text('chain_id'),
    /** From 1: the address's how manieth name, so that it has no more than are allowed however many come at once. Null once it was given up. */
    slot: integer('slot'),
    /** `{avatar?, bio?}`. */
    attributes: jsonb('attributes').notNull(),
    registeredAt: timestamp('registered_at', { withTimezone: true }).notNull(),
    /** Since when it is nobody's. It stays here, so that nobody has it too soon. */
    releasedAt: timestamp('released_at', { withTimezone: true }),
  },
  (table) => [
    uniqueIndex('names_slot').on(table.address, table.coinType, table.slot),
    check('names_label', sql`${table.label} ~ '^[a-z0-9-]{4,63}$'`),
    check('names_released', sql`(${table.slot} is null) = (${table.releasedAt} is not null)`),
  ],
)

/** What visitors of a project did in the modal, as long as it is kept. Names nobody but where the project lets addresses in. */
export const analyticsEvents = pgTable(
  'analytics_events',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** The sender's: an event that is sent twice is kept once. */
    eventId: text('event_id').notNull(),
    type: text('type').notNull(),
    event: text('event').notNull(),
    /** Of the page; no path, no query. */
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

/** How many of each kind came on a day. Stays when the events are gone. */
export const analyticsCounts = pgTable(
  'analytics_counts',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** ISO 8601, UTC. */
    day: text('day').notNull(),
    event: text('event').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.day, table.event] })],
)
