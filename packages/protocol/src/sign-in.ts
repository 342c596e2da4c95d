/** Sign-in with wallet: the message, the session, and the one rule about its configuration (spec §3, §5; CAIP-122). */
import * as z from 'zod/mini'
import { CaipNetworkId } from './caip'
import type { ErrorCode } from './errors'

/** The longest signed text, in code units: a message with a hundred resources. */
export const longestSignInText = 16_384
const Field = z.string().check(z.minLength(1), z.maxLength(2048))
const Time = z.string().check(z.maxLength(64))

/** Fields of the message that a visitor signs. Times are ISO 8601. */
export const SignInMessage = z.strictObject({
  accountAddress: z.string().check(z.minLength(1), z.maxLength(128)),
  chainId: CaipNetworkId,
  domain: Field,
  uri: Field,
  version: z.string().check(z.maxLength(16)),
  nonce: z.string().check(z.minLength(1), z.maxLength(512)),
  statement: z.optional(z.string().check(z.maxLength(4096))),
  issuedAt: z.optional(Time),
  expirationTime: z.optional(Time),
  notBefore: z.optional(Time),
  requestId: z.optional(z.string().check(z.maxLength(512))),
  resources: z.optional(z.array(z.string().check(z.maxLength(2048))).check(z.maxLength(128))),
})
export type SignInMessage = z.infer<typeof SignInMessage>

/** A signed message. `message` is the text that was signed; `cacao` the CAIP-74 object where a wallet gave one. */
export const SignInSession = z.strictObject({
  data: SignInMessage,
  message: z.string().check(z.minLength(1), z.maxLength(longestSignInText)),
  signature: z.string().check(z.minLength(1), z.maxLength(16_384)),
  cacao: z.optional(z.unknown()),
})
export type SignInSession = z.infer<typeof SignInSession>

/** What the page's plugin says of one account on one chain at this time (interop §4). No signature crosses the link for it. */
export const SignInState = z.object({
  /** A session of this account on this chain is there, and in force. */
  isSignedIn: z.boolean(),
  /** Epoch ms at which that session ends; null where it does not say. */
  expiresAt: z.nullable(z.int()),
  /** Whether nobody may go on without signing in. */
  isRequired: z.boolean(),
  /** Whether sessions end with the connection. */
  endsWithConnection: z.boolean(),
})
export type SignInState = z.infer<typeof SignInState>

/** A message to sign: `message` is the very text, `data` its fields. */
export const SignInText = z.object({
  data: SignInMessage,
  message: z.string().check(z.minLength(1), z.maxLength(longestSignInText)),
})
export type SignInText = z.infer<typeof SignInText>

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
