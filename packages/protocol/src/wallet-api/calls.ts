/**
 * Calls of the embedded wallet's pages to the gateway: JSON over POST on the wallet's own origin.
 * `projectId` is in the query. A session sends `Authorization: DPoP <token>` and a proof by its key (RFC 9449). A
 * failure is an {@link ErrorBody} whose first reason is a {@link WalletApiFailure}. `Retry-After`: seconds.
 * `Tries-Left`: after WRONG_CODE.
 *
 * 1. Only `email` reveals whether an account exists, and emails the owner.
 * 2. `flow` and `claim` are 256-bit secrets in base64url. The gateway stores only their hashes.
 * 3. Waiting calls (`…/device`, `…/claim`) respond within 25 s, perhaps with `pending`. The caller repeats.
 * 4. Shares are base64url of `shamir-secret-sharing`, encrypted at rest: auth and recovery shares with separate keys,
 *    in separate tables.
 */
import type * as z from 'zod/mini'
import { accountCalls } from './account-calls'
import { shareCalls } from './share-calls'

/** `deviceToken`: secret of the storage partition; identifies the device. */
export const walletApi = { ...accountCalls, ...shareCalls } as const

/** Each proves the key that binds the new session. */
export const signInCalls = ['emailVerify', 'socialClaim', 'farcasterClaim'] as const
export type SignInCall = (typeof signInCalls)[number]

export type WalletApiCall = keyof typeof walletApi
export type WalletApiBody<C extends WalletApiCall> = z.infer<(typeof walletApi)[C]['body']>
export type WalletApiAnswer<C extends WalletApiCall> = z.infer<(typeof walletApi)[C]['answer']>
