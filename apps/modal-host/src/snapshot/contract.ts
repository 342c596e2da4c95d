/** One immutable {@link HostSnapshot} to render; all effects are behind {@link HostActions}. */
import type {
  AlertText,
  ApprovalRequest,
  CaipNetworkId,
  Connection,
  ConnectMethod,
  ConnectorGroup,
  ErrorCode,
  Features,
  Metadata,
  Namespace,
  Network,
  PaymentReceipt,
  PaymentRequest,
  ProjectPage,
  RecoveryMethod,
  SocialProvider,
  SwapArguments,
  Theme,
  ThemeMode,
  texts,
  ViewName,
  WalletDevice,
  WalletEntry,
  WalletStorage,
  WalletWindowPurpose,
} from '@postern/protocol'
import type { Failure } from '@postern/protocol/failure'
import type { StoreApi } from 'zustand/vanilla'
import type { Intent } from '../intent/contract'
import type { Asker } from './askers'
import type { MoneyHost, TrackedTransaction } from './money'
import type { SentOutcome } from './sent-outcome'

export type { ConnectorGroup, SentOutcome }

export type WalletRow = {
  /** Stable across reloads: `rdns`, directory id, `standard:<name>`, `injected:<what>`, `walletConnect`. */
  readonly id: string
  readonly name: string
  readonly group: ConnectorGroup
  /** `data:` URI, or a path of the directory's image. */
  readonly imageUrl?: string
  /** One per namespace; several make a MULTI_CHAIN wallet. Empty if not in the page. */
  readonly connectors: readonly { readonly connectorId: string; readonly namespace: Namespace }[]
  /** Reachable by WalletConnect; without an `entry` it is WalletConnect itself. */
  readonly walletConnect?: true
  /** Links of the wallet, and where to get it. */
  readonly entry?: WalletEntry
}

export type Pairing =
  /** Loading the code, or connecting to the relay. */
  | { readonly kind: 'preparing' }
  /** `uri`: content of the QR code, replaced before `expiresAt` (epoch ms). */
  | { readonly kind: 'ready'; readonly uri: string; readonly expiresAt: number }

export type ConnectAttempt = {
  readonly row: WalletRow
  /** `page`: ConnectingExternal. `walletConnect`: ConnectingWalletConnect, or …Basic for the row without entry. */
  readonly via: 'page' | 'walletConnect'
  readonly status:
    | { readonly kind: 'waiting' }
    /** The user chooses a namespace first (`row.connectors`). */
    | { readonly kind: 'choosing' }
    /** The wallet already shows a request (-32002), or is locked. */
    | { readonly kind: 'pendingInWallet' }
    | { readonly kind: 'declined' }
    /** The pairing expired without a response. */
    | { readonly kind: 'expired' }
    | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string }
    /** Not reachable: show where to get it. */
    | { readonly kind: 'notInstalled' }
    | { readonly kind: 'connected' }
  /** While waiting for WalletConnect. */
  readonly pairing?: Pairing
  /** Epoch ms (1 s after a failure, spec §9). */
  readonly retryAt: number
}

export type RelayStatus = 'unused' | 'connecting' | 'connected' | 'lost'

export type SwitchAttempt = {
  readonly networkId: CaipNetworkId
  readonly status:
    | { readonly kind: 'waiting' }
    | { readonly kind: 'declined' }
    | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string }
}

export type NativeBalance =
  | { readonly kind: 'loading' }
  /** `formatted`: spec §9, rounded down to 3 decimals; `'0.00'` on test and unsupported networks. */
  | { readonly kind: 'ready'; readonly formatted: string; readonly symbol: string }
  | { readonly kind: 'failed' }

/** A repeated message reappears after 150 ms (spec §9). */
export type Snackbar = {
  readonly key: number
  readonly tone: 'neutral' | 'good' | 'bad'
  readonly text: string
  /** Set if `text` is the protocol's English. */
  readonly common?: CommonText | undefined
}

/** Translation key of a protocol text (`errors`, `texts`). */
export type CommonText = `error.${ErrorCode}` | `alert.${ErrorCode}.${keyof AlertText}` | `text.${keyof typeof texts}`

/** An alert of spec §8: a problem for the user or the dapp's developer to fix. */
export type Alert = AlertText & {
  readonly code: ErrorCode
  readonly values?: Readonly<Record<string, string>>
}

/** `error` has the catalogue's message; the failed step stays. */
export type SignIn = {
  readonly error: { readonly code: ErrorCode; readonly message: string } | null
} & (
  | {
      readonly kind: 'email'
      readonly email: string
      /** `device`: a link was emailed; `code`: a code was. `opening`: signed in, creating or loading the key. */
      readonly step: 'sending' | 'device' | 'code' | 'verifying' | 'opening'
      /** Epoch ms for the next email (30 s, spec §9). */
      readonly resendAt: number
    }
  | {
      readonly kind: 'social'
      readonly provider: SocialProvider
      /** `code`: the provider's page shows six digits to enter here. */
      readonly step: 'starting' | 'window' | 'code' | 'opening'
    }
  /** `url`: content of the QR code. */
  | { readonly kind: 'farcaster'; readonly step: 'starting' | 'waiting' | 'opening'; readonly url?: string }
)

/** A code to the current address, then one to the new address (spec §4). */
export type EmailChangeAttempt = {
  readonly email: string
  readonly step: 'sending' | 'primary' | 'secondary' | 'verifying'
  readonly error: { readonly code: ErrorCode; readonly message: string } | null
}

/** Wallet sign-in (spec §4). */
export type SignInPrompt = {
  /** `ConnectingSiwe`: the older configuration. */
  readonly view: 'SIWXSignMessage' | 'ConnectingSiwe'
  /** Host of the dapp's page, as reported by the browser. */
  readonly domain: string
  readonly namespace: Namespace
  readonly networkId: CaipNetworkId
  readonly address: string
  readonly wallet: { readonly name: string; readonly imageUrl?: string }
  /** False until known. */
  readonly isRequired: boolean
  /** `asked`: waiting for the user. `preparing`, `saving`: for the dapp. `signing`: for the wallet. */
  readonly step: 'checking' | 'asked' | 'preparing' | 'signing' | 'saving'
  /** `detail` is the dapp's own, untrusted message. */
  readonly error: { readonly code: ErrorCode; readonly message: string; readonly detail?: string } | null
}

/**
 * The user's clicks and their outcomes, emitted once: no snapshot distinguishes a cancel from another tab's sign-in.
 */
export type SignInEvent = {
  readonly networkId: CaipNetworkId
  readonly address: string
} & (
  | { readonly kind: 'signClicked' | 'cancelClicked' | 'signed' }
  | { readonly kind: 'failed'; readonly code: ErrorCode }
)

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
  /** Null until `refreshSecurity`. */
  readonly security: { readonly recovery: RecoveryMethod | null; readonly devices: readonly WalletDevice[] } | null
}

/** A queued not-safe request; the first is on screen. */
export type Approval = {
  readonly request: ApprovalRequest
  /** Set if a view of the modal made the request. */
  readonly asker?: Asker
  /** Null until decoded, which needs no network. */
  readonly intent: Intent | null
  readonly status:
    | { readonly kind: 'waiting' }
    | { readonly kind: 'signing' }
    /** `hash` is null until there is one. */
    | { readonly kind: 'sent'; readonly hash: string | null }
    /** `hash` of the included transaction, which differs if it was replaced. */
    | { readonly kind: 'ended'; readonly hash: string | null; readonly outcome: SentOutcome }
    | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string }
}

export type HostSnapshot = {
  readonly signInMethods: {
    readonly email: boolean
    readonly socials: readonly SocialProvider[]
    readonly farcaster: boolean
  }
  /** Stored in the wallet's own window (`openWalletWindow('keep')` restores it). */
  readonly walletKept: boolean
  readonly signIn: SignIn | null
  readonly emailChange: EmailChangeAttempt | null
  /** Set while a sign-in is being checked or requested. */
  readonly signInPrompt: SignInPrompt | null
  readonly embedded: Embedded | null
  readonly approvals: readonly Approval[]
  /** False until `init`. */
  readonly ready: boolean
  /** Opened outside a dapp. */
  readonly topLevel?: true
  readonly open: boolean
  /** `key` changes with each opening. */
  readonly opening: {
    readonly key: number
    readonly view:
      | ViewName
      | 'UnsupportedChain'
      | 'SwitchActiveChain'
      | 'ConnectingExternal'
      | 'ApproveTransaction'
      | 'Pay'
      | SignInPrompt['view']
    readonly swap?: SwapArguments
  }
  /** Feature flags (spec §1): the project's override the dapp's. */
  readonly features: Features
  /** What the gateway supports. */
  readonly money: ProjectPage['money']
  /** Terms to accept before connecting (spec §1), or null. */
  readonly legal: {
    readonly termsUrl: string | null
    readonly privacyUrl: string | null
    readonly accepted: boolean
  } | null
  /** Analytics consent is requested and still open. */
  readonly consentAsked: boolean
  /** Sent by features, newest first. */
  readonly transactions: readonly TrackedTransaction[]
  readonly payment: PaymentRequest | null
  /** Filters rows and directory (`connect({ namespace })`, SwitchActiveChain). */
  readonly wantedNamespace: Namespace | null
  /** The default network's first. */
  readonly namespaces: readonly Namespace[]
  /** Offered ones, in order (spec §2). */
  readonly connectMethods: readonly ConnectMethod[]
  readonly relay: RelayStatus
  /** The card shakes for 500 ms on each. */
  readonly refusedCloses: number
  readonly themeMode: ThemeMode
  readonly theme: Theme
  readonly locale: string
  readonly metadata: Metadata | null
  readonly networks: readonly Network[]
  readonly activeNetworkId: CaipNetworkId | null
  readonly connections: { readonly [N in Namespace]?: Connection }
  /** Sorted by group (spec §2), deduplicated. */
  readonly wallets: readonly WalletRow[]
  /** For the configured namespaces; null until counted. */
  readonly directoryCount: number | null
  readonly connectAttempt: ConnectAttempt | null
  readonly switchAttempt: SwitchAttempt | null
  readonly nativeBalance: NativeBalance
  /** Increments when money may have moved: account data is then stale. */
  readonly moves: number
  readonly snackbar: Snackbar | null
  readonly alert: Alert | null
}

export type HostActions = {
  /** Refused while closing is disabled. */
  close(): void
  /**
   * Reported in `connectAttempt`; ends an earlier attempt. Several connectors without a namespace: `choosing`; none:
   * WalletConnect if possible, else `notInstalled`.
   */
  connect(row: WalletRow, namespace?: Namespace): void
  /** For a directory wallet listed only in AllWallets. */
  connectEntry(entry: WalletEntry): void
  /** Call inside the click: the page opens the link, with the pairing in it. */
  openWalletLink(kind: 'mobile' | 'desktop' | 'webapp'): void
  /** Call on hover and once Connect is visible, so that the code is ready. */
  preparePairing(): void
  retryConnect(): void
  cancelConnect(): void
  activate(namespace: Namespace): void
  /** Null shows all wallets. */
  want(namespace: Namespace | null): void
  /**
   * Default: all. A namespace of the embedded wallet signs out of all its namespaces. A failure shows 'Failed to
   * disconnect'.
   */
  disconnect(namespace?: Namespace): Promise<void>
  /**
   * Disconnected: sets the active network; if another namespace is connected, SwitchActiveChain opens too. Connected:
   * asks the wallet, and adds a missing chain. Rejects if it did not switch; see `switchAttempt`.
   */
  switchNetwork(networkId: CaipNetworkId): Promise<void>
  refreshBalance(): void
  acceptLegal(accepted: boolean): void
  /** Stores the user's choice on analytics. */
  consent(allowed: boolean): void
  /** With the receipt, or TRANSACTION_UNCONFIRMED if the outcome is unknown. */
  settlePayment(answer: PaymentReceipt | Failure): void
  notify(text: string, tone?: Snackbar['tone']): void
  dismissAlert(): void
  /** Progress is in `signInPrompt`. */
  signInWithWallet(): void
  /** Required: disconnects. Else closes, and does not ask this account again (spec §4). */
  cancelSignInWithWallet(): void

  /* ---- The embedded wallet. None of these rejects; see the snapshot. */
  /** During the cooldown it fails with 'Please try again after N seconds'. */
  signInWithEmail(email: string): void
  resendEmail(): void
  /** From the email or the provider's page. */
  submitCode(otp: string): void
  /** Call inside the click: opens a popup. */
  signInWithSocial(provider: SocialProvider): void
  signInWithFarcaster(): void
  retrySignIn(): void
  cancelSignIn(): void
  /** Call inside the click. */
  openWalletWindow(purpose: WalletWindowPurpose): void
  /** Call inside the click (Storage Access API). */
  grantStorage(): void
  approve(id: string): void
  reject(id: string): void
  /** The EVM account to use on the active chain. */
  preferAccount(type: 'eoa' | 'smartAccount'): void
  changeEmail(email: string): void
  submitEmailChangeCode(otp: string): void
  cancelEmailChange(): void
  refreshSecurity(): void
  revokeDevice(id: string): Promise<void>
  /** Emails the code for `deleteAccount`; without an address pass ''. Both reject with a catalogue failure. */
  requestDeletion(): Promise<{ readonly needsCode: boolean }>
  deleteAccount(otp: string): Promise<void>
}

/** The host adds the networks and the dapp's include and exclude lists. */
export type HostDirectory = {
  /** 40 per page (1-based), or the first 100 matches of `search` (spec §9). `count` is the total. */
  wallets(
    query: { readonly page?: number; readonly search?: string },
    signal?: AbortSignal,
  ): Promise<{ readonly wallets: readonly WalletEntry[]; readonly count: number }>
  imageUrl(entry: WalletEntry): string | undefined
}

export type Host = {
  readonly store: StoreApi<HostSnapshot>
  readonly actions: HostActions
  readonly directory: HostDirectory
  /** For feature modules, loaded on first use. Rejects with LINK_CLOSED without a page. */
  money(): Promise<MoneyHost>
}
