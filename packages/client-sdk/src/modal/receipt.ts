import type { HostResult } from '@postern/protocol'
import { networkId, object, text } from '../state-guards'

const isReceiptShape = object({ networkId, hash: text(128, 1), from: text(128, 1) })

export function isReceipt(value: unknown): value is HostResult<'pay'> {
  return isReceiptShape(value)
}
