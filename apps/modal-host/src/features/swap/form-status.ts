import type { Quote } from './quote'
import type { SwapToken } from './tokens'

export type QuoteState =
  | { readonly kind: 'asking' }
  | { readonly kind: 'quote'; readonly quote: Quote }
  | { readonly kind: 'noRoute' }
  | { readonly kind: 'failed' }

export type FormState = {
  readonly from: SwapToken | null
  readonly to: SwapToken | null
  readonly text: string
  readonly amount: bigint | null
  /** Balance of `from`; null if unknown. */
  readonly balance: bigint | null
  readonly quoteState: QuoteState
}

export type FormStatus =
  | { readonly kind: 'chooseFrom' | 'chooseTo' | 'enterAmount' | 'notAnAmount' | 'insufficient' }
  | { readonly kind: 'asking' | 'noRoute' | 'failed' }
  | {
      readonly kind: 'ready'
      readonly quote: Quote
      readonly amount: bigint
      readonly from: SwapToken
      readonly to: SwapToken
    }

/** An unknown balance blocks nothing: the chain decides. */
export function formStatusOf({ from, to, text, amount, balance, quoteState }: FormState): FormStatus {
  if (from === null) return { kind: 'chooseFrom' }
  if (to === null) return { kind: 'chooseTo' }
  if (text.trim() === '' || amount === 0n) return { kind: 'enterAmount' }
  if (amount === null) return { kind: 'notAnAmount' }
  if (balance !== null && amount > balance) return { kind: 'insufficient' }
  if (quoteState.kind !== 'quote') return quoteState
  return { kind: 'ready', quote: quoteState.quote, amount, from, to }
}

/** Gas of a two-pool swap with its approval, plus 50%. */
export const reservedGas = 600_000n

/** Bytes of an aggregator's swap; the review uses the actual size. */
export const reservedBytes = 5_000

/** The balance without the reserved native `fee` (wei); null while that is unknown. */
export function maxAmount(token: SwapToken, balance: bigint, fee: bigint | null): bigint | null {
  if (!token.isNative) return balance
  if (fee === null) return null
  return balance > fee ? balance - fee : 0n
}

/** Whether the native balance covers the fee, and a native amount. Null if unknown. */
export function coversFee(
  { from, amount }: { readonly from: SwapToken; readonly amount: bigint },
  native: bigint | null,
  fee: bigint | null,
): boolean | null {
  if (native === null || fee === null) return null
  return native >= fee + (from.isNative ? amount : 0n)
}
