import { Failure } from '@postern/protocol/failure'
import { isUncertain } from '../account/gateway'
import type { NewSplit, SealedShare } from '../contract'
import { isSameShare } from '../storage/store'
import { callAs, storeOf, type WalletBase, type WalletOptions, type WalletState } from './state'

/** @param fitting the share that matches the gateway now, if any */
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
 * Replaces the device share while `tell` uploads the split.
 *
 * 1. The old share stays until it or the new one has opened the wallet (`withKey`). A refusal proves nothing: the
 *    gateway may have accepted the split before.
 * 2. A share that another tab stored meanwhile stays.
 */
export async function replaceShare(
  options: WalletOptions,
  { userId, generation }: Pick<WalletBase, 'userId' | 'generation'>,
  device: SealedShare,
  fitting: SealedShare | undefined,
  handIn: () => Promise<void>,
): Promise<void> {
  const store = await storeOf(options)
  await store.updateShare(userId, (stored) => {
    const old = stored === null || stored.isNew ? undefined : (fitting ?? stored.previous ?? stored.device)
    const storedGeneration = stored?.generation ?? 0
    return { userId, device, generation: storedGeneration, ...(old !== undefined && { previous: old }) }
  })
  try {
    await handIn()
  } catch (thrown) {
    if (!isUncertain(thrown)) await markRefused(options, userId, device)
    throw thrown
  }
  await store.updateShare(userId, (stored) => ({ ...(stored ?? { userId, device }), generation }))
}

/** Rule 3. */
async function markRefused(options: WalletOptions, userId: string, device: SealedShare): Promise<void> {
  const store = await storeOf(options)
  if ((await store.share(userId)) === null) return
  await store.updateShare(userId, (stored) => {
    if (stored === null) throw new Failure('WALLET_KEY_MISMATCH')
    return isSameShare(stored.device, device) ? { ...stored, isRefused: true } : stored
  })
}

export function sharesOf(
  { deviceName }: Pick<WalletOptions, 'deviceName'>,
  { authShare, recoveryShare, proof, addressProof }: NewSplit,
) {
  return { deviceName: deviceName(), authShare, recoveryShare, proof, addressProof }
}
