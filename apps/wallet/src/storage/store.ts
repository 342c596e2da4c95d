import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'
import { isSameWallet } from '../addresses'
import type { SealedShare } from '../contract'
import { maxShares, StoredPreferences, StoredSession, StoredShare, WalletRecord } from '../window-messages'
import type { Rows } from './rows'

/**
 * The wallet's data in one storage. Malformed values count as absent, except shares.
 *
 * 1. A share in use is never replaced by one for other addresses, and never removed but by `dropShare`.
 * 2. A share that cannot be read is neither absent nor replaced: WALLET_KEY_MISMATCH.
 */
export type WalletStore = {
  /** Identifies this storage to the gateway; the same for two concurrent tabs. */
  deviceToken(): Promise<string>
  session(): Promise<StoredSession | null>
  setSession(session: StoredSession | null): Promise<void>
  share(userId: string): Promise<StoredShare | null>
  /** Atomic, also across tabs. @throws {Failure} WALLET_ADDRESSES_CHANGED, LIMIT_EXCEEDED, or what `change` throws */
  updateShare(userId: string, change: (share: StoredShare | null) => StoredShare): Promise<void>
  /** Only if the user removes the wallet from this device. */
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

/** What every version of a stored share has. */
const ShareRow = z.object({ userId: z.string() })

export function createWalletStore(rows: Rows, randomSecret: () => string): WalletStore {
  const read = async <T>(key: string, schema: z.ZodMiniType<T>): Promise<T | null> => parse(schema, await rows.get(key))

  const store: WalletStore = {
    async deviceToken() {
      const kept = await rows.update('deviceToken', (value) => parse(DeviceToken, value) ?? randomSecret())
      return DeviceToken.parse(kept)
    },
    session: () => read('session', StoredSession),
    async setSession(session) {
      await rows.update('session', () => session ?? undefined)
    },
    share: async (userId) => readShare(shareRows(await rows.get('shares')), userId),
    async updateShare(userId, change) {
      await rows.update('shares', (value) => {
        const all = shareRows(value)
        const before = readShare(all, userId)
        const next = change(before)
        requireSameAddresses(before, next)
        if (before === null && all.length >= maxShares) throw new Failure('LIMIT_EXCEEDED')
        return [...all.filter((row) => row.userId !== userId), next]
      })
    },
    async dropShare(userId) {
      await rows.update('shares', (value) => shareRows(value).filter((row) => row.userId !== userId))
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
      const shares = shareRows(kept).flatMap((row) => parse(StoredShare, row) ?? [])
      return { deviceToken, session, shares, preferences }
    },
    async writeRecord(record) {
      for (const share of record.shares) await store.updateShare(share.userId, (before) => keepBoth(before, share))
      await rows.update('deviceToken', () => record.deviceToken)
      await store.updatePreferences(() => record.preferences)
      // Last: it is useless without the rest.
      await store.setSession(record.session)
    },
  }
  return store
}

const DeviceToken = WalletRecord.shape.deviceToken

function shareRows(value: unknown): readonly z.infer<typeof ShareRow>[] {
  return Array.isArray(value) ? value.filter((row) => ShareRow.safeParse(row).success) : []
}

function readShare(rows: readonly z.infer<typeof ShareRow>[], userId: string): StoredShare | null {
  const row = rows.find((one) => one.userId === userId)
  if (row === undefined) return null
  const share = parse(StoredShare, row)
  if (share === null) throw new Failure('WALLET_KEY_MISMATCH')
  return share
}

function requireSameAddresses(before: StoredShare | null, next: StoredShare): void {
  const [known, given] = [before?.device.binding, next.device.binding]
  if (known === undefined || before?.isNew) return
  if (given === undefined || !isSameWallet(known.addresses, given.addresses))
    throw new Failure('WALLET_ADDRESSES_CHANGED')
}

/**
 * The replaced share stays as the previous one, until the new one is proven. A share of version 1 stays alone: its
 * addresses cannot be compared here.
 */
function keepBoth(before: StoredShare | null, share: StoredShare): StoredShare {
  if (before === null || before.isNew || isSameShare(before.device, share.device)) return share
  if (share.isNew || before.device.binding === undefined) return before
  return { ...share, previous: share.previous ?? before.device }
}

export function isSameShare(one: SealedShare, other: SealedShare): boolean {
  return one.iv.length === other.iv.length && one.iv.every((byte, at) => byte === other.iv[at])
}

function parse<T>(schema: z.ZodMiniType<T>, value: unknown): T | null {
  const parsed = schema.safeParse(value)
  return parsed.success ? parsed.data : null
}
