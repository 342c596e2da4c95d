import type { WalletAddresses } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'
import type { SealedShare } from '../contract'
import { isSameWallet } from '../same-wallet'
import {
  maxShares,
  StoredEmailFlow,
  StoredPreferences,
  StoredSession,
  StoredShare,
  WalletRecord,
} from '../window-messages'
import type { Rows } from './rows'

/**
 * The wallet's data in one storage. Malformed values count as absent, except shares.
 *
 * 1. A share in use is never replaced by one for other addresses.
 * 2. An unreadable share is neither absent nor replaced: WALLET_KEY_MISMATCH.
 * 3. A previous wallet's share is stored as such before another one takes its place: after an interruption it is in
 *    both places, never in none.
 */
export type WalletStore = ShareStore & {
  /** The same in every tab. */
  deviceToken(): Promise<string>
  session(): Promise<StoredSession | null>
  setSession(session: StoredSession | null): Promise<void>
  emailFlow(): Promise<StoredEmailFlow | null>
  setEmailFlow(flow: StoredEmailFlow): Promise<void>
  /** Drops it unless another one has replaced it. */
  dropEmailFlow(id: string): Promise<void>
  /** Of all users, except unreadable ones. */
  shares(): Promise<readonly StoredShare[]>
  /** Of the wallet that the user moved from. */
  readonly previous: ShareStore
  /** Stores a new wallet's share before the gateway's call. */
  addNext(share: StoredShare): Promise<void>
  /** The newest share for that wallet that the gateway has not confirmed here. */
  next(userId: string, addresses: WalletAddresses): Promise<StoredShare | null>
  /** Rule 3. Null: the new share is stored later. */
  retire(userId: string, next: StoredShare | null): Promise<void>
  preferences(): Promise<StoredPreferences>
  updatePreferences(change: (preferences: StoredPreferences) => StoredPreferences): Promise<void>
  /** A chain's notes, which never move to another storage. */
  notes(name: string, change: (kept: unknown) => unknown): Promise<unknown>
  readRecord(): Promise<WalletRecord | null>
  /** Other users' shares stay. */
  writeRecord(record: WalletRecord): Promise<void>
}

export type ShareStore = {
  share(userId: string): Promise<StoredShare | null>
  /** Atomic across tabs. @throws {Failure} WALLET_ADDRESSES_CHANGED, LIMIT_EXCEEDED, or what `change` throws */
  updateShare(userId: string, change: (share: StoredShare | null) => StoredShare): Promise<void>
  /** For a deleted account or wallet only. */
  dropShare(userId: string): Promise<void>
}

/** Per user, unconfirmed by the gateway. */
const maxNext = 32

const ShareRow = z.object({ userId: z.string() })

export function createWalletStore(rows: Rows, randomSecret: () => string): WalletStore {
  const read = async <T>(key: string, schema: z.ZodMiniType<T>): Promise<T | null> => parse(schema, await rows.get(key))

  const listed = async (key: string) => shareRows(await rows.get(key)).flatMap((row) => parse(StoredShare, row) ?? [])

  const store: WalletStore = {
    async deviceToken() {
      const kept = await rows.update('deviceToken', (value) => parse(DeviceToken, value) ?? randomSecret())
      return DeviceToken.parse(kept)
    },
    session: () => read('session', StoredSession),
    async setSession(session) {
      await rows.update('session', () => session ?? undefined)
    },
    emailFlow: () => read('emailFlow', StoredEmailFlow),
    async setEmailFlow(flow) {
      await rows.update('emailFlow', () => flow)
    },
    async dropEmailFlow(id) {
      await rows.update('emailFlow', (value) => (parse(StoredEmailFlow, value)?.id === id ? undefined : value))
    },
    ...shareStore(rows, 'shares'),
    shares: () => listed('shares'),
    previous: shareStore(rows, 'previousShares'),
    async addNext(share) {
      await rows.update('nextShares', (value) => {
        const all = shareRows(value)
        if (all.filter(({ userId }) => userId === share.userId).length >= maxNext) throw new Failure('LIMIT_EXCEEDED')
        return [...all, share]
      })
    },
    async next(userId, addresses) {
      const all = shareRows(await rows.get('nextShares')).filter((row) => row.userId === userId)
      const shares = all.flatMap((row) => parse(StoredShare, row) ?? [])
      return (
        shares.findLast(({ device }) => device.binding && isSameWallet(device.binding.addresses, addresses)) ?? null
      )
    },
    async retire(userId, next) {
      const old = await store.share(userId)
      if (old !== null && !old.isNew && !(next !== null && isOfSameWallet(old, next)))
        await rows.update('previousShares', (value) => [
          ...shareRows(value).filter((row) => !isOfSameWallet(parse(StoredShare, row), old)),
          old,
        ])
      await rows.update('shares', (value) => {
        const others = shareRows(value).filter((row) => row.userId !== userId)
        return next === null ? others : [...others, next]
      })
      if (next === null) return
      await rows.update('nextShares', (value) =>
        shareRows(value).filter((row) => !isOfSameWallet(parse(StoredShare, row), next)),
      )
    },
    preferences: async () => (await read('preferences', StoredPreferences)) ?? {},
    async updatePreferences(change) {
      await rows.update('preferences', (value) => change(parse(StoredPreferences, value) ?? {}))
    },
    notes: (name, change) => rows.update(`notes/${name}`, change),
    async readRecord() {
      const deviceToken = await read('deviceToken', DeviceToken)
      if (deviceToken === null) return null
      const [session, preferences] = await Promise.all([store.session(), store.preferences()])
      const [shares, previousShares] = await Promise.all([listed('shares'), listed('previousShares')])
      return { deviceToken, session, shares, previousShares, preferences }
    },
    async writeRecord(record) {
      for (const share of record.shares) await store.updateShare(share.userId, (before) => keepBoth(before, share))
      for (const share of record.previousShares ?? [])
        await store.previous.updateShare(share.userId, (before) => keepBoth(before, share))
      await rows.update('deviceToken', () => record.deviceToken)
      await store.updatePreferences(() => record.preferences)
      // Last: the session is useless without the rest.
      await store.setSession(record.session)
    },
  }
  return store
}

function shareStore(rows: Rows, key: 'shares' | 'previousShares'): ShareStore {
  return {
    share: async (userId) => readShare(shareRows(await rows.get(key)), userId),
    async updateShare(userId, change) {
      await rows.update(key, (value) => {
        const all = shareRows(value)
        const before = readShare(all, userId)
        const next = change(before)
        requireSameAddresses(before, next)
        if (before === null && all.length >= maxShares) throw new Failure('LIMIT_EXCEEDED')
        const place = all.findLast((row) => row.userId === userId)
        return [...all.filter((row) => row !== place), next]
      })
    },
    async dropShare(userId) {
      await rows.update(key, (value) => shareRows(value).filter((row) => row.userId !== userId))
    },
  }
}

const DeviceToken = WalletRecord.shape.deviceToken

function shareRows(value: unknown): readonly z.infer<typeof ShareRow>[] {
  return Array.isArray(value) ? value.filter((row) => ShareRow.safeParse(row).success) : []
}

function readShare(rows: readonly z.infer<typeof ShareRow>[], userId: string): StoredShare | null {
  // The newest of several previous wallets.
  const row = rows.findLast((one) => one.userId === userId)
  if (row === undefined) return null
  const share = parse(StoredShare, row)
  if (share === null) throw new Failure('WALLET_KEY_MISMATCH')
  return share
}

function isOfSameWallet(one: StoredShare | null, other: StoredShare): boolean {
  const [first, second] = [one?.device.binding, other.device.binding]
  if (one === null || one.userId !== other.userId || second === undefined) return false
  return first !== undefined && isSameWallet(first.addresses, second.addresses)
}

function requireSameAddresses(before: StoredShare | null, next: StoredShare): void {
  const [known, given] = [before?.device.binding, next.device.binding]
  if (known === undefined || before?.isNew) return
  if (given === undefined || !isSameWallet(known.addresses, given.addresses))
    throw new Failure('WALLET_ADDRESSES_CHANGED')
}

/**
 * Keeps the replaced share until the new one is proven. A version 1 share is not kept beside another: its addresses
 * cannot be compared.
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
