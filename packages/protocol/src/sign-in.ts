/** Sign-in messages and sessions (spec §3, §5; CAIP-122). */
import * as z from 'zod/mini'
import { CaipNetworkId } from './caip'

/** UTF-16 code units: fits a hundred resources. */
export const maxSignInTextLength = 16_384
const Field = z.string().check(z.minLength(1), z.maxLength(2048))
const Time = z.string().check(z.maxLength(64))

/** Times: ISO 8601. */
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

/** `cacao`: CAIP-74, if the wallet returned one. */
export const SignInSession = z.strictObject({
  data: SignInMessage,
  message: z.string().check(z.minLength(1), z.maxLength(maxSignInTextLength)),
  signature: z.string().check(z.minLength(1), z.maxLength(16_384)),
  cacao: z.optional(z.unknown()),
})
export type SignInSession = z.infer<typeof SignInSession>

/** One account on one chain (interop §4). */
export const SignInState = z.object({
  isSignedIn: z.boolean(),
  /** Epoch ms; null if unlimited. */
  expiresAt: z.nullable(z.int()),
  isRequired: z.boolean(),
  endsWithConnection: z.boolean(),
})
export type SignInState = z.infer<typeof SignInState>

/** `message`: the exact text of `data`. */
export const SignInText = z.object({
  data: SignInMessage,
  message: z.string().check(z.minLength(1), z.maxLength(maxSignInTextLength)),
})
export type SignInText = z.infer<typeof SignInText>
