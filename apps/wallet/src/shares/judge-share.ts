import type { ErrorCode, WalletAddresses } from '@postern/protocol'
import { isSameWallet } from '../same-wallet'
import type { StoredShare } from '../window-messages'
import { generationOf, type ReportedWallet } from './state'

export type Verdict =
  | { readonly kind: 'create' }
  /** The response to this device's new wallet was lost. */
  | { readonly kind: 'created'; readonly reported: ReportedWallet }
  | { readonly kind: 'newDevice'; readonly reported: ReportedWallet }
  | { readonly kind: 'row'; readonly reported: ReportedWallet; readonly addresses: WalletAddresses }
  /** Version 1, or did not match before: it must be opened first. */
  | { readonly kind: 'unproven'; readonly reported: ReportedWallet }
  | { readonly kind: 'noRow'; readonly reported: ReportedWallet }
  /** The response to this device's replacement was lost. */
  | { readonly kind: 'replaced'; readonly reported: ReportedWallet; readonly next: StoredShare }
  /** Another wallet, possibly signed by this share's key. */
  | { readonly kind: 'elsewhere'; readonly reported: ReportedWallet; readonly from: WalletAddresses }
  | { readonly kind: 'refused'; readonly code: ErrorCode }

/**
 * Compares the gateway's report with this device's share. The gateway may lie, or have lost data.
 *
 * 1. With a share for this user, no wallet is created: WALLET_NOT_REPORTED.
 * 2. Other addresses, or another user's share: WALLET_ADDRESSES_CHANGED, except for a replacement that this device made
 *    (`next`) or its wallet's key signed.
 * 3. An earlier generation than this device's: WALLET_ROLLED_BACK.
 * 4. A share of version 1 must open before an address is shown.
 * 5. A new wallet that the gateway never accepted counts as no share: no user has seen its addresses.
 */
export function judgeShare(
  userId: string,
  share: StoredShare | null,
  reported: ReportedWallet | null,
  next: StoredShare | null = null,
): Verdict {
  const hasRow = reported?.devices.some(({ isThis }) => isThis) === true
  const binding = share?.device.binding
  if (share === null || share.isNew) {
    if (reported === null) return { kind: 'create' }
    const isOwn = hasRow && binding !== undefined && isSameWallet(binding.addresses, reported.addresses)
    return { kind: isOwn ? 'created' : 'newDevice', reported }
  }
  if (reported === null) return { kind: 'refused', code: 'WALLET_NOT_REPORTED' }
  const isSame =
    binding === undefined || (binding.userId === userId && isSameWallet(binding.addresses, reported.addresses))
  if (!isSame && next !== null && hasRow) return { kind: 'replaced', reported, next }
  if (!isSame) {
    const from = binding?.userId === userId ? binding.addresses : null
    const isNamed = from !== null && reported.replaces != null && isSameWallet(reported.replaces.from, from)
    return isNamed ? { kind: 'elsewhere', reported, from } : { kind: 'refused', code: 'WALLET_ADDRESSES_CHANGED' }
  }
  if (generationOf(reported) < knownGeneration(share)) return { kind: 'refused', code: 'WALLET_ROLLED_BACK' }
  if (!hasRow) return { kind: 'noRow', reported }
  return binding === undefined || share.isMismatched
    ? { kind: 'unproven', reported }
    : { kind: 'row', reported, addresses: binding.addresses }
}

export function knownGeneration(share: StoredShare | null): number {
  if (share === null) return 0
  const { device, previous, generation = 0 } = share
  // The gateway may not have accepted the new share.
  const proven = previous ?? device
  return Math.max(generation, proven.binding?.generation ?? 0)
}
