/** What a wallet is asked and what it answers, told apart by shape (spec §5). */
import * as z from 'zod/mini'

/** 0x and 64 hexadecimal characters. */
export const TransactionHash = z.string().check(z.regex(/^0x[0-9a-fA-F]{64}$/))

/** 0x and at least 62 hexadecimal characters. */
export const SignedMessage = z.string().check(z.regex(/^0x[0-9a-fA-F]{62,}$/))

export type RpcResponseClass = 'transactionHash' | 'signedMessage' | 'other'

/** A transaction hash has the form of a signed message too: it is looked for first. */
export function classifyRpcResponse(response: unknown): RpcResponseClass {
  if (TransactionHash.safeParse(response).success) return 'transactionHash'
  return SignedMessage.safeParse(response).success ? 'signedMessage' : 'other'
}
