export const walletApiFailures = [
  /** See Retry-After, as for CHALLENGE_REQUIRED, TOO_MANY_ATTEMPTS, RECOVERY_WAITING and EMAIL_ON_HOLD. */
  'EMAIL_COOLDOWN',
  'INVALID_EMAIL',
  'CHALLENGE_REQUIRED',
  'WRONG_CODE',
  'CODE_EXPIRED',
  /** Used or replaced. */
  'CODE_SPENT',
  /** Limit of address, IP or project. */
  'TOO_MANY_ATTEMPTS',
  /** Unknown, expired or revoked. */
  'SESSION_EXPIRED',
  /** The session stays valid; the call needs a sign-in within ten minutes. */
  'SIGN_IN_TOO_OLD',
  /** The proof needs the response's `DPoP-Nonce`. The call had no effect. */
  'DPOP_REFUSED',
  'DEVICE_REVOKED',
  /** By the operator. */
  'USER_BLOCKED',
  'CONSENT_DENIED',
  'PROVIDER_FAILED',
  'STATE_MISMATCH',
  /** Two tabs created a wallet at once. */
  'WALLET_EXISTS',
  /** A user has max one. */
  'PREVIOUS_WALLET_EXISTS',
  'WALLET_NOT_FOUND',
  /** The project's waiting time for new devices. */
  'RECOVERY_WAITING',
  /** Not signed by the wallet's key. */
  'BAD_PROOF',
  /** The last device that recovery can open stays. */
  'LAST_DEVICE',
  /** Needs the key: another device opens the wallet. */
  'WALLET_IN_USE',
  /** The project requires a passkey or passphrase. */
  'HARDENED_RECOVERY_REQUIRED',
  'EMAIL_TAKEN',
  /** Changed within seven days, or frozen by the former address. */
  'EMAIL_ON_HOLD',
  'MAIL_FAILED',
] as const
export type WalletApiFailure = (typeof walletApiFailures)[number]
