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
   * Ends an earlier attempt; reports in `connectAttempt`. Several connectors and no namespace: `choosing`. No
   * connector: WalletConnect if possible, else `notInstalled`.
   */
  connect(row: WalletRow, namespace?: Namespace): void
  connectEntry(entry: WalletEntry): void
  /** Call inside the click: the page opens the link with the pairing. */
  openWalletLink(kind: 'mobile' | 'desktop' | 'webapp'): void
  /** Call on hover and once Connect is visible. */
  preparePairing(): void
  retryConnect(): void
  cancelConnect(): void
  activate(namespace: Namespace): void
  chooseAccount(address: string): void
  want(namespace: Namespace | null): void
  /** Default: all. An embedded wallet's namespace signs out of all of them. A failure shows 'Failed to disconnect'. */
  disconnect(namespace?: Namespace): Promise<void>
  /**
   * Disconnected: sets the active network; opens SwitchActiveChain if another namespace is connected. Connected: asks
   * the wallet, adding a missing chain. Rejects if the wallet did not switch.
   */
  switchNetwork(networkId: CaipNetworkId): Promise<void>
  /** Rejects the dapp's request. The wallet may still show it. */
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
  /** If sign-in is required, disconnects; else closes, and skips this account (spec §4). */
  cancelSignInWithWallet(): void
}

/** These actions never reject: the snapshot has the outcome. */
export type EmbeddedSignInActions = {
  /** During the cooldown it fails with EMAIL_COOLDOWN. */
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
  /** The wallet's frame asks the user; then the sign-in continues. Rejects as `deleteAccount`. */
  forgetEndedWallet(signal: AbortSignal): Promise<void>
  createWallet(): void
  /** Connects the user's wallet if none is connected: in `wantedNamespace`, else in all. */
  connectOwnWallet(): void
  /** Call inside the click (Storage Access API). */
  grantStorage(): void
  reject(id: string): void
  /** Null hides the wallet's frame. */
  placeWalletFrame(place: FramePlace | null): void
  focusWalletFrame(): void
  preferAccount(type: 'eoa' | 'smartAccount'): void
  changeEmail(email: string): void
  retryEmailChange(): void
  cancelEmailChange(): void
  /** Reads devices, recovery and deployment, which may change outside the modal. */
  refreshWallet(): void
  /** "Not now": the offer of a new wallet becomes less prominent on this device. */
  putOffMove(): void
  /** Reads the wallet's transactions on these networks that are in no block. */
  refreshWaiting(networkIds: readonly CaipNetworkId[]): void
  /** The wallet's frame asks the user. */
  replaceTransaction(request: WalletFramePayload<'REPLACE_TRANSACTION'>): void
  /** As `deleteAccount`. */
  revokeDevice(id: string, signal: AbortSignal): Promise<void>
  /** Hides recoveries up to `until` (epoch ms) on this device. */
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
