import { Failure } from '@postern/protocol/failure'
import type { KeySource } from '../contract'
import { isKeyFailure } from '../failures'
import { callAs, storeOf, type WalletBase, type WalletOptions, type WalletState } from './state'

/** Calls `work` with the shares of the wallet. Their own check decides whether they match. */
export async function withKey<T>(
  options: WalletOptions,
  state: WalletState,
  work: (source: KeySource) => Promise<T>,
): Promise<T> {
  const { session } = options
  const { addresses } = state
  if (state.kind === 'locked') throw new Failure('WALLET_LOCKED')
  if (state.kind === 'held') {
    // No other call here reveals an ended session.
    const isConnected = await session.isConnected()
    if (!isConnected || (await session.current())?.user.id !== state.userId) throw new Failure('UNAUTHORIZED')
    return work({ device: state.split.device, authShare: state.split.authShare, addresses })
  }
  try {
    return await withRow(options, state, work)
  } catch (thrown) {
    if (!isMisfit(thrown)) throw thrown
  }
  // Another tab may have replaced the split meanwhile.
  try {
    return await withRow(options, state, work)
  } catch (thrown) {
    if (isMisfit(thrown)) await (await storeOf(options)).dropShare(state.userId)
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
  const { device, previous } = share
  try {
    return await work({ device, authShare, addresses })
  } catch (thrown) {
    if (!isMisfit(thrown) || previous === undefined) throw thrown
    return work({ device: previous, authShare, addresses })
  }
}

/** The shares are of different splits or wallets. */
export function isMisfit(thrown: unknown): boolean {
  return isKeyFailure(thrown, 'BAD_SHARES', 'BAD_DEVICE_SHARE')
}
