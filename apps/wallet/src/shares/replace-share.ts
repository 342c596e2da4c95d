import { isUncertain } from '../account/gateway'
import type { NewSplit, SealedShare } from '../contract'
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
  return { ...base, kind: 'row', isStale: false }
}

/**
 * Replaces the device share while `tell` hands the split in. The old share stays next to the new one until the gateway
 * accepts that, and is the only one again if it refuses. The generation is stored once the gateway accepted the split.
 */
export async function replaceShare(
  options: WalletOptions,
  { userId, generation }: Pick<WalletBase, 'userId' | 'generation'>,
  device: SealedShare,
  fitting: SealedShare | undefined,
  tell: () => Promise<void>,
): Promise<void> {
  const store = await storeOf(options)
  const before = await store.share(userId)
  const known = before?.generation ?? 0
  await store.setShare({ userId, device, generation: known, ...(fitting !== undefined && { previous: fitting }) })
  try {
    await tell()
  } catch (thrown) {
    if (!isUncertain(thrown)) {
      if (before === null || fitting === undefined) await store.dropShare(userId)
      else await store.setShare({ ...before, device: fitting })
    }
    throw thrown
  }
  await store.setShare({ userId, device, generation })
}

export function sharesOf(
  { deviceName }: Pick<WalletOptions, 'deviceName'>,
  { authShare, recoveryShare, proof }: NewSplit,
) {
  return { deviceName: deviceName(), authShare, recoveryShare, proof }
}
