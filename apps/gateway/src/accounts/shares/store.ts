/**
 * The rows of the embedded wallet. The user's data keys seal the shares, bound to user and device (`data-keys.ts`).
 *
 * 1. A user has one wallet and at most one previous wallet; of two created at once, one wins.
 * 2. Rows swapped in the database do not open.
 * 3. A proof is accepted once. A retry from the same device changes nothing and succeeds.
 * 4. A new recovery method keeps only its own recovery share and gets new data keys.
 * 5. The last row with a recovery share stays, even if two devices remove each other.
 * 6. A new method needs a later generation, so an old choice cannot be replayed.
 * 7. A removed device stores no split, even if its session was checked before.
 * 8. The proof of the addresses is for the current method's generation.
 * 9. A replacement turns rows and data keys into the previous wallet's.
 */
import { recoveryText } from '@postern/protocol'
import { and, desc, eq } from 'drizzle-orm'
import type { Database } from '../../platform/db/open'
import { authShares, recoveryShares, shareKeys, wallets } from '../../platform/db/wallet-schema'
import type { Sealer } from '../../platform/secrets/sealer'
import { createDataKeys, isOf, sameWallet, shareContext } from './data-keys'
import { createRowWriter, devicesOf, isCurrent, isLive, isRow, lock, parse, sameRow, writeAddressProof } from './rows'
import { unusedFor, type WalletStore } from './wallet-store'

export type { Owner, WalletId } from './data-keys'
export type { ChosenRecovery, Refusal, Split, Wallet, WalletStore } from './wallet-store'

export type WalletStoreOptions = {
  readonly database: Pick<Database, 'orm'>
  readonly authSealer: Sealer
  readonly recoverySealer: Sealer
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** In ms; saves a write per signature. */
const usedResolution = 60_000

export function createWalletStore({ database, authSealer, recoverySealer, now }: WalletStoreOptions): WalletStore {
  const { orm } = database
  const dataKeys = createDataKeys({ auth: authSealer, recovery: recoverySealer }, now)
  const { replaceWallet, spend, write } = createRowWriter(dataKeys, now)

  return {
    sealOlder: () => dataKeys.sealOlder(orm),

    async find(id) {
      const [row] = await orm.select().from(wallets).where(isOf(wallets, id))
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
            isExposed: recovery.method === 'gateway',
            createdAt: new Date(now()),
          })
          .onConflictDoNothing()
          .returning({ userId: wallets.userId })
        if (made.length === 0) return (await isCurrent(tx, owner, split)) ? 'done' : 'exists'
        await spend(tx, owner, split)
        await write(tx, owner, split, await dataKeys.ensure(tx, owner))
        return 'done'
      }),

    replace: (...parameters) => orm.transaction((tx) => replaceWallet(tx, ...parameters)),

    async deletePrevious(userId, eip155) {
      await orm.delete(wallets).where(and(isOf(wallets, { userId, isPrevious: true }), eq(wallets.eip155, eip155)))
    },

    putDevice: (owner, recovery, split) =>
      orm.transaction(async (tx) => {
        const wallet = await lock(tx, owner)
        if (!(await isLive(tx, owner))) return 'revoked'
        // The method may have changed since the proof was checked.
        if (wallet === null || recoveryText(wallet.recovery) !== recoveryText(recovery)) return 'changed'
        if (await isCurrent(tx, owner, split)) return 'done'
        if (!(await spend(tx, owner, split))) return 'replayed'
        await write(tx, owner, split, await dataKeys.ensure(tx, owner))
        if (split.addressProof !== null) await writeAddressProof(tx, wallet, owner, split.addressProof)
        return 'done'
      }),

    holds: (owner, proofText) => isCurrent(orm, owner, { proofText }),

    setAddressProof: (id, proof) =>
      orm.transaction(async (tx) => {
        const wallet = await lock(tx, id)
        if (wallet !== null) await writeAddressProof(tx, wallet, id, proof)
      }),

    async authShare(owner) {
      // In one query: a change of method replaces shares and data keys together.
      const [found] = await orm
        .select({ row: authShares, keys: shareKeys })
        .from(authShares)
        .leftJoin(shareKeys, sameWallet(shareKeys, authShares))
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

    async recoverable(id) {
      const { userId } = id
      const [row] = await orm
        .select({
          deviceId: authShares.deviceId,
          auth: authShares.sealed,
          recovery: recoveryShares.sealed,
          keys: shareKeys,
        })
        .from(authShares)
        .innerJoin(recoveryShares, sameRow)
        .leftJoin(shareKeys, sameWallet(shareKeys, authShares))
        .where(isOf(authShares, id))
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
        const wallet = await lock(tx, owner)
        if (!(await isLive(tx, owner))) return 'revoked'
        if (chosen.recoveryProof.generation <= (wallet?.recoveryProof?.generation ?? 0)) return 'changed'
        if (!(await spend(tx, owner, split))) return 'replayed'
        await tx
          .update(wallets)
          .set({
            ...chosen,
            addressProof: split.addressProof,
            ...(chosen.recovery.method === 'gateway' && { isExposed: true }),
          })
          .where(isOf(wallets, owner))
        await tx.delete(recoveryShares).where(isOf(recoveryShares, owner))
        await write(tx, owner, split, await dataKeys.replace(tx, owner))
        return 'done'
      }),

    revoke: (userId, deviceId, { keepsUsed } = { keepsUsed: false }) =>
      orm.transaction(async (tx) => {
        const both = [false, true].map((isPrevious) => ({ userId, isPrevious }))
        for (const id of both) {
          const wallet = await lock(tx, id)
          if (wallet === null) continue
          const mayKeep = keepsUsed && wallet.recovery.method !== 'gateway'
          const rows = await tx
            .select({ deviceId: recoveryShares.deviceId })
            .from(recoveryShares)
            .where(isOf(recoveryShares, id))
          if (rows.length === 1 && rows[0]?.deviceId === deviceId) return mayKeep ? 'kept' : 'last'
          const [row] = await tx
            .select({ usedAt: authShares.usedAt })
            .from(authShares)
            .where(isRow({ ...id, deviceId }))
          if (mayKeep && row !== undefined && row.usedAt.getTime() > now() - unusedFor) return 'kept'
        }
        for (const id of both) await tx.delete(authShares).where(isRow({ ...id, deviceId }))
        return 'done'
      }),
  }
}
