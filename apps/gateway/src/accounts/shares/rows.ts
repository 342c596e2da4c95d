import { AddressProof, Recovery, RecoveryProof, type WalletAddresses, WalletReplacement } from '@postern/protocol'
import { walletNamespaces } from '@postern/protocol/namespaces'
import { and, desc, eq, isNull } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Database } from '../../platform/db/open'
import { devices } from '../../platform/db/schema'
import { authShares, recoveryShares, shareProofs, wallets } from '../../platform/db/wallet-schema'
import { hashSecret } from '../../platform/secrets/secrets'
import {
  type DataKeys,
  isOf,
  type Owner,
  type ShareSealers,
  sameWallet,
  shareContext,
  type Transaction,
  type WalletId,
} from './data-keys'
import type { Split, Wallet, WalletStore } from './wallet-store'

export function createRowWriter(dataKeys: DataKeys, now: () => number) {
  return { replaceWallet, write, spend }

  async function replaceWallet(
    ...[tx, owner, wallet, split, within]: [Transaction, ...Parameters<WalletStore['replace']>]
  ) {
    const { userId } = owner
    const { addresses, replaces, ...chosen } = wallet
    const before = await lock(tx, { userId })
    if (!(await isLive(tx, owner))) return 'revoked'
    if (before !== null && isSameWallet(before.addresses, addresses))
      return (await isCurrent(tx, owner, split)) ? 'done' : 'changed'
    if (before === null || !isSameWallet(before.addresses, replaces.from)) return 'changed'
    if ((await lock(tx, { userId, isPrevious: true })) !== null) return 'previousExists'
    if (!(await spend(tx, owner, split))) return 'replayed'
    // Foreign keys cascade to its other rows.
    await tx.update(wallets).set({ isPrevious: true }).where(isOf(wallets, { userId }))
    const { addressProof } = split
    const row = {
      userId,
      ...addresses,
      ...chosen,
      replaces,
      addressProof,
      isExposed: false,
      createdAt: new Date(now()),
    }
    await tx.insert(wallets).values(row)
    await write(tx, owner, split, await dataKeys.ensure(tx, { userId }))
    await within?.(tx)
    return 'done'
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
      .onConflictDoUpdate({ target: [authShares.userId, authShares.isPrevious, authShares.deviceId], set: auth })
    const recovery = { sealed: sealers.recovery.seal(split.recoveryShare, shareContext(owner, 'recovery')) }
    await tx
      .insert(recoveryShares)
      .values({ ...owner, ...recovery })
      .onConflictDoUpdate({
        target: [recoveryShares.userId, recoveryShares.isPrevious, recoveryShares.deviceId],
        set: recovery,
      })
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

export async function writeAddressProof(
  tx: Transaction,
  wallet: Wallet,
  id: WalletId,
  proof: AddressProof,
): Promise<void> {
  if (proof.generation !== (wallet.recoveryProof?.generation ?? 0)) return
  await tx.update(wallets).set({ addressProof: proof }).where(isOf(wallets, id))
}

export const sameRow = and(sameWallet(authShares, recoveryShares), eq(authShares.deviceId, recoveryShares.deviceId))

export async function devicesOf(orm: Database['orm'], owner: Owner): ReturnType<WalletStore['devices']> {
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
    .where(isOf(authShares, owner))
    .orderBy(desc(authShares.usedAt))
  const devices = rows.map(({ id, name, createdAt, usedAt, recovery }) => ({
    id,
    name,
    createdAt: createdAt.getTime(),
    usedAt: usedAt.getTime(),
    isThis: id === owner.deviceId,
    recoverable: recovery !== null,
  }))
  return devices.sort((a, b) => Number(b.isThis) - Number(a.isThis))
}

export function isRow(owner: Owner) {
  return and(isOf(authShares, owner), eq(authShares.deviceId, owner.deviceId))
}

export function isSameWallet(one: WalletAddresses, other: WalletAddresses): boolean {
  return walletNamespaces.every((namespace) => one[namespace] === other[namespace])
}

export async function isCurrent(
  orm: Pick<Transaction, 'select'>,
  owner: Owner,
  { proofText }: Pick<Split, 'proofText'>,
): Promise<boolean> {
  const [row] = await orm.select({ proofHash: authShares.proofHash }).from(authShares).where(isRow(owner))
  return row?.proofHash === hashSecret(proofText)
}

/**
 * Requires the {@link lock}: a removal ends the device, then deletes its rows under the lock, so this sees the end, or
 * the removal sees these rows. A new wallet's only row cannot be removed.
 */
export async function isLive(tx: Transaction, { userId, deviceId }: Owner): Promise<boolean> {
  const ofOwner = and(eq(devices.id, deviceId), eq(devices.userId, userId), isNull(devices.revokedAt))
  const rows = await tx.select({ id: devices.id }).from(devices).where(ofOwner)
  return rows.length > 0
}

/** Serialises changes of a wallet's rows. */
export async function lock(tx: Transaction, id: WalletId): Promise<Wallet | null> {
  const [row] = await tx.select().from(wallets).where(isOf(wallets, id)).for('update')
  return row === undefined ? null : parse(row)
}

export function parse(row: typeof wallets.$inferSelect): Wallet {
  const { eip155, solana, bip122, recovery, recoveryProof, addressProof, replaces, isExposed } = row
  return {
    addresses: { eip155, solana, bip122 },
    recovery: Recovery.parse(recovery),
    recoveryProof: z.nullable(RecoveryProof).parse(recoveryProof),
    addressProof: z.nullable(AddressProof).parse(addressProof),
    replaces: z.nullable(WalletReplacement).parse(replaces),
    isExposed,
  }
}
