/** Sign-in with wallet: the message, the session, and the one rule about its configuration (spec §3, §5; CAIP-122). */
import * as z from 'zod/mini'
import { CaipNetworkId } from './caip'
import type { ErrorCode } from './errors'

/** Fields of the message that a visitor signs. Times are ISO 8601. */
export const SignInMessage = z.object({
  accountAddress: z.string().check(z.minLength(1)),
  chainId: CaipNetworkId,
  domain: z.string().check(z.minLength(1)),
  uri: z.string().check(z.minLength(1)),
  version: z.string(),
  nonce: z.string().check(z.minLength(1)),
  statement: z.optional(z.string()),
  issuedAt: z.optional(z.string()),
  expirationTime: z.optional(z.string()),
  notBefore: z.optional(z.string()),
  requestId: z.optional(z.string()),
  resources: z.optional(z.array(z.string())),
})
export type SignInMessage = z.infer<typeof SignInMessage>

/** A signed message. `message` is the text that was signed; `cacao` the CAIP-74 object where a wallet gave one. */
export const SignInSession = z.object({
  data: SignInMessage,
  message: z.string(),
  signature: z.string(),
  cacao: z.optional(z.unknown()),
})
export type SignInSession = z.infer<typeof SignInSession>

/** `siweConfig` and `siwx` may not both be set (spec §5). */
export function checkSignInOptions(options: {
  readonly siweConfig?: unknown
  readonly siwx?: unknown
}): Extract<ErrorCode, 'SIWX_CONFLICT'> | null {
  return isSet(options.siweConfig) && isSet(options.siwx) ? 'SIWX_CONFLICT' : null
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null
}
