import type { HostResult } from '@postern/protocol'
import { networkId, object, text } from '../state-guards'

const isReceiptShape = object({ networkId, hash: text(128, 1), from: text(128, 1) })

/** Whether the host answered a payment with a receipt. */
export function isReceipt(value: unknown): value is HostResult<'pay'> {
  return isReceiptShape(value)
}
