import type {
  PreviousWallet,
  RecoveryMethod,
  RecoveryRule,
  SocialProvider,
  WalletDevice,
  WalletRecovery,
  WalletStorage,
} from '@postern/protocol'

/** What this browser stores of the signed-in user, shown until the wallet's frame reports. Never an email address. */
export type ReturningUser = {
  /** Null after a sign-in by email or Farcaster. */
  readonly provider: SocialProvider | null
  readonly userName: string | null
  /** EVM chain ids on which the wallet has both account types. */
  readonly smartAccountNetworks: readonly number[]
}

export type Embedded = {
  readonly email: string | null
  readonly userName: string | null
  readonly provider: 'email' | 'farcaster' | SocialProvider
  /** On the active EVM network; one if that has no smart accounts. */
  readonly accounts: readonly { readonly address: string; readonly type: 'eoa' | 'smartAccount' }[]
  readonly preferred: 'eoa' | 'smartAccount'
  readonly smartAccountDeployed: boolean
  readonly storage: WalletStorage
  /** Needs an unlock in the wallet's own window on this device. */
  readonly locked: 'passkey' | 'passphrase' | null
  /** There is no wallet yet: the user first chooses its recovery method, one of these. */
  readonly recoveryWanted: RecoveryRule | null
  /** The wallet of this device's share ended on another device; the user first removes that share. */
  readonly ended: 'deleted' | 'replaced' | null
  /** The wallet was made for this sign-in. */
  readonly isNew: boolean
  /** The user answered Not now to the offer of a new wallet, on this device. */
  readonly isMovePutOff: boolean
  /** Null until `refreshWallet`. */
  readonly security: {
    readonly recovery: RecoveryMethod | null
    readonly devices: readonly WalletDevice[]
    /** Of other devices, unseen here; newest first. */
    readonly recoveries: readonly WalletRecovery[]
    /** An old copy of the servers' data may open the wallet. */
    readonly isExposed: boolean
    /** The wallet that the user moved from. */
    readonly previous: PreviousWallet | null
  } | null
}
