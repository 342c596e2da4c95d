/**
 * The rows of the embedded wallet. Callers pass shares in plain text; they are stored sealed by the user's data keys
 * (`data-keys.ts`), one per kind, and bound to their user and device.
 *
 * 1. A user has one wallet; of two created at once, one wins.
 * 2. A share opens only for its own user, device and kind: rows swapped in the database do not open.
 * 3. A proof is accepted once. A retry from the same device changes nothing and succeeds.
 * 4. A new recovery method keeps only the recovery share that came with it, and replaces the data keys.
 * 5. The last row with a recovery share cannot be removed, even if two devices remove each other at once.
 * 6. A method requires its owner's proof, and replaces only one of an earlier generation, so that an old choice cannot
 *    be replayed.
 * 7. A removed device cannot store a split, even if its session was checked before the removal.
 * 8. The proof of the addresses is that of the current method's generation, or null.
 */
import {
  AddressProof,
  Recovery,
  RecoveryProof,
  recoveryText,
  type WalletAddresses,
  type WalletDevice,
} from '@postern/protocol'
import { and, desc, eq, isNull } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Database } from '../db/open'
import { devices } from '../db/schema'
import { authShares, recoveryShares, shareKeys, shareProofs, wallets } from '../db/wallet-schema'
import type { Sealer } from '../secrets/sealer'
import { hashSecret } from '../secrets/secrets'
import {
  createDataKeys,
  type DataKeys,
  type Owner,
  type ShareSealers,
  shareContext,
  type Transaction,
} from './data-keys'

export type { Owner } from './data-keys'

/** With its owner's proof; null for `gateway` of generation 0. */
export type ChosenRecovery = { readonly recovery: Recovery; readonly recoveryProof: RecoveryProof | null }
export type Wallet = ChosenRecovery & {
  readonly addresses: WalletAddresses
  readonly addressProof: AddressProof | null
}

/** With a verified proof, whose signed text is `proofText`. */
export type Split = {
  readonly deviceName: string
  readonly authShare: string
  readonly recoveryShare: string
  readonly proofText: string
  /** Verified for the generation of the wallet's method. */
  readonly addressProof: AddressProof | null
}

/** The wallet exists; the proof was used; the recovery method changed or is newer; the device was removed. */
export type Refusal = 'exists' | 'replayed' | 'changed' | 'revoked'
type Outcome<R extends Refusal> = Promise<'done' | R>

export type WalletStore = {
  find(userId: string): Promise<Wallet | null>
  /** This device, then by last use. */
  devices(owner: Owner): Promise<readonly (WalletDevice & { readonly recoverable: boolean })[]>
  create(
    owner: Owner,
    wallet: ChosenRecovery & { readonly addresses: WalletAddresses },
    split: Split,
  ): Outcome<'exists' | 'revoked'>
  putDevice(owner: Owner, recovery: Recovery, split: Split): Outcome<'replayed' | 'changed' | 'revoked'>
  /** Whether the device already has this split. */
  holds(owner: Owner, proofText: string): Promise<boolean>
  /** Ignored if the method changed since the proof was checked. */
  setAddressProof(userId: string, proof: AddressProof): Promise<void>
  /** Also updates the last use. Null without a row. */
  authShare(owner: Owner): Promise<string | null>
  /** The last used row with a recovery share. */
  recoverable(userId: string): Promise<{ readonly authShare: string; readonly recoveryShare: string } | null>
  setRecovery(
    owner: Owner,
    chosen: { readonly recovery: Recovery; readonly recoveryProof: RecoveryProof },
    split: Split,
  ): Outcome<'replayed' | 'changed' | 'revoked'>
  revoke(userId: string, deviceId: string): Promise<'done' | 'last'>
  /** For a job: see {@link DataKeys}. */
  sealOlder(): ReturnType<DataKeys['sealOlder']>
}

export type WalletStoreOptions = {
  readonly database: Pick<Database, 'orm'>
  readonly authSealer: Sealer
  readonly recoverySealer: Sealer
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** Precision of a device's last use, in ms; avoids a write per signature. */
const usedResolution = 60_000

export function createWalletStore({ database, authSealer, recoverySealer, now }: WalletStoreOptions): WalletStore {
  const { orm } = database
  const dataKeys = createDataKeys({ auth: authSealer, recovery: recoverySealer }, now)

  return {
    sealOlder: () => dataKeys.sealOlder(orm),

    async find(userId) {
      const [row] = await orm.select().from(wallets).where(eq(wallets.userId, userId))
      return row === undefined ? null : parse(row)
    },

    devices: (owner) => devicesOf(orm, owner),

    create: (owner, { addresses, recovery, recoveryProof }, split) =>
      orm.transaction(async (tx) => {
        if (!(await isLive(tx, owner))) return 'revoked'
        const made = await tx
          .insert(wallets)
          .values({
            userId: owner.userId,
            ...addresses,
            recovery,
            recoveryProof,
            addressProof: split.addressProof,
            createdAt: new Date(now()),
          })
          .onConflictDoNothing()
          .returning({ userId: wallets.userId })
        if (made.length === 0) return (await isCurrent(tx, owner, split)) ? 'done' : 'exists'
        await spend(tx, owner, split)
        await write(tx, owner, split, await dataKeys.ensure(tx, owner.userId))
        return 'done'
      }),

    putDevice: (owner, recovery, split) =>
      orm.transaction(async (tx) => {
        const wallet = await lock(tx, owner.userId)
        if (!(await isLive(tx, owner))) return 'revoked'
        // The method may have changed since the proof was checked.
        if (wallet === null || recoveryText(wallet.recovery) !== recoveryText(recovery)) return 'changed'
        if (await isCurrent(tx, owner, split)) return 'done'
        if (!(await spend(tx, owner, split))) return 'replayed'
        await write(tx, owner, split, await dataKeys.ensure(tx, owner.userId))
        if (split.addressProof !== null) await writeAddressProof(tx, wallet, owner.userId, split.addressProof)
        return 'done'
      }),

    holds: (owner, proofText) => isCurrent(orm, owner, { proofText }),

    setAddressProof: (userId, proof) =>
      orm.transaction(async (tx) => {
        const wallet = await lock(tx, userId)
        if (wallet !== null) await writeAddressProof(tx, wallet, userId, proof)
      }),

    async authShare(owner) {
      // In one query: a change of the method replaces shares and data keys together.
      const [found] = await orm
        .select({ row: authShares, keys: shareKeys })
        .from(authShares)
        .leftJoin(shareKeys, eq(shareKeys.userId, authShares.userId))
        .where(isRow(owner))
      if (found === undefined) return null
      const { row, keys } = found
      if (now() - row.usedAt.getTime() >= usedResolution) {
        await orm
          .update(authShares)
          .set({ usedAt: new Date(now()) })
          .where(isRow(owner))
      }
      return dataKeys.open(owner.userId, keys).auth.open(row.sealed, shareContext(owner, 'auth'))
    },

    async recoverable(userId) {
      const [row] = await orm
        .select({
          deviceId: authShares.deviceId,
          auth: authShares.sealed,
          recovery: recoveryShares.sealed,
          keys: shareKeys,
        })
        .from(authShares)
        .innerJoin(recoveryShares, sameRow)
        .leftJoin(shareKeys, eq(shareKeys.userId, authShares.userId))
        .where(eq(authShares.userId, userId))
        .orderBy(desc(authShares.usedAt))
        .limit(1)
      if (row === undefined) return null
      const owner = { userId, deviceId: row.deviceId }
      const sealers = dataKeys.open(userId, row.keys)
      return {
        authShare: sealers.auth.open(row.auth, shareContext(owner, 'auth')),
        recoveryShare: sealers.recovery.open(row.recovery, shareContext(owner, 'recovery')),
      }
    },

    setRecovery: (owner, chosen, split) =>
      orm.transaction(async (tx) => {
        const wallet = await lock(tx, owner.userId)
        if (!(await isLive(tx, owner))) return 'revoked'
        if (chosen.recoveryProof.generation <= (wallet?.recoveryProof?.generation ?? 0)) return 'changed'
        if (!(await spend(tx, owner, split))) return 'replayed'
        await tx
          .update(wallets)
          .set({ ...chosen, addressProof: split.addressProof })
          .where(eq(wallets.userId, owner.userId))
        await tx.delete(recoveryShares).where(eq(recoveryShares.userId, owner.userId))
        await write(tx, owner, split, await dataKeys.replace(tx, owner.userId))
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

  async function write(tx: Transaction, owner: Owner, split: Split, sealers: ShareSealers): Promise<void> {
    const at = new Date(now())
    const auth = {
      deviceName: split.deviceName,
      sealed: sealers.auth.seal(split.authShare, shareContext(owner, 'auth')),
      proofHash: hashSecret(split.proofText),
      usedAt: at,
    }
    await tx
      .insert(authShares)
      .values({ ...owner, ...auth, createdAt: at })
      .onConflictDoUpdate({ target: [authShares.userId, authShares.deviceId], set: auth })
    const recovery = { sealed: sealers.recovery.seal(split.recoveryShare, shareContext(owner, 'recovery')) }
    await tx
      .insert(recoveryShares)
      .values({ ...owner, ...recovery })
      .onConflictDoUpdate({ target: [recoveryShares.userId, recoveryShares.deviceId], set: recovery })
  }

  /** @returns false for a used proof. */
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

async function writeAddressProof(tx: Transaction, wallet: Wallet, userId: string, proof: AddressProof): Promise<void> {
  if (proof.generation !== (wallet.recoveryProof?.generation ?? 0)) return
  await tx.update(wallets).set({ addressProof: proof }).where(eq(wallets.userId, userId))
}

const sameRow = and(eq(authShares.userId, recoveryShares.userId), eq(authShares.deviceId, recoveryShares.deviceId))

async function devicesOf(orm: Database['orm'], { userId, deviceId }: Owner): ReturnType<WalletStore['devices']> {
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
}

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

/**
 * Requires the {@link lock}. A removal ends the device, then deletes its rows under the lock: either this sees the end,
 * or the removal deletes what is written here. A new wallet needs no lock, because its only row cannot be removed.
 */
async function isLive(tx: Transaction, { userId, deviceId }: Owner): Promise<boolean> {
  const ofOwner = and(eq(devices.id, deviceId), eq(devices.userId, userId), isNull(devices.revokedAt))
  const rows = await tx.select({ id: devices.id }).from(devices).where(ofOwner)
  return rows.length > 0
}

/** Serialises changes of a wallet's rows. */
async function lock(tx: Transaction, userId: string): Promise<Wallet | null> {
  const [row] = await tx.select().from(wallets).where(eq(wallets.userId, userId)).for('update')
  return row === undefined ? null : parse(row)
}

function parse({ eip155, solana, bip122, recovery, recoveryProof, addressProof }: typeof wallets.$inferSelect): Wallet {
  return {
    addresses: { eip155, solana, bip122 },
    recovery: Recovery.parse(recovery),
    recoveryProof: z.nullable(RecoveryProof).parse(recoveryProof),
    addressProof: z.nullable(AddressProof).parse(addressProof),
  }
}
