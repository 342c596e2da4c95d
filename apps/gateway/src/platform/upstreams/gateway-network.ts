import type { CaipNetworkId, NetworkDefinition } from '@postern/protocol'

export type GatewayNetwork = {
  readonly id: CaipNetworkId
  readonly upstreams: readonly string[]
  /** For the modal host, so without `upstreams`, which may carry keys. */
  readonly definition?: NetworkDefinition
}
