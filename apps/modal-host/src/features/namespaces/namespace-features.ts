import type { ChainClient } from '@postern/chains/chain-client'
import type { SentByNamespace } from '@postern/chains/outcomes/outcome'
import type { RecipientRules } from '../recipient/recipient-rules'
import type { Sender } from '../send/senders/sender'

/** What the features ask of a namespace. */
export type NamespaceFeatures = {
  readonly recipient: RecipientRules
  readonly loadSender: () => Promise<Sender>
  /** Of a token that the user may not hold. Empty without such a token. */
  readonly tokenFacts: ReadToken<TokenFacts>
  /** Whether the chain does not respond. The other facts look the same for a chain without the token. */
  readonly isTokenSilent?: ReadToken<boolean>
  /** What identifies a sent transaction on the chain. @throws INVALID_PARAMS */
  readonly sent: (hash: string, request: { readonly params: unknown; readonly from: string }) => SentByNamespace
}

export type ReadToken<T> = (chain: ChainClient, address: string, signal: AbortSignal) => Promise<T>
export type TokenFacts = { readonly decimals?: number | undefined; readonly symbol?: string | undefined }
