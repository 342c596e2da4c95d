/**
 * Requests to a page with a sign-in plugin (interop §4).
 * A plugin's error keeps its message. A hanging call is TIMEOUT, a malformed result INTERNAL.
 */
import * as z from 'zod/mini'
import { CaipNetworkId } from '../caip'
import { SignInSession, SignInState, SignInText } from '../sign-in'

const Address = z.string().check(z.minLength(1), z.maxLength(128))
const SignedInAs = z.strictObject({ chainId: CaipNetworkId, address: Address })

/** `timeout` in ms. */
export const signInMethods = {
  siwxCreateMessage: {
    params: z.strictObject({ chainId: CaipNetworkId, accountAddress: Address }),
    result: SignInText,
    timeout: 30_000,
  },
  siwxAddSession: { params: z.strictObject({ session: SignInSession }), result: z.null(), timeout: 30_000 },
  siwxRevokeSession: { params: SignedInAs, result: z.null(), timeout: 30_000 },
  /** Replaces all. */
  siwxSetSessions: {
    params: z.strictObject({ sessions: z.array(SignInSession).check(z.maxLength(64)) }),
    result: z.null(),
    timeout: 30_000,
  },
  siwxGetState: { params: SignedInAs, result: SignInState, timeout: 30_000 },
} as const
export type SignInMethod = keyof typeof signInMethods
export type SignInParams<M extends SignInMethod> = z.infer<(typeof signInMethods)[M]['params']>
export type SignInResult<M extends SignInMethod> = z.infer<(typeof signInMethods)[M]['result']>
