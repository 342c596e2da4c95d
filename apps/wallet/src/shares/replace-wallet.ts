import type { Recovery } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { KeySource } from '../contract'
import { isSameWallet } from '../same-wallet'
import type { StoredShare } from '../window-messages'
import { countedGeneration } from './choose-recovery'
import { sharesOf } from './replace-share'
import { callAs, storeOf, type WalletOptions, type WalletState } from './state'

/**
 * Moves the user to a new wallet.
 *
 * 1. Both wallets use a passkey or passphrase: the gateway never has two plain shares.
 * 2. The new device share is stored before the call. Once accepted, the old share becomes the previous wallet's. An
 *    interruption removes neither; the next opening finds out (`judgeShare`).
 * 3. The old wallet's key signs the new addresses, so that other devices can follow, and its own end, for devices that
 *    cannot (`findEnded`).
 * 4. The gateway must then report the new wallet. Otherwise the old one stays in use, with an error.
 */
export async function replaceWallet(
  options: WalletOptions,
  state: WalletState,
  given: { readonly recovery: Recovery; readonly draft: KeySource; readonly otp: string | undefined },
  withShares: <T>(work: (source: KeySource) => Promise<T>) => Promise<T>,
): Promise<WalletState> {
  const { recovery, draft, otp } = given
  const { userId } = state
  if (recovery.method === 'gateway' || state.recovery.method === 'gateway')
    throw new Failure('HARDENED_RECOVERY_REQUIRED')
  if (state.kind === 'locked') throw new Failure('WALLET_LOCKED')
  // Otherwise the gateway would have the only row of a device that forgets its share.
  if (state.kind === 'held') throw new Failure('STORAGE_DENIED')
  // If the call fails, this device's generation counts.
  const { wallet } = await callAs(options, userId, 'wallet', {}).catch(() => ({ wallet: null }))
  const { recoveryProof, split, signature, end } = await withShares(async (source) => {
    const ended = { generation: await countedGeneration(options, source, userId, wallet), at: options.now() }
    return options.signer.use((worker) => worker.replace(source, { userId, recovery, draft, ended }))
  })
  const { generation } = recoveryProof
  const share: StoredShare = { userId, device: split.device, generation }
  const store = await storeOf(options)
  await store.addNext(share)
  const { addresses } = draft
  const code = otp === undefined ? {} : { otp }
  const shares = sharesOf(options, split)
  const moved = { addresses, recovery, recoveryProof, shares, signature, end }
  await callAs(options, userId, 'replaceWallet', { ...moved, ...code })
  // Rule 4.
  const reported = await callAs(options, userId, 'wallet', {}).catch(() => null)
  if (reported !== null && !(reported.wallet && isSameWallet(reported.wallet.addresses, addresses)))
    throw new Failure('WALLET_NOT_REPORTED')
  await store.retire(userId, share)
  return { kind: 'row', userId, addresses, recovery, generation, isStale: false, isProven: true }
}
