import { walletNamespaces } from '../namespaces'
import { addressKey } from '../namespaces/facts'
import type { Recovery, WalletAddresses, WalletEndClaim } from './wallet-shares'

/** First lines of signed texts. The wallet does not sign a dapp's message that begins with one. */
const ownTexts = {
  shares: 'Postern key shares',
  recovery: 'Postern recovery',
  addresses: 'Postern addresses',
  replacement: 'Postern new wallet',
  end: 'Postern wallet ended',
  removal: 'Postern device removed',
} as const
export const ownTextBeginnings: readonly string[] = Object.values(ownTexts).map((first) => `${first}\n`)

/** Canonical JSON. */
export function recoveryText(recovery: Recovery): string {
  return JSON.stringify(recovery, Object.keys(recovery).sort())
}

/** Proves that the submitter of shares has the key. `recovery`: {@link recoveryText}. */
export function shareProofText(fields: {
  readonly action: 'create' | 'device' | 'recovery' | 'replace'
  readonly userId: string
  readonly authShare: string
  readonly recoveryShare: string
  readonly recovery: string
}): string {
  return [ownTexts.shares, fields.action, fields.userId, fields.authShare, fields.recoveryShare, fields.recovery].join(
    '\n',
  )
}

/** Proves the owner's choice of a method. Without shares, so that any device may see it. */
export function recoveryProofText(fields: {
  readonly userId: string
  readonly generation: number
  readonly recovery: string
}): string {
  return [ownTexts.recovery, fields.userId, String(fields.generation), fields.recovery].join('\n')
}

/** `userHash`: SHA-256 of the user's id in hex. */
export function addressProofText(fields: {
  readonly userHash: string
  readonly generation: number
  readonly addresses: WalletAddresses
}): string {
  return [ownTexts.addresses, fields.userHash, String(fields.generation), ...linesOf(fields.addresses)].join('\n')
}

/** Signed by the key of `from`. */
export function replacementText(fields: {
  readonly userHash: string
  readonly from: WalletAddresses
  readonly to: WalletAddresses
}): string {
  return [ownTexts.replacement, fields.userHash, ...linesOf(fields.from), ...linesOf(fields.to)].join('\n')
}

/** Signed by the key of `addresses`. */
export function walletEndText(fields: {
  readonly userHash: string
  readonly addresses: WalletAddresses
  readonly end: WalletEndClaim
}): string {
  const { addresses, end } = fields
  const { what, generation, at } = end
  const lines = end.what === 'replaced' ? [...linesOf(addresses), ...linesOf(end.to)] : linesOf(addresses)
  return [ownTexts.end, what, fields.userHash, String(generation), String(at), ...lines].join('\n')
}

/** Signed by the key of `addresses`. */
export function deviceRemovalText(fields: {
  readonly userHash: string
  readonly deviceId: string
  readonly addresses: WalletAddresses
}): string {
  return [ownTexts.removal, fields.userHash, fields.deviceId, ...linesOf(fields.addresses)].join('\n')
}

function linesOf(addresses: WalletAddresses): readonly string[] {
  return walletNamespaces.map((namespace) => addressKey(namespace, addresses[namespace]))
}
