/** See spec §5. */
import * as z from 'zod/mini'

/** 0x and 64 hexadecimal digits. */
export const TransactionHash = z.string().check(z.regex(/^0x[0-9a-fA-F]{64}$/))

/** 0x and 62 or more hexadecimal digits. */
export const SignedMessage = z.string().check(z.regex(/^0x[0-9a-fA-F]{62,}$/))

export type RpcResponseClass = 'transactionHash' | 'signedMessage' | 'other'

/** The hash first: it also has the shape of a signed message. */
export function classifyRpcResponse(response: unknown): RpcResponseClass {
  if (TransactionHash.safeParse(response).success) return 'transactionHash'
  return SignedMessage.safeParse(response).success ? 'signedMessage' : 'other'
}
