import { bip122Verifier, eip155Verifier, type SignatureVerifier, solanaVerifier } from '@postern/siwx/verifiers'
import { asNode } from '../../platform/upstreams/as-node'
import type { GatewayNetwork } from '../../platform/upstreams/gateway-network'
import type { Upstreams } from '../../platform/upstreams/rpc'

/** @param onAsk called before each chain check. If it throws, the caller gets the error. */
export function createVerifiers(options: {
  readonly networks: readonly GatewayNetwork[]
  readonly upstreams: Upstreams
  readonly onAsk: () => void
}): readonly SignatureVerifier[] {
  const { networks, upstreams, onAsk } = options
  const eip155 = eip155Verifier(asNode(upstreams, (chainId) => networks.find(({ id }) => id === chainId)?.upstreams))
  const counted: SignatureVerifier = {
    namespace: 'eip155',
    verify: (question, mayAsk) =>
      eip155.verify(question, async () => {
        onAsk()
        return mayAsk === undefined || (await mayAsk())
      }),
  }
  return [counted, solanaVerifier(), bip122Verifier()]
}
