/** Spec §5. */
import type { ErrorCode } from '../errors'
import type { Namespace } from '../namespaces'
import { namespaceFacts } from '../namespaces/facts'

export function isDecimal(text: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(text)
}

export type SendForm = {
  /** Whole units. */
  readonly amount?: string | undefined
  readonly receiver?: string | undefined
  readonly token?: string | undefined
}

export type SendFormError = Extract<
  ErrorCode,
  'AMOUNT_AND_RECEIVER_REQUIRED' | 'TOKEN_REQUIRED' | 'INVALID_DECIMAL' | 'INVALID_ADDRESS'
>

/** First error in the order of the fields, or null. */
export function checkSendForm(namespace: Namespace, { amount, receiver, token }: SendForm): SendFormError | null {
  if (!amount || !receiver) return 'AMOUNT_AND_RECEIVER_REQUIRED'
  if (!token) return 'TOKEN_REQUIRED'
  if (!isDecimal(amount) || !isPositive(amount)) return 'INVALID_DECIMAL'
  return isAddressOf(namespace, receiver) ? null : 'INVALID_ADDRESS'
}

/** Text, because a float rounds a tiny amount to zero. */
function isPositive(decimal: string): boolean {
  return !decimal.startsWith('-') && /[1-9]/.test(decimal)
}

/** Format only; chain libraries check checksums. */
export function isAddressOf(namespace: Namespace, text: string): boolean {
  return namespaceFacts[namespace].recipient.test(text)
}
