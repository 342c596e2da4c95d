import type {
  PreviousWallet,
  RecoveryMethod,
  RecoveryRule,
  SocialProvider,
  WalletDevice,
  WalletRecovery,
  WalletStorage,
} from '@postern/protocol'

/** Stored in this browser, shown until the wallet's frame reports. Never an email address. */
export type ReturningUser = {
  /** Null after a sign-in by email or Farcaster. */
  readonly provider: SocialProvider | null
  readonly userName: string | null
  readonly smartAccountNetworks: readonly number[]
}

export type Embedded = {
  readonly email: string | null
  readonly userName: string | null
  readonly provider: 'email' | 'farcaster' | SocialProvider
  /** Accounts on the active EVM network; a single one if that has no smart accounts. */
  readonly accounts: readonly { readonly address: string; readonly type: 'eoa' | 'smartAccount' }[]
  readonly preferred: 'eoa' | 'smartAccount'
  readonly smartAccountDeployed: boolean
  readonly storage: WalletStorage
  /** How the wallet's own window must unlock it. */
  readonly locked: 'passkey' | 'passphrase' | null
  /** No wallet yet: the user first chooses one of these. */
  readonly recoveryWanted: RecoveryRule | null
  /** Another device ended the wallet of this device's share, which the user first removes. */
  readonly ended: 'deleted' | 'replaced' | null
  readonly isNew: boolean
  /** "Not now" to the offer of a new wallet. */
  readonly isMovePutOff: boolean
  readonly security: {
    readonly recovery: RecoveryMethod | null
    readonly devices: readonly WalletDevice[]
    /** On other devices, not yet seen here; newest first. */
    readonly recoveries: readonly WalletRecovery[]
    /** An old copy of the servers' data may open the wallet. */
    readonly isExposed: boolean
    readonly previous: PreviousWallet | null
  } | null
}
