import type { WalletAddresses, WalletEnd } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { EndedWallet, KeySource, ShareBinding } from '../contract'
import { isSameWallet } from '../same-wallet'
import type { StoredShare } from '../window-messages'
import { countedGeneration } from './choose-recovery'
import { knownGeneration } from './judge-share'
import { callAs, type ReportedWallet, storeOf, type WalletOptions, type WalletState } from './state'

type WalletAnswer = { readonly wallet: ReportedWallet | null; readonly ends?: readonly WalletEnd[] | undefined }

/**
 * Finds the signed statement that the wallet of this device's share has ended. The gateway's word alone is ignored.
 *
 * 1. The key of the share's wallet signed it, over the share's three addresses.
 * 2. It is for the share's user.
 * 3. Its generation is not earlier than this device's: a later choice withdraws older statements.
 * 4. A replacement leads to the reported wallet, directly or by statements of the wallets between.
 * 5. A deletion counts if the gateway reports no wallet, or another account's.
 * 6. While the gateway reports the share's wallet, that wallet opens (`findWallet`).
 * 7. Version 1 stores only an encrypted address, so its statements are ignored.
 */
export async function findEnded(
  options: WalletOptions,
  userId: string,
  share: StoredShare,
  reported: WalletAnswer,
): Promise<EndedWallet | null> {
  const binding = share.device.binding
  if (options.isPrevious || share.isNew || binding === undefined || binding.userId !== share.userId) return null
  const isOwn = share.userId === userId
  const now = isOwn ? (reported.wallet?.addresses ?? null) : null
  const end = await firstEnd(options, { binding, generation: knownGeneration(share), now }, reported.ends ?? [])
  return end && { kind: 'ended', userId, ownerId: share.userId, from: binding.addresses, to: now, end }
}

/** For a deleted account, which had another user id. */
export async function findEndedBefore(
  options: WalletOptions,
  userId: string,
  reported: WalletAnswer,
): Promise<EndedWallet | null> {
  if (reported.ends === undefined || reported.ends.length === 0) return null
  for (const share of await (await storeOf(options)).shares()) {
    if (share.userId === userId) continue
    const found = await findEnded(options, userId, share, reported)
    if (found !== null) return found
  }
  return null
}

type Sought = {
  readonly binding: ShareBinding
  /** The earliest valid. */
  readonly generation: number
  readonly now: WalletAddresses | null
}

async function firstEnd(
  { signer }: WalletOptions,
  { binding, generation, now }: Sought,
  ends: readonly WalletEnd[],
): Promise<WalletEnd | null> {
  const { userId, addresses } = binding
  const seen = new Set<WalletEnd>()
  const signedBy = async (from: WalletAddresses, earliest: number) => {
    const found: WalletEnd[] = []
    for (const end of ends) {
      if (seen.has(end) || end.generation < earliest) continue
      if (await signer.use((worker) => worker.isEnd({ userId, addresses: from, end }))) found.push(end)
    }
    return found
  }
  async function leadsToNow(end: WalletEnd): Promise<boolean> {
    seen.add(end)
    if (end.what === 'deleted') return now === null
    if (now !== null && isSameWallet(end.to, now)) return true
    for (const next of await signedBy(end.to, 0)) if (await leadsToNow(next)) return true
    return false
  }
  for (const end of await signedBy(addresses, generation)) if (await leadsToNow(end)) return end
  return null
}

/**
 * Removes the share. While the gateway has the wallet as the previous one, the share stays, so that the user can move
 * the remaining assets.
 */
export async function forgetEnded(options: WalletOptions, { userId, ownerId, from }: EndedWallet): Promise<void> {
  const store = await storeOf(options)
  const share = await store.share(ownerId)
  if (share?.device.binding === undefined || !isSameWallet(share.device.binding.addresses, from))
    throw new Failure('WALLET_ADDRESSES_CHANGED')
  if (ownerId === userId) {
    const { wallet } = await callAs(options, userId, 'wallet', { which: 'previous' })
    if (wallet !== null && isSameWallet(wallet.addresses, from)) return store.retire(userId, null)
  }
  await store.dropShare(ownerId)
}

/** Undefined if the wallet does not open here: it is then deleted without a statement. */
export async function signDeletion(
  options: WalletOptions,
  state: WalletState,
  withShares: <T>(work: (source: KeySource) => Promise<T>) => Promise<T>,
): Promise<WalletEnd | undefined> {
  if (state.kind === 'locked') return undefined
  const { userId } = state
  const { wallet } = await callAs(options, userId, 'wallet', {})
  return withShares(async (source) => {
    const generation = await countedGeneration(options, source, userId, wallet)
    return options.signer.use((worker) =>
      worker.endDeleted(source, { userId, ended: { generation, at: options.now() } }),
    )
  })
}
