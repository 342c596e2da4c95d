/**
 * Calls between the embedded wallet's pages and the gateway: sign-in, sessions and key shares. They are JSON over POST
 * on the wallet's own origin, with `projectId` in the query. A call with a session has `Authorization: DPoP <session
 * token>` and, in the header `DPoP`, a proof by the key that the session is bound to (RFC 9449). A failure is an
 * {@link ErrorBody} whose first reason's `name` is a {@link WalletApiFailure}; a `Retry-After` header (seconds) says
 * when to retry, and after WRONG_CODE a `Tries-Left` header how often a code of an email can still be tried.
 *
 * 1. Only the answer to `email` reveals whether an account exists to a caller who has not proved that they own it. It
 *    emails the owner.
 * 2. `flow` and `claim` are 256-bit secrets of one sign-in, in base64url. The gateway stores only their hashes.
 * 3. Waiting calls (`…/device`, `…/claim`) respond within 25 s, with `pending` if nothing happened. The caller then
 *    asks again.
 * 4. Shares are base64url of the bytes of `shamir-secret-sharing`. The gateway encrypts them at rest; the two kinds
 *    have separate keys and separate tables.
 */
import type * as z from 'zod/mini'
import { accountCalls } from './account-calls'
import { shareCalls } from './share-calls'

/**
 * `session`: needs a session token and a proof by its key. `deviceToken`: a secret of the storage partition that
 * identifies the device.
 */
export const walletApi = { ...accountCalls, ...shareCalls } as const

/** Each carries a proof by a key, to which the new session is bound. */
export const signInCalls = ['emailVerify', 'socialClaim', 'farcasterClaim'] as const
export type SignInCall = (typeof signInCalls)[number]

export type WalletApiCall = keyof typeof walletApi
export type WalletApiBody<C extends WalletApiCall> = z.infer<(typeof walletApi)[C]['body']>
export type WalletApiAnswer<C extends WalletApiCall> = z.infer<(typeof walletApi)[C]['answer']>
