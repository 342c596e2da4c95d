import { isUncertain } from '../account/gateway'
import type { NewSplit, SealedShare } from '../contract'
import { isSameShare } from '../storage/store'
import type { StoredShare } from '../window-messages'
import { callAs, storeOf, type WalletBase, type WalletOptions, type WalletState } from './state'

/** @param fitting the share that matches the gateway now, if any. */
export async function putSplit(
  options: WalletOptions,
  base: WalletBase,
  split: NewSplit,
  fitting?: SealedShare,
): Promise<WalletState> {
  await replaceShare(options, base, split.device, fitting, async () => {
    await callAs(options, base.userId, 'putDevice', sharesOf(options, split))
  })
  return { ...base, kind: 'row', isStale: false, isProven: true }
}

/**
 * Replaces the device share while `tell` hands the split in.
 *
 * 1. The old share stays next to the new one until the new one has opened the wallet with the gateway's share
 *    (`settleShare`), and is the only one again if the gateway refuses.
 * 2. The generation is stored once the gateway accepted the split.
 * 3. A share that another tab stored meanwhile stays.
 */
export async function replaceShare(
  options: WalletOptions,
  { userId, generation }: Pick<WalletBase, 'userId' | 'generation'>,
  device: SealedShare,
  fitting: SealedShare | undefined,
  tell: () => Promise<void>,
): Promise<void> {
  const store = await storeOf(options)
  let before: StoredShare | null = null
  await store.updateShare(userId, (stored) => {
    before = stored
    const old = stored === null || stored.isNew ? undefined : (fitting ?? stored.previous ?? stored.device)
    const known = stored?.generation ?? 0
    return { userId, device, generation: known, ...(old !== undefined && { previous: old }) }
  })
  try {
    await tell()
  } catch (thrown) {
    if (!isUncertain(thrown)) await restore(options, userId, { refused: device, before, fitting })
    throw thrown
  }
  await store.updateShare(userId, (stored) => ({ ...(stored ?? { userId, device }), generation }))
}

async function restore(
  options: WalletOptions,
  userId: string,
  {
    refused,
    before,
    fitting,
  }: {
    readonly refused: SealedShare
    readonly before: StoredShare | null
    readonly fitting: SealedShare | undefined
  },
): Promise<void> {
  const store = await storeOf(options)
  // Another tab may have stored its own meanwhile.
  const isRefused = (stored: StoredShare) => isSameShare(stored.device, refused)
  if (before === null) return store.dropShare(userId, isRefused)
  if ((await store.share(userId)) === null) return
  const { previous: _, ...share } = before
  const old = fitting === undefined ? before : { ...share, device: fitting }
  await store.updateShare(userId, (stored) => (stored === null || isRefused(stored) ? old : stored))
}

export function sharesOf(
  { deviceName }: Pick<WalletOptions, 'deviceName'>,
  { authShare, recoveryShare, proof, addressProof }: NewSplit,
) {
  return { deviceName: deviceName(), authShare, recoveryShare, proof, addressProof }
}
