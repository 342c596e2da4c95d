/** The user's cancellation is in a block. */

import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'

const Cancelled = z.object({
  /** Hash of the first version. */
  sentHash: z.string().check(z.minLength(1), z.maxLength(128)),
  transactionHash: z.string().check(z.minLength(1), z.maxLength(128)),
})
type Cancelled = z.infer<typeof Cancelled>

const reason = 'cancelled'

export function cancelled(sent: Cancelled): Failure {
  return new Failure('TRANSACTION_REPLACED', { data: { ...sent, reason } })
}

export function readCancelled({ code, data }: Pick<Failure, 'code' | 'data'>): Cancelled | null {
  const Data = z.extend(Cancelled, { reason: z.literal(reason) })
  return code === 'TRANSACTION_REPLACED' ? (Data.safeParse(data).data ?? null) : null
}
