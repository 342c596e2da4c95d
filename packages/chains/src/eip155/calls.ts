import * as z from 'zod/mini'
import { parseAnswer } from '../nodes/ask-node'

export type CallsEnd = {
  readonly outcome:
    | { readonly kind: 'confirmed' | 'partlyReverted' | 'dropped' }
    | { readonly kind: 'reverted'; readonly reason: null }
  readonly hash: string | null
}

const CallsStatus = z.object({
  status: z.int(),
  receipts: z.optional(z.array(z.object({ transactionHash: z.string().check(z.regex(/^0x[0-9a-fA-F]{64}$/)) }))),
})

/** EIP-5792; 100 is pending. */
const ends: ReadonlyMap<number, CallsEnd['outcome']> = new Map<number, CallsEnd['outcome']>([
  [200, { kind: 'confirmed' }],
  [400, { kind: 'dropped' }],
  [500, { kind: 'reverted', reason: null }],
  [600, { kind: 'partlyReverted' }],
])

/** Null while pending. @throws INTERNAL for another shape */
export function endOfCalls(answer: unknown): CallsEnd | null {
  const { status, receipts } = parseAnswer(CallsStatus, answer)
  const outcome = ends.get(status)
  return outcome === undefined ? null : { outcome, hash: receipts?.at(-1)?.transactionHash ?? null }
}
