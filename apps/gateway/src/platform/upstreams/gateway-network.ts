import type { CaipNetworkId, NetworkDefinition } from '@postern/protocol'

export type GatewayNetwork = {
  readonly id: CaipNetworkId
  readonly upstreams: readonly string[]
  /** Sent to the modal host; never contains `upstreams`, which may carry keys. */
  readonly definition?: NetworkDefinition
}
