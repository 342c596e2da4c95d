/**
 * Data keys: one per wallet and kind of share. It seals the shares; the gateway's key of that kind wraps it.
 *
 * 1. Shares do not open with another user's data key, or the other kind's.
 * 2. A new recovery method replaces the data keys in one transaction: older rows then need an equally old copy of
 *    `share_keys`.
 * 3. Shares from before data keys still open. `sealOlder` moves them, and data keys that an older key wraps, to the
 *    current keys.
 * 4. Data keys are deleted with their wallet, current or previous.
 */
import { randomBytes } from 'node:crypto'
import { and, eq, gt, isNull, notLike, or } from 'drizzle-orm'
import type { Database } from '../../platform/db/open'
import { authShares, recoveryShares, shareKeys, wallets } from '../../platform/db/wallet-schema'
import { createSealer, SealError, type Sealer } from '../../platform/secrets/sealer'

export type Transaction = Parameters<Parameters<Database['orm']['transaction']>[0]>[0]

export type ShareSealers = { readonly auth: Sealer; readonly recovery: Sealer }
export type WalletId = { readonly userId: string; readonly isPrevious?: boolean }
export type Owner = WalletId & { readonly deviceId: string }
type ShareKind = keyof ShareSealers
type WrappedKeys = { readonly [K in ShareKind]: string }

export type DataKeys = {
  /** `wrapped`: the user's row; null for shares from before data keys. */
  open(userId: string, wrapped: WrappedKeys | null): ShareSealers
  /** Requires the wallet's lock. */
  ensure(tx: Transaction, id: WalletId): Promise<ShareSealers>
  /** Also seals all shares again. Requires the wallet's lock. */
  replace(tx: Transaction, id: WalletId): Promise<ShareSealers>
  /** 3. `failed`: no key opens them. */
  sealOlder(orm: Database['orm']): Promise<{ readonly sealed: number; readonly failed: number }>
}

/** Ids of configured keys have no dash. */
const dataKeyId = 'data-key'
const walletsAtOnce = 100

/** @param ring the gateway's own keys. */
export function createDataKeys(ring: ShareSealers, now: () => number): DataKeys {
  return { open, ensure, replace, sealOlder }

  function open(userId: string, wrapped: WrappedKeys | null): ShareSealers {
    if (wrapped === null) return ring
    return { auth: dataSealer(userId, 'auth', wrapped), recovery: dataSealer(userId, 'recovery', wrapped) }
  }

  async function ensure(tx: Transaction, id: WalletId): Promise<ShareSealers> {
    const row = await find(tx, id)
    return row === null ? replace(tx, id) : open(id.userId, row)
  }

  async function replace(tx: Transaction, id: WalletId): Promise<ShareSealers> {
    const { userId, isPrevious = false } = id
    const before = open(userId, await find(tx, id))
    const wrapped = { auth: newKey(userId, 'auth'), recovery: newKey(userId, 'recovery') }
    await tx.delete(shareKeys).where(isOf(shareKeys, id))
    await tx.insert(shareKeys).values({ userId, isPrevious, ...wrapped, createdAt: new Date(now()) })
    const after = open(userId, wrapped)
    await sealAgain(tx, id, before, after)
    return after
  }

  async function sealOlder(orm: Database['orm']) {
    let [sealed, failed, last] = [0, 0, { userId: '', isPrevious: false }]
    for (;;) {
      const older = await olderWallets(orm, last)
      for (const id of older) {
        last = id
        try {
          await orm.transaction((tx) => sealOlderOf(tx, id))
          sealed += 1
        } catch (thrown) {
          if (!(thrown instanceof SealError)) throw thrown
          failed += 1
        }
      }
      if (older.length < walletsAtOnce) return { sealed, failed }
    }
  }

  async function sealOlderOf(tx: Transaction, id: WalletId): Promise<void> {
    const { userId } = id
    await tx.select({ userId: wallets.userId }).from(wallets).where(isOf(wallets, id)).for('update')
    const row = await find(tx, id)
    if (row === null) {
      await replace(tx, id)
      return
    }
    const wrapped = { auth: wrapAgain(userId, 'auth', row), recovery: wrapAgain(userId, 'recovery', row) }
    await tx.update(shareKeys).set(wrapped).where(isOf(shareKeys, id))
  }

  async function olderWallets(orm: Database['orm'], after: Required<WalletId>): Promise<Required<WalletId>[]> {
    const isOlder = or(
      isNull(shareKeys.userId),
      notLike(shareKeys.auth, `${ring.auth.keyId}.%`),
      notLike(shareKeys.recovery, `${ring.recovery.keyId}.%`),
    )
    const { userId, isPrevious } = wallets
    // A user's previous wallet sorts last.
    const isLater = after.isPrevious
      ? gt(userId, after.userId)
      : or(gt(userId, after.userId), and(eq(userId, after.userId), eq(isPrevious, true)))
    return orm
      .select({ userId, isPrevious })
      .from(wallets)
      .leftJoin(shareKeys, sameWallet(shareKeys, wallets))
      .where(and(isLater, isOlder))
      .orderBy(userId, isPrevious)
      .limit(walletsAtOnce)
  }

  function newKey(userId: string, kind: ShareKind): string {
    return ring[kind].seal(randomBytes(32).toString('base64url'), keyContext(userId, kind))
  }

  function wrapAgain(userId: string, kind: ShareKind, wrapped: WrappedKeys): string {
    const context = keyContext(userId, kind)
    return ring[kind].seal(ring[kind].open(wrapped[kind], context), context)
  }

  function dataSealer(userId: string, kind: ShareKind, wrapped: WrappedKeys): Sealer {
    const key = ring[kind].open(wrapped[kind], keyContext(userId, kind))
    const sealer = createSealer([{ id: dataKeyId, bytes: Buffer.from(key, 'base64url') }])
    // Earlier replicas may have written shares without the data key.
    const openerOf = (sealed: string) => (sealed.startsWith(`${dataKeyId}.`) ? sealer : ring[kind])
    return { ...sealer, open: (sealed, context) => openerOf(sealed).open(sealed, context) }
  }
}

type WalletTable = typeof wallets | typeof authShares | typeof recoveryShares | typeof shareKeys

export function isOf(table: WalletTable, { userId, isPrevious = false }: WalletId) {
  return and(eq(table.userId, userId), eq(table.isPrevious, isPrevious))
}

export function sameWallet(one: WalletTable, other: WalletTable) {
  return and(eq(one.userId, other.userId), eq(one.isPrevious, other.isPrevious))
}

async function find(tx: Transaction, id: WalletId): Promise<WrappedKeys | null> {
  const [row] = await tx.select().from(shareKeys).where(isOf(shareKeys, id))
  return row ?? null
}

async function sealAgain(tx: Transaction, id: WalletId, before: ShareSealers, after: ShareSealers): Promise<void> {
  for (const [kind, table] of [
    ['auth', authShares],
    ['recovery', recoveryShares],
  ] as const) {
    for (const { deviceId, sealed } of await tx.select().from(table).where(isOf(table, id))) {
      const context = shareContext({ userId: id.userId, deviceId }, kind)
      await tx
        .update(table)
        .set({ sealed: after[kind].seal(before[kind].open(sealed, context), context) })
        .where(and(isOf(table, id), eq(table.deviceId, deviceId)))
    }
  }
}

export function shareContext({ userId, deviceId }: Owner, kind: ShareKind): string {
  return [userId, deviceId, kind].join('|')
}

function keyContext(userId: string, kind: ShareKind): string {
  return [userId, 'data-key', kind].join('|')
}
