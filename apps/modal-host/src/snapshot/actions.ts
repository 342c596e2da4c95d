import type {
  CaipNetworkId,
  Namespace,
  PaymentReceipt,
  SocialProvider,
  WalletEntry,
  WalletFramePayload,
  WalletWindowPurpose,
} from '@postern/protocol'
import type { Failure } from '@postern/protocol/failure'
import type { FramePlace } from './frame-place'
import type { Snackbar } from './message'
import type { WalletRow } from './wallet-row'

/** The card itself. */
export type ModalActions = {
  /** Refused while closing is disabled. */
  close(): void
  acceptLegal(accepted: boolean): void
  notify(text: string, tone?: Snackbar['tone']): void
  dismissAlert(): void
}

/** Connecting wallets, and where they are connected. */
export type WalletActions = {
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
  /** Puts one of the connected wallet's EVM accounts first. */
  chooseAccount(address: string): void
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
  /** The dapp hears that the user rejected the request. The wallet may still show it. */
  cancelWalletRequest(id: string): void
}

/** Balances and payments. */
export type MoneyActions = {
  refreshBalance(): void
  /** With the receipt, or TRANSACTION_UNCONFIRMED if the outcome is unknown. */
  settlePayment(answer: PaymentReceipt | Failure): void
}

/** Consent to analytics. */
export type AnalyticsActions = {
  /** Stores the user's choice on analytics. */
  consent(allowed: boolean): void
}

/** Sign-in with the connected wallet. */
export type SignInWithWalletActions = {
  /** Progress is in `signInPrompt`. */
  signInWithWallet(): void
  /** Required: disconnects. Else closes, and does not ask this account again (spec §4). */
  cancelSignInWithWallet(): void
}

/** Sign-in to the embedded wallet. These do not reject: the snapshot tells how it goes. */
export type EmbeddedSignInActions = {
  /** During the cooldown it fails with 'Please try again after N seconds'. */
  signInWithEmail(email: string): void
  resendEmail(): void
  /** Call inside the click: opens a popup. */
  signInWithSocial(provider: SocialProvider): void
  signInWithFarcaster(): void
  retrySignIn(): void
  cancelSignIn(): void
}

/** What the owner of the embedded wallet approves and changes. */
export type EmbeddedAccountActions = {
  /** Call inside the click. */
  openWalletWindow(purpose: WalletWindowPurpose): void
  /**
   * The wallet's frame asks the user to remove the share of an ended wallet; the sign-in continues. Rejects with a catalogue
   * failure; USER_REJECTED: the user keeps it.
   */
  forgetEndedWallet(signal: AbortSignal): Promise<void>
  /** Makes a missing wallet that signing in recovers, and continues the sign-in. */
  createWallet(): void
  /** Connects the signed-in user's wallet where no wallet is connected: in `wantedNamespace`, or in all. */
  connectOwnWallet(): void
  /** Call inside the click (Storage Access API). */
  grantStorage(): void
  /** Declines a waiting request, or dismisses a finished one. */
  reject(id: string): void
  /** Lays the wallet's frame over a view; null hides it. */
  placeWalletFrame(place: FramePlace | null): void
  focusWalletFrame(): void
  /** The EVM account to use on the active chain. */
  preferAccount(type: 'eoa' | 'smartAccount'): void
  changeEmail(email: string): void
  retryEmailChange(): void
  cancelEmailChange(): void
  /** What may change outside the modal: devices, recovery, the smart account's deployment. */
  refreshWallet(): void
  /** Not now: offers a new wallet less prominently on this device. */
  putOffMove(): void
  /** What the wallet has sent on these networks and no block has. */
  refreshWaiting(networkIds: readonly CaipNetworkId[]): void
  /** The wallet's frame asks the user. */
  replaceTransaction(request: WalletFramePayload<'REPLACE_TRANSACTION'>): void
  /** The wallet's frame asks the user. Rejects with a catalogue failure; USER_REJECTED: the user keeps the device. */
  revokeDevice(id: string, signal: AbortSignal): Promise<void>
  /** Hides the recoveries up to that time (epoch ms) on this device. */
  seeRecoveries(until: number): void
  /** The wallet's frame asks the user. Rejects with a catalogue failure; USER_REJECTED: the user keeps the account. */
  deleteAccount(signal: AbortSignal): Promise<void>
}

export type EmbeddedActions = EmbeddedSignInActions & EmbeddedAccountActions

/** Everything that a view can ask of the host. */
export type HostActions = ModalActions &
  WalletActions &
  MoneyActions &
  AnalyticsActions &
  SignInWithWalletActions &
  EmbeddedActions
