/** What keeps a transfer from being asked for. */

import { exactUnits } from '@postern/chains/format'
import { checkSendForm, type ErrorCode, type Namespace } from '@postern/protocol'
import type { SendToken } from './token'
import type { Quote } from './ways/way'

export type SendProblem =
  /** In the words of the catalogue. */
  | { readonly field: 'amount' | 'recipient' | 'token'; readonly code: ErrorCode }
  /** More than there is. */
  | { readonly field: 'amount'; readonly kind: 'balance' }
  /** There is enough of it, but not for the fee too; `missing` of the network's currency. */
  | { readonly field: 'amount'; readonly kind: 'fee'; readonly needed: bigint }
  /** Less than the chain takes. */
  | { readonly field: 'amount'; readonly kind: 'least'; readonly least: bigint }
  /** An address at which this token would be lost, or not be taken. */
  | { readonly field: 'recipient'; readonly kind: NonNullable<Quote['refusal']> }
  /** A token that cannot be sent from here. */
  | { readonly field: 'amount'; readonly kind: NonNullable<Quote['obstacle']> }

export type SendEntry = {
  readonly namespace: Namespace
  readonly token: SendToken | null
  /** As it was typed. */
  readonly text: string
  /** Null where the text is no amount. */
  readonly amount: bigint | null
  /** Of the network, resolved; null while there is none. */
  readonly to: string | null
  /** Null until the chain was asked. */
  readonly quote: Quote | null
}

/**
 * The first thing that is wrong, in the order in which the form is filled (spec §5, §8), then by what the chain says. Null: it may be asked for. Without a quote
 * only what was typed is looked at: what a list said of a balance is older than what the chain says.
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

/** The same of the amount alone, to say it while it is typed. */
export function checkAmount(amount: bigint, quote: Quote | null): SendProblem | null {
  if (quote === null) return null
  if (quote.obstacle !== undefined) return { field: 'amount', kind: quote.obstacle }
  if (quote.refusal !== null) return { field: 'recipient', kind: quote.refusal }
  if (amount > quote.balance) return { field: 'amount', kind: 'balance' }
  if (amount > quote.max || quote.native < quote.needed) return { field: 'amount', kind: 'fee', needed: quote.needed }
  return amount < quote.least ? { field: 'amount', kind: 'least', least: quote.least } : null
}
