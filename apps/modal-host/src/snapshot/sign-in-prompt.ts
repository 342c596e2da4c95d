import type { CaipNetworkId, ErrorCode, Namespace } from '@postern/protocol'
import type { PromptView } from './views'

export type SignInPrompt = {
  /** `ConnectingSiwe`: the older configuration. */
  readonly view: PromptView
  /** Of the dapp's page, as the browser reports it. */
  readonly domain: string
  readonly namespace: Namespace
  readonly networkId: CaipNetworkId
  readonly address: string
  readonly wallet: { readonly name: string; readonly imageUrl?: string }
  /** False until known. */
  readonly isRequired: boolean
  /** Who is waited for. `asked`: the user; `preparing`, `saving`: the dapp; `signing`: the wallet. */
  readonly step: 'checking' | 'asked' | 'preparing' | 'signing' | 'saving'
  /** `detail` is the dapp's own, untrusted message. */
  readonly error: { readonly code: ErrorCode; readonly message: string; readonly detail?: string } | null
}

/** The user's clicks and their outcomes: no snapshot distinguishes a cancel from another tab's sign-in. */
export type SignInEvent = {
  readonly networkId: CaipNetworkId
  readonly address: string
} & (
  | { readonly kind: 'signClicked' | 'cancelClicked' | 'signed' }
  | { readonly kind: 'failed'; readonly code: ErrorCode }
)
