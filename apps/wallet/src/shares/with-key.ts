import { Failure } from '@postern/protocol/failure'
import type { KeySource, SealedShare } from '../contract'
import { isKeyFailure } from '../failures'
import { isSameShare } from '../storage/store'
import { knownGeneration } from './judge-share'
import { callAs, storeOf, type WalletBase, type WalletOptions, type WalletState } from './state'

/**
 * Calls `work` with the wallet's shares. `work` must open them in the worker, which checks that they match.
 *
 * 1. A share that opened the wallet is proven, and the other one goes. But a previous share proves nothing against a
 *    new one with unknown outcome: the gateway may still accept that.
 * 2. Shares that do not match, fetched twice, stay and are marked. The next opening tries them again, then recovers.
 */
export async function withKey<T>(
  options: WalletOptions,
  state: WalletState,
  work: (source: KeySource) => Promise<T>,
): Promise<T> {
  const { session } = options
  const { addresses } = state
  if (state.kind === 'locked') throw new Failure('WALLET_LOCKED')
  if (state.kind === 'held') {
    // No other call here would reveal that the session has ended.
    const isConnected = await session.isConnected()
    if (!isConnected || (await session.current())?.user.id !== state.userId) throw new Failure('UNAUTHORIZED')
    return work({ device: state.split.device, authShare: state.split.authShare, addresses })
  }
  try {
    return await withRow(options, state, work)
  } catch (thrown) {
    if (!isMisfit(thrown)) throw thrown
  }
  // Another tab may have replaced the split.
  try {
    return await withRow(options, state, work)
  } catch (thrown) {
    if (isMisfit(thrown)) await markMismatched(options, state.userId)
    throw thrown
  }
}

async function withRow<T>(
  options: WalletOptions,
  { userId, addresses }: WalletBase,
  work: (source: KeySource) => Promise<T>,
): Promise<T> {
  const { authShare } = await callAs(options, userId, 'deviceShare', {})
  const share = await (await storeOf(options)).share(userId)
  if (share === null) throw new Failure('WALLET_KEY_MISMATCH')
  const { device, previous, isRefused } = share
  try {
    const result = await work({ device, authShare, addresses })
    if (previous !== undefined) await settleShare(options, userId, device)
    return result
  } catch (thrown) {
    if (!isMisfit(thrown) || previous === undefined) throw thrown
    const result = await work({ device: previous, authShare, addresses })
    if (isRefused) await dropRefused(options, userId, device)
    return result
  }
}

/** Rule 1, unless the share was replaced meanwhile. */
async function settleShare(options: WalletOptions, userId: string, proven: SealedShare): Promise<void> {
  await (await storeOf(options)).updateShare(userId, (stored) => {
    if (stored === null) throw new Failure('WALLET_KEY_MISMATCH')
    if (!isSameShare(stored.device, proven)) return stored
    const { previous: _, isRefused: __, ...share } = stored
    return { ...share, generation: knownGeneration(share) }
  })
}

/** Rule 1, unless the share was replaced meanwhile. */
async function dropRefused(options: WalletOptions, userId: string, refused: SealedShare): Promise<void> {
  await (await storeOf(options)).updateShare(userId, (stored) => {
    if (stored === null) throw new Failure('WALLET_KEY_MISMATCH')
    if (stored.previous === undefined || !isSameShare(stored.device, refused)) return stored
    const { previous, isRefused: _, ...share } = stored
    return { ...share, device: previous }
  })
}

async function markMismatched(options: WalletOptions, userId: string): Promise<void> {
  const store = await storeOf(options)
  if ((await store.share(userId)) === null) return
  await store.updateShare(userId, (stored) => {
    if (stored === null) throw new Failure('WALLET_KEY_MISMATCH')
    return { ...stored, isMismatched: true }
  })
}

export function isMisfit(thrown: unknown): boolean {
  return isKeyFailure(thrown, 'BAD_SHARES', 'BAD_DEVICE_SHARE')
}
