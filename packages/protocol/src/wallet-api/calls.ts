/**
 * Calls of the embedded wallet's pages to the gateway: sign-in, sessions and key shares.
 *
 * JSON over POST on the wallet's own origin, with `projectId` in the query. With a session:
 * `Authorization: DPoP <session token>`, and in `DPoP` a proof by the session's key (RFC 9449). A failure is an
 * {@link ErrorBody}; its first reason's `name` is a {@link WalletApiFailure}. `Retry-After`: seconds. `Tries-Left`:
 * remaining tries after WRONG_CODE.
 *
 * 1. Without proof of ownership, only the response of `email` reveals whether an account exists. It emails the owner.
 * 2. `flow` and `claim` are 256-bit secrets of one sign-in, in base64url. The gateway stores only their hashes.
 * 3. Waiting calls (`…/device`, `…/claim`) respond within 25 s, with `pending` if nothing happened. The caller repeats.
 * 4. Shares are base64url of the bytes of `shamir-secret-sharing`, encrypted at rest. Auth and recovery shares have
 *    separate keys and tables.
 */
import type * as z from 'zod/mini'
import { accountCalls } from './account-calls'
import { shareCalls } from './share-calls'

/**
 * `session`: needs a session token and a proof by its key.
 * `deviceToken`: secret of the storage partition; identifies the device.
 */
export const walletApi = { ...accountCalls, ...shareCalls } as const

/** Each carries a proof by the key that the new session is bound to. */
export const signInCalls = ['emailVerify', 'socialClaim', 'farcasterClaim'] as const
export type SignInCall = (typeof signInCalls)[number]

export type WalletApiCall = keyof typeof walletApi
export type WalletApiBody<C extends WalletApiCall> = z.infer<(typeof walletApi)[C]['body']>
export type WalletApiAnswer<C extends WalletApiCall> = z.infer<(typeof walletApi)[C]['answer']>
