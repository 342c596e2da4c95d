import type { ErrorCode } from '@postern/protocol'
import type { WalletRow } from './wallet-row'

export type Pairing =
  /** The code is loading, or the relay is connecting. */
  | { readonly kind: 'preparing' }
  /** `uri`: of the QR code, replaced before `expiresAt` (epoch ms). */
  | { readonly kind: 'ready'; readonly uri: string; readonly expiresAt: number }

export type ConnectAttempt = {
  readonly row: WalletRow
  /** `page`: ConnectingExternal. `walletConnect`: ConnectingWalletConnect, or …Basic for the row without entry. */
  readonly via: 'page' | 'walletConnect'
  readonly status:
    | { readonly kind: 'waiting' }
    /** A namespace, first (`row.connectors`). */
    | { readonly kind: 'choosing' }
    /** The wallet already shows a request (-32002), or is locked. */
    | { readonly kind: 'pendingInWallet' }
    | { readonly kind: 'declined' }
    | { readonly kind: 'expired' }
    | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string }
    /** The view shows where to get the wallet. */
    | { readonly kind: 'notInstalled' }
    | { readonly kind: 'connected' }
  readonly pairing?: Pairing
  /** Epoch ms (1 s after a failure, spec §9). */
  readonly retryAt: number
}

export type RelayStatus = 'unused' | 'connecting' | 'connected' | 'lost'
