/** Who signed, with the gateway's own upstreams as the chains' nodes: a contract is asked on networks that it reaches. */

import { bip122Verifier, eip155Verifier, type SignatureVerifier, solanaVerifier } from '@postern/siwx/verifiers'
import type { GatewayNetwork } from '../config'
import { asNode } from '../rpc/as-node'
import type { Upstreams } from '../rpc/upstream'

/** @param onAsk before a chain is asked, and before that counts as a try; what it throws keeps it from being asked, and is thrown by who wanted to know. */
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
