/** Who signed, with the gateway's own upstreams as the chains' nodes: a contract is asked on networks that it reaches, and nobody else names an address of a node. */

import { bip122Verifier, eip155Verifier, type SignatureVerifier, solanaVerifier } from '@postern/siwx/verifiers'
import * as z from 'zod/mini'
import type { GatewayNetwork } from '../config'
import { parseJson } from '../parse-json'
import type { Upstreams } from '../rpc/upstream'

/** Stands for the upstreams of the network that it ends with. Resolves nowhere (RFC 6761). */
const nodeBase = 'https://upstreams.invalid/'
const Question = z.object({ id: z.number(), method: z.literal('eth_call'), params: z.unknown() })

/** @param onAsk before a chain is asked, and before that counts as a try; what it throws keeps it from being asked, and is thrown by who wanted to know. */
export function createVerifiers(options: {
  readonly networks: readonly GatewayNetwork[]
  readonly upstreams: Upstreams
  readonly onAsk: () => void
}): readonly SignatureVerifier[] {
  const { networks, upstreams, onAsk } = options

  const ask: typeof fetch = async (input, init) => {
    const network = networks.find(({ id }) => `${nodeBase}${id}` === String(input))
    if (network === undefined) throw new TypeError('Not a network of this gateway')
    const { id, method, params } = Question.parse(parseJson(String(init?.body)))
    const [answer] = await upstreams.exchange(network.upstreams, [{ method, params }])
    return Response.json({ jsonrpc: '2.0', id, ...answer })
  }
  const rpcUrl = (chainId: string) => (networks.some(({ id }) => id === chainId) ? `${nodeBase}${chainId}` : undefined)
  const eip155 = eip155Verifier({ rpcUrl, fetch: ask })
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
