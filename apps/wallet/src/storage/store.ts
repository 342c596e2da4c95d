import * as z from 'zod/mini'
import { StoredPreferences, StoredSession, StoredShare, WalletRecord } from '../window-messages'
import type { Rows } from './rows'

/** What the wallet remembers in one storage. Everything that comes out of it was parsed: what does not parse is as if it were not there. */
export type WalletStore = {
  /** The secret by which the gateway tells this storage apart; made on first use, and the same for two tabs that ask at once. */
  deviceToken(): Promise<string>
  session(): Promise<StoredSession | null>
  setSession(session: StoredSession | null): Promise<void>
  share(userId: string): Promise<StoredShare | null>
  setShare(share: StoredShare): Promise<void>
  dropShare(userId: string): Promise<void>
  preferences(): Promise<StoredPreferences>
  updatePreferences(change: (preferences: StoredPreferences) => StoredPreferences): Promise<void>
  /** What the code of a chain notes under a name of its own, and parses itself. It stays where it was noted. */
  notes(name: string, change: (kept: unknown) => unknown): Promise<unknown>
  /** All of it, or null where nothing was kept yet. */
  readRecord(): Promise<WalletRecord | null>
  /** Puts all of it in the place of what was there; shares of other users stay. */
  writeRecord(record: WalletRecord): Promise<void>
}

const Shares = z.array(StoredShare)
/** Users of one storage whose shares are kept; the oldest one gives way. */
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
      // Last: a session without the rest would be worth nothing.
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
