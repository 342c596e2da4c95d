import * as z from 'zod/mini'
import { StoredPreferences, StoredSession, StoredShare, WalletRecord } from '../window-messages'
import type { Rows } from './rows'

/** The wallet's data in one storage. Malformed values count as absent. */
export type WalletStore = {
  /** Identifies this storage to the gateway; the same for two concurrent tabs. */
  deviceToken(): Promise<string>
  session(): Promise<StoredSession | null>
  setSession(session: StoredSession | null): Promise<void>
  share(userId: string): Promise<StoredShare | null>
  setShare(share: StoredShare): Promise<void>
  dropShare(userId: string): Promise<void>
  preferences(): Promise<StoredPreferences>
  updatePreferences(change: (preferences: StoredPreferences) => StoredPreferences): Promise<void>
  /** Notes of a chain's code, which parses them. They stay in their storage. */
  notes(name: string, change: (kept: unknown) => unknown): Promise<unknown>
  /** Null if nothing is stored yet. */
  readRecord(): Promise<WalletRecord | null>
  /** Replaces the record; other users' shares stay. */
  writeRecord(record: WalletRecord): Promise<void>
}

const Shares = z.array(StoredShare)
/** Max users with a share; the oldest is dropped. */
const mostShares = 32

export function createWalletStore(rows: Rows, randomSecret: () => string): WalletStore {
  const read = async <T>(key: string, schema: z.ZodMiniType<T>): Promise<T | null> => parse(schema, await rows.get(key))
  const shares = (value: unknown) => parse(Shares, value) ?? []

  const store: WalletStore = {
    async deviceToken() {
      const kept = await rows.update('deviceToken', (value) => parse(DeviceToken, value) ?? randomSecret())
      return DeviceToken.parse(kept)
    },
    session: () => read('session', StoredSession),
    async setSession(session) {
      await rows.update('session', () => session ?? undefined)
    },
    share: async (userId) => shares(await rows.get('shares')).find((share) => share.userId === userId) ?? null,
    async setShare(share) {
      await rows.update('shares', (value) =>
        [...shares(value).filter(({ userId }) => userId !== share.userId), share].slice(-mostShares),
      )
    },
    async dropShare(userId) {
      await rows.update('shares', (value) => shares(value).filter((share) => share.userId !== userId))
    },
    preferences: async () => (await read('preferences', StoredPreferences)) ?? {},
    async updatePreferences(change) {
      await rows.update('preferences', (value) => change(parse(StoredPreferences, value) ?? {}))
    },
    notes: (name, change) => rows.update(`notes/${name}`, change),
    async readRecord() {
      const deviceToken = await read('deviceToken', DeviceToken)
      if (deviceToken === null) return null
      const [session, kept, preferences] = await Promise.all([store.session(), rows.get('shares'), store.preferences()])
      return { deviceToken, session, shares: shares(kept), preferences }
    },
    async writeRecord(record) {
      await rows.update('deviceToken', () => record.deviceToken)
      for (const share of record.shares) await store.setShare(share)
      await store.updatePreferences(() => record.preferences)
      // Last: it is useless without the rest.
      await store.setSession(record.session)
    },
  }
  return store
}

const DeviceToken = WalletRecord.shape.deviceToken

function parse<T>(schema: z.ZodMiniType<T>, value: unknown): T | null {
  const parsed = schema.safeParse(value)
  return parsed.success ? parsed.data : null
}
