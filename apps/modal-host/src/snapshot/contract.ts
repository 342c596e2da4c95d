/**
 * What the views see of the host: one immutable snapshot to render and a set of actions to call.
 * Views are functions of {@link HostSnapshot}; every effect lives behind {@link HostActions}.
 */
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

/** One row of the Connect view. */
export type WalletRow = {
  /** Stable over reloads: `rdns`, directory id, `standard:<name>`, `injected:<what>`, `walletConnect`. */
  readonly id: string
  readonly name: string
  readonly group: ConnectorGroup
  /** `data:` URI of a page wallet, or a path of the directory's image. */
  readonly imageUrl?: string
  /** Present when the wallet is in the page: it can be connected at once. One per namespace; several make it a MULTI_CHAIN wallet. */
  readonly connectors: readonly { readonly connectorId: string; readonly namespace: Namespace }[]
  /** Can be reached by WalletConnect: its own links are in `entry`, and the row without an entry is WalletConnect itself. */
  readonly walletConnect?: true
  /** The directory's entry where there is one: links of the wallet, where to get it. */
  readonly entry?: WalletEntry
}

/** A WalletConnect pairing on show. */
export type Pairing =
  /** The code is being loaded, or the relay is being reached. */
  | { readonly kind: 'preparing' }
  /** `uri` is what the QR code says. It is replaced by itself before it expires (`expiresAt`, epoch ms). */
  | { readonly kind: 'ready'; readonly uri: string; readonly expiresAt: number }

/** Connecting one wallet, as the Connecting views show it. */
export type ConnectAttempt = {
  readonly row: WalletRow
  /** `page`: asked in the page (ConnectingExternal). `walletConnect`: by pairing (ConnectingWalletConnect, or …Basic for the row without entry). */
  readonly via: 'page' | 'walletConnect'
  readonly status:
    | { readonly kind: 'waiting' }
    /** A wallet of several namespaces: the visitor chooses one first (`row.connectors`). */
    | { readonly kind: 'choosing' }
    /** The wallet already shows a request (-32002), or it may be locked: the visitor has to look there. */
    | { readonly kind: 'pendingInWallet' }
    | { readonly kind: 'declined' }
    /** The wallet took the pairing's time without an answer. */
    | { readonly kind: 'expired' }
    | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string }
    /** The wallet is not in this page, and cannot be reached otherwise: show where to get it. */
    | { readonly kind: 'notInstalled' }
    | { readonly kind: 'connected' }
  /** Present while `via` is `walletConnect` and the status waits. */
  readonly pairing?: Pairing
  /** Epoch ms from which a retry is allowed (1 s after a failure, spec §9). */
  readonly retryAt: number
}

/** How WalletConnect's relay is reached while a session or a pairing needs it. */
export type RelayStatus = 'unused' | 'connecting' | 'connected' | 'lost'

/** Switching the network, as Networks and UnsupportedChain show it. */
export type SwitchAttempt = {
  readonly networkId: CaipNetworkId
  readonly status:
    | { readonly kind: 'waiting' }
    | { readonly kind: 'declined' }
    | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string }
}

export type NativeBalance =
  | { readonly kind: 'loading' }
  /** `formatted` follows spec §9: rounded down to 3 decimals; `'0.00'` on test networks and unsupported ones. */
  | { readonly kind: 'ready'; readonly formatted: string; readonly symbol: string }
  | { readonly kind: 'failed' }

/** A short message at the foot of the card; shown again after 150 ms when the same one repeats (spec §9). */
export type Snackbar = {
  readonly key: number
  readonly tone: 'neutral' | 'good' | 'bad'
  readonly text: string
  /** Where `text` is the protocol's English. */
  readonly common?: CommonText | undefined
}

/** A sentence of the protocol's (`errors`, `texts`), which other languages have by this key. */
export type CommonText = `error.${ErrorCode}` | `alert.${ErrorCode}.${keyof AlertText}` | `text.${keyof typeof texts}`

/** An alert of spec §8 over the view: something the dapp's developer or visitor must mend. */
export type Alert = AlertText & {
  readonly code: ErrorCode
  /** What its text names. */
  readonly values?: Readonly<Record<string, string>>
}

/** Signing in to the embedded wallet, as its views show it. `error` is in the words of the catalogue; the step it happened in stays. */
export type SignIn = {
  readonly error: { readonly code: ErrorCode; readonly message: string } | null
} & (
  | {
      readonly kind: 'email'
      readonly email: string
      /** `device`: a link was mailed; `code`: a code was. `opening`: signed in, the key is being made or found. */
      readonly step: 'sending' | 'device' | 'code' | 'verifying' | 'opening'
      /** Epoch ms from which another mail may be asked for (30 s, spec §9). */
      readonly resendAt: number
    }
  | {
      readonly kind: 'social'
      readonly provider: SocialProvider
      /** `window`: the provider's page is open; `code`: that page shows six digits to type here. */
      readonly step: 'starting' | 'window' | 'code' | 'opening'
    }
  /** `url` is what the QR code says. */
  | { readonly kind: 'farcaster'; readonly step: 'starting' | 'waiting' | 'opening'; readonly url?: string }
)

/** Changing the email address: a code to the present one first, then one to the new one (spec §4). */
export type EmailChangeAttempt = {
  readonly email: string
  readonly step: 'sending' | 'primary' | 'secondary' | 'verifying'
  readonly error: { readonly code: ErrorCode; readonly message: string } | null
}

/** Signing in with the connected wallet, as its view shows it (spec §4). */
export type SignInPrompt = {
  /** `ConnectingSiwe`: by the older configuration. */
  readonly view: 'SIWXSignMessage' | 'ConnectingSiwe'
  /** Host of the dapp's page, as the browser says. */
  readonly domain: string
  readonly namespace: Namespace
  readonly networkId: CaipNetworkId
  readonly address: string
  readonly wallet: { readonly name: string; readonly imageUrl?: string }
  /** Nobody may go on without. False while it is not known yet. */
  readonly isRequired: boolean
  /** `checking`: whether there is a session already. `asked`: the visitor has the word. Then what is waited for: the dapp, the wallet, the dapp. */
  readonly step: 'checking' | 'asked' | 'preparing' | 'signing' | 'saving'
  /** What went wrong last. `detail` is the dapp's own word on it: a stranger's text. */
  readonly error: { readonly code: ErrorCode; readonly message: string; readonly detail?: string } | null
}

/**
 * What happened in signing in with the wallet, of one account on one network: the visitor's own clicks, and what came of it. Told where it happens,
 * once, because no snapshot tells a cancel from another tab's sign-in.
 */
export type SignInEvent = {
  readonly networkId: CaipNetworkId
  readonly address: string
} & (
  | { readonly kind: 'signClicked' | 'cancelClicked' | 'signed' }
  | { readonly kind: 'failed'; readonly code: ErrorCode }
)

/** The signed-in owner of the embedded wallet. */
export type Embedded = {
  readonly email: string | null
  readonly userName: string | null
  readonly provider: 'email' | 'farcaster' | SocialProvider
  /** Of the EVM network that is active; one account where that chain has no smart accounts. */
  readonly accounts: readonly { readonly address: string; readonly type: 'eoa' | 'smartAccount' }[]
  readonly preferred: 'eoa' | 'smartAccount'
  readonly smartAccountDeployed: boolean
  readonly storage: WalletStorage
  /** The wallet is there, and this device cannot open it until its owner did so in the wallet's own window. */
  readonly locked: 'passkey' | 'passphrase' | null
  /** Null until `refreshSecurity` brought them. */
  readonly security: { readonly recovery: RecoveryMethod | null; readonly devices: readonly WalletDevice[] } | null
}

/** A not-safe request of the embedded wallet, in the queue. The first one is on show. */
export type Approval = {
  readonly request: ApprovalRequest
  /** Set where a view of the modal asked for it: for the visitor, or for the dapp. */
  readonly asker?: Asker
  /** Null until the first decoding, which needs no network. */
  readonly intent: Intent | null
  readonly status:
    | { readonly kind: 'waiting' }
    | { readonly kind: 'signing' }
    /** Sent, and waiting for the chain. `hash` is for the explorer; null until there is one. */
    | { readonly kind: 'sent'; readonly hash: string | null }
    /** `hash` is that of the transaction which came: another one than was sent, where that was replaced. */
    | { readonly kind: 'ended'; readonly hash: string | null; readonly outcome: SentOutcome }
    | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string }
}

export type HostSnapshot = {
  /** Which ways into the embedded wallet are offered; empty lists where none is. */
  readonly signInMethods: {
    readonly email: boolean
    readonly socials: readonly SocialProvider[]
    readonly farcaster: boolean
  }
  /** The wallet's own window keeps a wallet that was used here (`openWalletWindow('keep')` brings it). */
  readonly walletKept: boolean
  readonly signIn: SignIn | null
  readonly emailChange: EmailChangeAttempt | null
  /** Whether somebody who is connected signed in with the wallet is being found out, or they are asked to. */
  readonly signInPrompt: SignInPrompt | null
  readonly embedded: Embedded | null
  readonly approvals: readonly Approval[]
  /** False until the page's `init` arrived. */
  readonly ready: boolean
  /** Set when this page was opened by itself instead of in a dapp: there is nobody to connect for, and the page says so. */
  readonly topLevel?: true
  readonly open: boolean
  /** The view asked for when the modal opened; `key` changes with each opening, so the views can follow. */
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
    /** What Swap was opened with. */
    readonly swap?: SwapArguments
  }
  /** Which feature modules there are (spec §1): the dapp's flags, with the project's own on top. */
  readonly features: Features
  /** What the gateway can do of swaps, buying and names: what it cannot is not offered. */
  readonly money: ProjectPage['money']
  /** What must be accepted before anybody connects (spec §1); null where nothing must. */
  readonly legal: {
    readonly termsUrl: string | null
    readonly privacyUrl: string | null
    readonly accepted: boolean
  } | null
  /** The project's owner wants to count what happens here, and the visitor has not said yet whether they may. */
  readonly consentAsked: boolean
  /** What features sent, the newest first. */
  readonly transactions: readonly TrackedTransaction[]
  /** The payment that the dapp asked for, while it waits for an answer. */
  readonly payment: PaymentRequest | null
  /** Set while only wallets of one namespace are wanted (`connect({ namespace })`, SwitchActiveChain); rows and directory are narrowed to it. */
  readonly wantedNamespace: Namespace | null
  /** The namespaces of the configured networks, the default network's first. */
  readonly namespaces: readonly Namespace[]
  /** The ways to connect in the order in which they stand (spec §2). Those that are not offered are left out. */
  readonly connectMethods: readonly ConnectMethod[]
  readonly relay: RelayStatus
  /** Grows with each refused close: the card shakes for 500 ms. */
  readonly refusedCloses: number
  readonly themeMode: ThemeMode
  readonly theme: Theme
  readonly locale: string
  readonly metadata: Metadata | null
  readonly networks: readonly Network[]
  readonly activeNetworkId: CaipNetworkId | null
  readonly connections: { readonly [N in Namespace]?: Connection }
  /** Ordered by group (spec §2), deduplicated over page and directory. */
  readonly wallets: readonly WalletRow[]
  /** All wallets that the directory knows for the configured namespaces; null until counted. */
  readonly directoryCount: number | null
  readonly connectAttempt: ConnectAttempt | null
  readonly switchAttempt: SwitchAttempt | null
  readonly nativeBalance: NativeBalance
  /** Grows whenever money may have moved: what was read of an account before is old. */
  readonly moves: number
  readonly snackbar: Snackbar | null
  readonly alert: Alert | null
}

export type HostActions = {
  /** Refused (and the card shakes) while closing is disabled. */
  close(): void
  /**
   * Begins an attempt; the snapshot's `connectAttempt` tells how it goes. A later attempt ends an earlier one. A row with several connectors
   * and no namespace named is `choosing`; one without connectors goes by WalletConnect where it can, else it is `notInstalled`.
   */
  connect(row: WalletRow, namespace?: Namespace): void
  /** A row of the directory that is not on Connect: what AllWallets lists. */
  connectEntry(entry: WalletEntry): void
  /** Opens one of the attempt's wallet's links with the pairing in it; asks the page, inside the click. */
  openWalletLink(kind: 'mobile' | 'desktop' | 'webapp'): void
  /** Begins a pairing ahead of time, so that the code is there when the view is: called on hover and once Connect shows. */
  preparePairing(): void
  retryConnect(): void
  cancelConnect(): void
  /** Makes a connected namespace the active one. */
  activate(namespace: Namespace): void
  /** Shows the wallets of one namespace only, or of all again with null. */
  want(namespace: Namespace | null): void
  /** All namespaces when none is named; a namespace of the embedded wallet signs out of all of them. A failure shows 'Failed to disconnect'. */
  disconnect(namespace?: Namespace): Promise<void>
  /**
   * Disconnected: sets the active network; where another namespace is connected, SwitchActiveChain opens too. Connected: asks the wallet, and
   * adds the chain where the wallet lacks it.
   * Rejects when it did not switch; `switchAttempt` says how it went.
   */
  switchNetwork(networkId: CaipNetworkId): Promise<void>
  refreshBalance(): void
  acceptLegal(accepted: boolean): void
  /** The visitor's word on being counted; kept. */
  consent(allowed: boolean): void
  /** The payment on show was sent: the dapp has its receipt, or that nobody knows whether it is paid (TRANSACTION_UNCONFIRMED). */
  settlePayment(answer: PaymentReceipt | Failure): void
  notify(text: string, tone?: Snackbar['tone']): void
  dismissAlert(): void
  /** Signs in with the connected wallet: asks it for the signature. `signInPrompt` says how it goes. */
  signInWithWallet(): void
  /** Required: disconnects. Else closes, and this account is left alone (spec §4). */
  cancelSignInWithWallet(): void

  /* ---- the embedded wallet. None of these rejects: the snapshot says how it went. */
  /** Begins signing in by email. A cooldown that still runs is an error of the attempt, 'Please try again after N seconds'. */
  signInWithEmail(email: string): void
  /** The link or the code once more. */
  resendEmail(): void
  /** Six digits: of the mail, or of a social's page. */
  submitCode(otp: string): void
  /** Opens the popup at once, so it must be called inside the click. */
  signInWithSocial(provider: SocialProvider): void
  signInWithFarcaster(): void
  retrySignIn(): void
  cancelSignIn(): void
  /** Opens the wallet's own window at once: inside the click. */
  openWalletWindow(purpose: WalletWindowPurpose): void
  /** Asks the browser for storage (Storage Access API): inside the click. */
  grantStorage(): void
  approve(id: string): void
  reject(id: string): void
  /** Which of the two EVM accounts is used on the active chain. */
  preferAccount(type: 'eoa' | 'smartAccount'): void
  changeEmail(email: string): void
  submitEmailChangeCode(otp: string): void
  cancelEmailChange(): void
  refreshSecurity(): void
  revokeDevice(id: string): Promise<void>
  /** Mails the code that `deleteAccount` asks for; an account without an address needs none, and says ''. Rejects with a failure of the catalogue, as does the next. */
  requestDeletion(): Promise<{ readonly needsCode: boolean }>
  deleteAccount(otp: string): Promise<void>
}

/** The wallet directory as the AllWallets view asks it: the host adds the networks and the dapp's include and exclude lists. */
export type HostDirectory = {
  /** One page of 40 from page 1, or the first 100 that match `search` (spec §9). `count` is of all that match. */
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
  /** What feature modules stand on; its code comes with the first one. Rejects with LINK_CLOSED without a page. */
  money(): Promise<MoneyHost>
}
