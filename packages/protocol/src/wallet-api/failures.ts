export const walletApiFailures = [
  /** Less than 30 s after the last email; see Retry-After. */
  'EMAIL_COOLDOWN',
  'INVALID_EMAIL',
  /** Needs a solved challenge; see Retry-After. */
  'CHALLENGE_REQUIRED',
  'WRONG_CODE',
  'CODE_EXPIRED',
  /** Already used, or replaced. */
  'CODE_SPENT',
  /** Limit of address, IP or project; see Retry-After. */
  'TOO_MANY_ATTEMPTS',
  /** Unknown, expired or revoked. */
  'SESSION_EXPIRED',
  /** The session stays valid; this call needs a sign-in within ten minutes. */
  'SIGN_IN_TOO_OLD',
  /** The proof needs the response's `DPoP-Nonce`. The refused call had no effect. */
  'DPOP_REFUSED',
  'DEVICE_REVOKED',
  /** By the operator. */
  'USER_BLOCKED',
  /** Social sign-in: declined; provider failure; wrong state. */
  'CONSENT_DENIED',
  'PROVIDER_FAILED',
  'STATE_MISMATCH',
  /** Two tabs created a wallet at once. */
  'WALLET_EXISTS',
  /** The user may have only one. */
  'PREVIOUS_WALLET_EXISTS',
  'WALLET_NOT_FOUND',
  /** The project's waiting time for new devices; see Retry-After. */
  'RECOVERY_WAITING',
  /** The proof is not signed by the wallet's key. */
  'BAD_PROOF',
  /** The last device that recovery can open cannot be removed. */
  'LAST_DEVICE',
  /** Another device opens the wallet: deleting it, or removing that device, needs the wallet's key. */
  'WALLET_IN_USE',
  /** The project requires a passkey or passphrase. */
  'HARDENED_RECOVERY_REQUIRED',
  'EMAIL_TAKEN',
  /** The address changed within seven days, or the former address froze the account; see Retry-After. */
  'EMAIL_ON_HOLD',
  'MAIL_FAILED',
] as const
export type WalletApiFailure = (typeof walletApiFailures)[number]
