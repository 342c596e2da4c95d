import { exactUnits } from '@postern/chains/format'
import { checkSendForm, type ErrorCode, type Namespace } from '@postern/protocol'
import type { Quote } from './senders/sender'
import type { SendToken } from './token'

export type SendProblem =
  | { readonly field: 'amount' | 'recipient' | 'token'; readonly code: ErrorCode }
  | { readonly field: 'amount'; readonly kind: 'balance' }
  /** The balance covers the amount but not the fee; `needed` is in the native currency. */
  | { readonly field: 'amount'; readonly kind: 'fee'; readonly needed: bigint }
  | { readonly field: 'amount'; readonly kind: 'min'; readonly min: bigint }
  /** The transfer would be lost or refused at this address. */
  | { readonly field: 'recipient'; readonly kind: NonNullable<Quote['refusal']> }
  | { readonly field: 'amount'; readonly kind: NonNullable<Quote['obstacle']> }

export type SendEntry = {
  readonly namespace: Namespace
  readonly token: SendToken | null
  readonly text: string
  readonly amount: bigint | null
  readonly to: string | null
  readonly quote: Quote | null
}

/**
 * The first problem, in the form's order (spec §5, §8), then the quote's. Without a quote only the typed values are
 * checked: a list's balance may be outdated.
 */
export function checkSend({ namespace, token, text, amount, to, quote }: SendEntry): SendProblem | null {
  const decimal = amount === null || token === null ? text : exactUnits(amount, token.decimals)
  const code = checkSendForm(namespace, { amount: decimal, receiver: to ?? '', token: token?.key })
  if (code === 'AMOUNT_AND_RECEIVER_REQUIRED') return { field: text === '' ? 'amount' : 'recipient', code }
  if (code === 'TOKEN_REQUIRED') return { field: 'token', code }
  if (code === 'INVALID_ADDRESS') return { field: 'recipient', code }
  if (code !== null || amount === null || token === null) return { field: 'amount', code: 'INVALID_DECIMAL' }
  return checkAmount(amount, quote)
}

export function checkAmount(amount: bigint, quote: Quote | null): SendProblem | null {
  if (quote === null) return null
  if (quote.obstacle !== undefined) return { field: 'amount', kind: quote.obstacle }
  if (quote.refusal !== null) return { field: 'recipient', kind: quote.refusal }
  if (amount > quote.balance) return { field: 'amount', kind: 'balance' }
  if (amount > quote.max || quote.native < quote.needed) return { field: 'amount', kind: 'fee', needed: quote.needed }
  return amount < quote.min ? { field: 'amount', kind: 'min', min: quote.min } : null
}
