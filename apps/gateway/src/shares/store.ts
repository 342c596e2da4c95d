/**
 * The rows of the embedded wallet. Shares come in and go out in the clear and lie sealed, each kind under a key of its own and bound to its user and device.
 *
 * 1. A user has one wallet; of two that are made at once, one wins.
 * 2. A share opens for its own user, device and kind alone: rows that were swapped in the database do not open.
 * 3. A proof is taken once. The same call again, from the same device, changes nothing and succeeds.
 * 4. Another recovery method leaves one recovery share, the one that came with it.
 * 5. The last row with a recovery share never goes, also when two devices remove each other at once.
 */
import { Recovery, recoveryText, type WalletAddresses, type WalletDevice } from '@postern/protocol'
import { and, desc, eq, ne } from 'drizzle-orm'
import type { Database } from '../db/open'
import { authShares, recoveryShares, shareProofs, wallets } from '../db/wallet-schema'
import type { Sealer } from '../secrets/sealer'
import { hashSecret } from '../secrets/secrets'

export type Wallet = { readonly addresses: WalletAddresses; readonly recovery: Recovery }
export type Owner = { readonly userId: string; readonly deviceId: string }

/** A split that its owner proved. `proofText` is what was signed. */
export type Split = {
  readonly deviceName: string
  readonly authShare: string
  readonly recoveryShare: string
  readonly proofText: string
}

export type WalletStore = {
  find(userId: string): Promise<Wallet | null>
  /** This one first, then as they were last used. */
  devices(owner: Owner): Promise<readonly (WalletDevice & { readonly recoverable: boolean })[]>
  create(owner: Owner, wallet: Wallet, split: Split): Promise<'done' | 'exists'>
  /** `changed`: the recovery method is no longer the one that the split is for. */
  putDevice(owner: Owner, recovery: Recovery, split: Split): Promise<'done' | 'replayed' | 'changed'>
  /** Whether this very split is the device's already. */
  holds(owner: Owner, proofText: string): Promise<boolean>
  /** Marks the device as used. Null where it has no row. */
  authShare(owner: Owner): Promise<string | null>
  /** The row last used among those that the recovery method can open. */
  recoverable(userId: string): Promise<{ readonly authShare: string; readonly recoveryShare: string } | null>
  setRecovery(owner: Owner, recovery: Recovery, split: Split): Promise<'done' | 'replayed'>
  revoke(userId: string, deviceId: string): Promise<'done' | 'last'>
}

export type WalletStoreOptions = {
  readonly database: Pick<Database, 'orm'>
  readonly authSealer: Sealer
  readonly recoverySealer: Sealer
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** How exactly it is kept when a device was last used: not every signature is a write. */
const usedResolution = 60_000

type Transaction = Parameters<Parameters<Database['orm']['transaction']>[0]>[0]

export function createWalletStore({ database, authSealer, recoverySealer, now }: WalletStoreOptions): WalletStore {
  const { orm } = database

  return {
    async find(userId) {
      const [row] = await orm.select().from(wallets).where(eq(wallets.userId, userId))
      return row === undefined ? null : parse(row)
    },

    async devices({ userId, deviceId }) {
      const rows = await orm
        .select({
          id: authShares.deviceId,
          name: authShares.deviceName,
          createdAt: authShares.createdAt,
          usedAt: authShares.usedAt,
          recovery: recoveryShares.deviceId,
        })
        .from(authShares)
        .leftJoin(recoveryShares, sameRow)
        .where(eq(authShares.userId, userId))
        .orderBy(desc(authShares.usedAt))
      const devices = rows.map(({ id, name, createdAt, usedAt, recovery }) => ({
        id,
        name,
        createdAt: createdAt.getTime(),
        usedAt: usedAt.getTime(),
        isThis: id === deviceId,
        recoverable: recovery !== null,
      }))
      return devices.sort((a, b) => Number(b.isThis) - Number(a.isThis))
    },

    create: (owner, wallet, split) =>
      orm.transaction(async (tx) => {
        const made = await tx
          .insert(wallets)
          .values({ userId: owner.userId, ...wallet.addresses, recovery: wallet.recovery, createdAt: new Date(now()) })
          .onConflictDoNothing()
          .returning({ userId: wallets.userId })
        if (made.length === 0) return (await isCurrent(tx, owner, split)) ? 'done' : 'exists'
        await spend(tx, owner, split)
        await write(tx, owner, split)
        return 'done'
      }),

    putDevice: (owner, recovery, split) =>
      orm.transaction(async (tx) => {
        const wallet = await lock(tx, owner.userId)
        // The split is sealed to that method: it changed between the check of the proof and now.
        if (wallet === null || recoveryText(wallet.recovery) !== recoveryText(recovery)) return 'changed'
        if (await isCurrent(tx, owner, split)) return 'done'
        if (!(await spend(tx, owner, split))) return 'replayed'
        await write(tx, owner, split)
        return 'done'
      }),

    holds: (owner, proofText) => isCurrent(orm, owner, { proofText }),

    async authShare(owner) {
      const [row] = await orm.select().from(authShares).where(isRow(owner))
      if (row === undefined) return null
      if (now() - row.usedAt.getTime() >= usedResolution) {
        await orm
          .update(authShares)
          .set({ usedAt: new Date(now()) })
          .where(isRow(owner))
      }
      return authSealer.open(row.sealed, contextOf(owner, 'auth'))
    },

    async recoverable(userId) {
      const [row] = await orm
        .select({ deviceId: authShares.deviceId, auth: authShares.sealed, recovery: recoveryShares.sealed })
        .from(authShares)
        .innerJoin(recoveryShares, sameRow)
        .where(eq(authShares.userId, userId))
        .orderBy(desc(authShares.usedAt))
        .limit(1)
      if (row === undefined) return null
      const owner = { userId, deviceId: row.deviceId }
      return {
        authShare: authSealer.open(row.auth, contextOf(owner, 'auth')),
        recoveryShare: recoverySealer.open(row.recovery, contextOf(owner, 'recovery')),
      }
    },

    setRecovery: (owner, recovery, split) =>
      orm.transaction(async (tx) => {
        await lock(tx, owner.userId)
        if (!(await spend(tx, owner, split))) return 'replayed'
        await tx.update(wallets).set({ recovery }).where(eq(wallets.userId, owner.userId))
        await write(tx, owner, split)
        await tx
          .delete(recoveryShares)
          .where(and(eq(recoveryShares.userId, owner.userId), ne(recoveryShares.deviceId, owner.deviceId)))
        return 'done'
      }),

    revoke: (userId, deviceId) =>
      orm.transaction(async (tx) => {
        await lock(tx, userId)
        const rows = await tx
          .select({ deviceId: recoveryShares.deviceId })
          .from(recoveryShares)
          .where(eq(recoveryShares.userId, userId))
        if (rows.length === 1 && rows[0]?.deviceId === deviceId) return 'last'
        await tx.delete(authShares).where(isRow({ userId, deviceId }))
        return 'done'
      }),
  }

  async function write(tx: Transaction, owner: Owner, split: Split): Promise<void> {
    const at = new Date(now())
    const auth = {
      deviceName: split.deviceName,
      sealed: authSealer.seal(split.authShare, contextOf(owner, 'auth')),
      proofHash: hashSecret(split.proofText),
      usedAt: at,
    }
    await tx
      .insert(authShares)
      .values({ ...owner, ...auth, createdAt: at })
      .onConflictDoUpdate({ target: [authShares.userId, authShares.deviceId], set: auth })
    const recovery = { sealed: recoverySealer.seal(split.recoveryShare, contextOf(owner, 'recovery')) }
    await tx
      .insert(recoveryShares)
      .values({ ...owner, ...recovery })
      .onConflictDoUpdate({ target: [recoveryShares.userId, recoveryShares.deviceId], set: recovery })
  }

  /** @returns whether the proof is new. */
  async function spend(tx: Transaction, { userId }: Owner, split: Split): Promise<boolean> {
    const row = { userId, textHash: hashSecret(split.proofText), createdAt: new Date(now()) }
    const made = await tx
      .insert(shareProofs)
      .values(row)
      .onConflictDoNothing()
      .returning({ userId: shareProofs.userId })
    return made.length > 0
  }
}

const sameRow = and(eq(authShares.userId, recoveryShares.userId), eq(authShares.deviceId, recoveryShares.deviceId))

function isRow({ userId, deviceId }: Owner) {
  return and(eq(authShares.userId, userId), eq(authShares.deviceId, deviceId))
}

async function isCurrent(
  orm: Pick<Transaction, 'select'>,
  owner: Owner,
  { proofText }: Pick<Split, 'proofText'>,
): Promise<boolean> {
  const [row] = await orm.select({ proofHash: authShares.proofHash }).from(authShares).where(isRow(owner))
  return row?.proofHash === hashSecret(proofText)
}

/** Whoever changes a wallet's rows takes turns. */
async function lock(tx: Transaction, userId: string): Promise<Wallet | null> {
  const [row] = await tx.select().from(wallets).where(eq(wallets.userId, userId)).for('update')
  return row === undefined ? null : parse(row)
}

function parse({ eip155, solana, bip122, recovery }: typeof wallets.$inferSelect): Wallet {
  return { addresses: { eip155, solana, bip122 }, recovery: Recovery.parse(recovery) }
}

function contextOf({ userId, deviceId }: Owner, kind: 'auth' | 'recovery'): string {
  return [userId, deviceId, kind].join('|')
}
