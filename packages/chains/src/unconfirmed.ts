/** What left for a chain, and of which nobody says what became of it: it may still be carried out. */

import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'

const Unconfirmed = z.object({
  /** What it is known by where it was sent to: the hash of a transaction or of a user operation, a signature, a txid. */
  sentHash: z.string().check(z.minLength(1), z.maxLength(128)),
  /** Where wallet_getCallsStatus tells more than a hash does. */
  callsId: z.optional(z.string().check(z.minLength(1), z.maxLength(8_194))),
})
export type Unconfirmed = z.infer<typeof Unconfirmed>

/** In the place of an answer: neither a success nor a failure. */
export function unconfirmed(sent: Unconfirmed, cause?: unknown): Failure {
  return new Failure('TRANSACTION_UNCONFIRMED', { data: sent, cause })
}

/** What it is followed by; null for every other failure. */
export function readUnconfirmed({ code, data }: Pick<Failure, 'code' | 'data'>): Unconfirmed | null {
  return code === 'TRANSACTION_UNCONFIRMED' ? (Unconfirmed.safeParse(data).data ?? null) : null
}
