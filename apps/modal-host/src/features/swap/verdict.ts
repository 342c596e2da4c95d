/** What stands between the form and a review: the one thing that is missing, in the order in which a form is filled. */
import type { Quote } from './quote'
import type { SwapToken } from './tokens'

export type Asked =
  /** Not yet: the amount is still being typed, or the service has not answered. */
  | { readonly kind: 'asking' }
  | { readonly kind: 'quote'; readonly quote: Quote }
  | { readonly kind: 'noRoute' }
  | { readonly kind: 'failed' }

export type FormState = {
  readonly from: SwapToken | null
  readonly to: SwapToken | null
  /** As it was typed. */
  readonly text: string
  /** Null where the text is no amount of `from`. */
  readonly amount: bigint | null
  /** Of `from`; null where nobody knows. */
  readonly balance: bigint | null
  readonly asked: Asked
}

export type Verdict =
  | { readonly kind: 'chooseFrom' | 'chooseTo' | 'enterAmount' | 'notAnAmount' | 'insufficient' }
  | { readonly kind: 'asking' | 'noRoute' | 'failed' }
  | {
      readonly kind: 'ready'
      readonly quote: Quote
      readonly amount: bigint
      readonly from: SwapToken
      readonly to: SwapToken
    }

/** A balance that nobody could read keeps nobody from a swap: the chain itself has the last word. */
export function verdictOf({ from, to, text, amount, balance, asked }: FormState): Verdict {
  if (from === null) return { kind: 'chooseFrom' }
  if (to === null) return { kind: 'chooseTo' }
  if (text.trim() === '' || amount === 0n) return { kind: 'enterAmount' }
  if (amount === null) return { kind: 'notAnAmount' }
  if (balance !== null && amount > balance) return { kind: 'insufficient' }
  if (asked.kind !== 'quote') return asked
  return { kind: 'ready', quote: asked.quote, amount, from, to }
}

/** Gas that a swap over two pools and its approval may take together, and half of that again. */
export const heldBackGas = 600_000n

/** How many bytes a swap may be: over several pools, through an aggregator's contract, with what its service adds of its own. What it is in fact its review counts. */
export const heldBackBytes = 5_000

/** All that can be paid: of the network's own currency what the fee will take is held back; null while nobody knows that. `fee` in wei. */
export function mostOf(token: SwapToken, balance: bigint, fee: bigint | null): bigint | null {
  if (!token.isNative) return balance
  if (fee === null) return null
  return balance > fee ? balance - fee : 0n
}

/** Whether the network's own currency suffices for the fee, and for what is paid where that is the same. Null where nobody knows. */
export function coversFee(
  { from, amount }: { readonly from: SwapToken; readonly amount: bigint },
  native: bigint | null,
  fee: bigint | null,
): boolean | null {
  if (native === null || fee === null) return null
  return native >= fee + (from.isNative ? amount : 0n)
}
