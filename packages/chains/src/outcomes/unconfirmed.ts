/** Sent; may still be executed. */

import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'

const Unconfirmed = z.object({
  /** Hash, user operation hash, signature, or txid. */
  sentHash: z.string().check(z.minLength(1), z.maxLength(128)),
  /** Set if wallet_getCallsStatus knows more. */
  callsId: z.optional(z.string().check(z.minLength(1), z.maxLength(8_194))),
})
export type Unconfirmed = z.infer<typeof Unconfirmed>

export function unconfirmed(sent: Unconfirmed, cause?: unknown): Failure {
  return new Failure('TRANSACTION_UNCONFIRMED', { data: sent, cause })
}

export function readUnconfirmed({ code, data }: Pick<Failure, 'code' | 'data'>): Unconfirmed | null {
  return code === 'TRANSACTION_UNCONFIRMED' ? (Unconfirmed.safeParse(data).data ?? null) : null
}
