import type { CaipNetworkId, ErrorCode, Namespace } from '@postern/protocol'
import type { PromptView } from './views'

/** Wallet sign-in (spec §4). */
export type SignInPrompt = {
  /** `ConnectingSiwe`: the older configuration. */
  readonly view: PromptView
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
