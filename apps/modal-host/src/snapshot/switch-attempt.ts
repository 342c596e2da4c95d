import type { CaipNetworkId, ErrorCode } from '@postern/protocol'

export type SwitchAttempt = {
  readonly networkId: CaipNetworkId
  readonly status:
    | { readonly kind: 'waiting' }
    | { readonly kind: 'declined' }
    | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string }
}
