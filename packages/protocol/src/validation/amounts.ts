/** Amounts and the send form (spec §5). */
import { Eip155Address, type Namespace, SolanaAddress } from '../caip'
import type { ErrorCode } from '../errors'

/** Optional minus sign, digits, optional fraction. */
export function isDecimal(text: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(text)
}

export type SendForm = {
  /** Decimal text in the token's own unit. */
  readonly amount?: string | undefined
  readonly receiver?: string | undefined
  /** CAIP-10 address of the token, or whatever names the native currency; only its presence counts here. */
  readonly token?: string | undefined
}

export type SendFormError = Extract<
  ErrorCode,
  'AMOUNT_AND_RECEIVER_REQUIRED' | 'TOKEN_REQUIRED' | 'INVALID_DECIMAL' | 'INVALID_ADDRESS'
>

/** What still keeps the form from being sent, in the order in which the visitor fills it; null when nothing does. */
export function checkSendForm(namespace: Namespace, { amount, receiver, token }: SendForm): SendFormError | null {
  if (!amount || !receiver) return 'AMOUNT_AND_RECEIVER_REQUIRED'
  if (!token) return 'TOKEN_REQUIRED'
  if (!isDecimal(amount) || !isPositive(amount)) return 'INVALID_DECIMAL'
  return isAddressOf(namespace, receiver) ? null : 'INVALID_ADDRESS'
}

/** Of a decimal. By its text: an amount that is too small for a float is no zero. */
function isPositive(decimal: string): boolean {
  return !decimal.startsWith('-') && /[1-9]/.test(decimal)
}

/** Whether text has the form of an address of the namespace. Checksums are the chain library's affair. */
export function isAddressOf(namespace: Namespace, text: string): boolean {
  if (namespace === 'eip155') return Eip155Address.safeParse(text).success
  if (namespace === 'solana') return SolanaAddress.safeParse(text).success
  return bitcoinAddress.test(text)
}

/** Base58check (P2PKH, P2SH) or bech32 of mainnet, testnet and regtest; bech32 is of one case throughout (BIP-173). */
const bitcoinAddress =
  /^(?:[123mn][1-9A-HJ-NP-Za-km-z]{25,34}|(?:bc|tb|bcrt)1[02-9ac-hj-np-z]{11,71}|(?:BC|TB|BCRT)1[02-9AC-HJ-NP-Z]{11,71})$/
