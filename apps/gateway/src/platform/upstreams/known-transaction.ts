/** Hash of a transaction that an upstream already has: another relayed it before it failed, which is a success. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { base58, base64 } from '@scure/base'
import * as z from 'zod/mini'

export type SentCall = { readonly method: string; readonly params?: unknown }

/** @returns undefined without a transaction, or for another refusal. */
export function knownTransaction(call: SentCall, message: string): string | undefined {
  switch (call.method) {
    case 'eth_sendRawTransaction':
      return /already (known|imported)|known transaction/i.test(message) ? evmHash(call.params) : undefined
    case 'sendTransaction':
      return /already been processed/i.test(message) ? solanaSignature(call.params) : undefined
    default:
      return undefined
  }
}

/** The nonce is used up, by this transaction or another: ask the upstream. @returns as {@link knownTransaction}. */
export function maybeMined(call: SentCall, message: string): string | undefined {
  return call.method === 'eth_sendRawTransaction' && /nonce (?:is )?too low|old ?nonce/i.test(message)
    ? evmHash(call.params)
    : undefined
}

function evmHash(params: unknown): string | undefined {
  const raw = Array.isArray(params) ? params[0] : undefined
  if (typeof raw !== 'string' || !/^0x(?:[0-9a-f]{2})+$/i.test(raw)) return undefined
  return `0x${bytesToHex(keccak_256(hexToBytes(raw.slice(2))))}`
}

/** Default: base58. Source: https://solana.com/docs/rpc/http/sendtransaction */
const SendTransaction = z.tuple(
  [z.string().check(z.maxLength(2_048))],
  z.catch(z.object({ encoding: z.optional(z.enum(['base58', 'base64'])) }), {}),
)

/** The first signature: 64 bytes after the count (compact-u16, below 128). */
function solanaSignature(params: unknown): string | undefined {
  const parsed = SendTransaction.safeParse(params)
  if (!parsed.success) return undefined
  const [text, options] = parsed.data
  try {
    const bytes = (options?.encoding === 'base64' ? base64 : base58).decode(text)
    const count = bytes[0] ?? 0
    return count >= 1 && count < 128 && bytes.length > 1 + 64 * count ? base58.encode(bytes.subarray(1, 65)) : undefined
  } catch {
    return undefined
  }
}
