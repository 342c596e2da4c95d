/** Spec §5. */
import type { ErrorCode } from '../errors'
import type { Namespace } from '../namespaces'
import { namespaceFacts } from '../namespaces/facts'

export function isDecimal(text: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(text)
}

export type SendForm = {
  /** Decimal text, whole units. */
  readonly amount?: string | undefined
  readonly receiver?: string | undefined
  /** CAIP-10, or any name of the native currency: only its presence is checked. */
  readonly token?: string | undefined
}

export type SendFormError = Extract<
  ErrorCode,
  'AMOUNT_AND_RECEIVER_REQUIRED' | 'TOKEN_REQUIRED' | 'INVALID_DECIMAL' | 'INVALID_ADDRESS'
>

/** First error in the order of the fields; null if the form can be sent. */
export function checkSendForm(namespace: Namespace, { amount, receiver, token }: SendForm): SendFormError | null {
  if (!amount || !receiver) return 'AMOUNT_AND_RECEIVER_REQUIRED'
  if (!token) return 'TOKEN_REQUIRED'
  if (!isDecimal(amount) || !isPositive(amount)) return 'INVALID_DECIMAL'
  return isAddressOf(namespace, receiver) ? null : 'INVALID_ADDRESS'
}

/** Compares text: a float would round a tiny amount to zero. */
function isPositive(decimal: string): boolean {
  return !decimal.startsWith('-') && /[1-9]/.test(decimal)
}

/** Format only; chain libraries check checksums. */
export function isAddressOf(namespace: Namespace, text: string): boolean {
  return namespaceFacts[namespace].recipient.test(text)
}
