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

export type ModalActions = {
  close(): void
  acceptLegal(accepted: boolean): void
  notify(text: string, tone?: Snackbar['tone']): void
  dismissAlert(): void
}

export type WalletActions = {
  /**
   * Starts an attempt, which ends an earlier one and reports in `connectAttempt`. With several connectors and without a
   * namespace it is `choosing`. Without a connector it uses WalletConnect if possible, else it is `notInstalled`.
   */
  connect(row: WalletRow, namespace?: Namespace): void
  /** Connects a directory wallet that is not a row of Connect. */
  connectEntry(entry: WalletEntry): void
  /** Call inside the click: the page opens the link with the pairing. */
  openWalletLink(kind: 'mobile' | 'desktop' | 'webapp'): void
  /** Call on hover and once Connect is visible, so that the code is ready. */
  preparePairing(): void
  retryConnect(): void
  cancelConnect(): void
  activate(namespace: Namespace): void
  /** Puts one of the connected wallet's EVM accounts first. */
  chooseAccount(address: string): void
  want(namespace: Namespace | null): void
  /**
   * Default: all. A namespace of the embedded wallet signs out of all its namespaces. A failure shows 'Failed to
   * disconnect'.
   */
  disconnect(namespace?: Namespace): Promise<void>
  /**
   * Disconnected: sets the active network, and opens SwitchActiveChain if another namespace is connected. Connected:
   * asks the wallet, and adds a missing chain. Rejects if the wallet did not switch; see `switchAttempt`.
   */
  switchNetwork(networkId: CaipNetworkId): Promise<void>
  /** Tells the dapp that the user rejected the request. The wallet may still show it. */
  cancelWalletRequest(id: string): void
}

export type MoneyActions = {
  refreshBalance(): void
  settlePayment(answer: PaymentReceipt | Failure): void
}

export type AnalyticsActions = {
  consent(allowed: boolean): void
}

export type SignInWithWalletActions = {
  signInWithWallet(): void
  /**
   * Cancels the sign-in. If it is required, disconnects; else closes, and does not ask for this account again (spec
   * §4).
   */
  cancelSignInWithWallet(): void
}

/** These actions never reject: the snapshot has the outcome. */
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

export type EmbeddedAccountActions = {
  /** Call inside the click. */
  openWalletWindow(purpose: WalletWindowPurpose): void
  /**
   * The wallet's frame asks the user; then the sign-in continues. Rejects with a catalogue failure; USER_REJECTED if
   * the user keeps the share.
   */
  forgetEndedWallet(signal: AbortSignal): Promise<void>
  /** Makes the missing wallet, recoverable by sign-in, and continues the sign-in. */
  createWallet(): void
  /** Connects the signed-in user's wallet if no wallet is connected: in `wantedNamespace`, else in all. */
  connectOwnWallet(): void
  /** Call inside the click (Storage Access API). */
  grantStorage(): void
  reject(id: string): void
  /** Lays the wallet's frame over a view; null hides it. */
  placeWalletFrame(place: FramePlace | null): void
  focusWalletFrame(): void
  preferAccount(type: 'eoa' | 'smartAccount'): void
  changeEmail(email: string): void
  retryEmailChange(): void
  cancelEmailChange(): void
  /** Reads devices, recovery and the smart account's deployment, which may change outside the modal. */
  refreshWallet(): void
  /** The user's "Not now": on this device, the offer of a new wallet becomes less prominent. */
  putOffMove(): void
  /** Reads the wallet's transactions on these networks that are in no block. */
  refreshWaiting(networkIds: readonly CaipNetworkId[]): void
  /** The wallet's frame asks the user. */
  replaceTransaction(request: WalletFramePayload<'REPLACE_TRANSACTION'>): void
  /** The wallet's frame asks the user. Rejects with a catalogue failure, USER_REJECTED if declined. */
  revokeDevice(id: string, signal: AbortSignal): Promise<void>
  /** Hides recoveries up to that time (epoch ms) on this device. */
  seeRecoveries(until: number): void
  /** The wallet's frame asks the user. Rejects with a catalogue failure, USER_REJECTED if declined. */
  deleteAccount(signal: AbortSignal): Promise<void>
}

export type EmbeddedActions = EmbeddedSignInActions & EmbeddedAccountActions

export type HostActions = ModalActions &
  WalletActions &
  MoneyActions &
  AnalyticsActions &
  SignInWithWalletActions &
  EmbeddedActions
