/** Upstreams as nodes for `@postern/siwx`, which thus reaches no other address. */
import type { Eip155VerifierOptions } from '@postern/siwx/verifiers'
import * as z from 'zod/mini'
import { parseJson } from '../parse-json'
import type { Upstreams } from './rpc'

/** Before the network's id. Never resolves (RFC 6761). */
const nodeBase = 'https://upstreams.invalid/'
const Question = z.object({ id: z.number(), method: z.literal('eth_call'), params: z.unknown() })

/** @param urlsOf undefined if the network is not served. */
export function asNode(
  upstreams: Pick<Upstreams, 'exchange'>,
  urlsOf: (chainId: string) => readonly string[] | undefined,
): Required<Eip155VerifierOptions> {
  return {
    rpcUrl: (chainId) => (urlsOf(chainId) === undefined ? undefined : `${nodeBase}${chainId}`),
    async fetch(input, init) {
      const urls = urlsOf(String(input).slice(nodeBase.length))
      if (urls === undefined) throw new TypeError('Not a network of this gateway')
      const { id, method, params } = Question.parse(parseJson(String(init?.body)))
      const [answer] = await upstreams.exchange(urls, [{ method, params }])
      return Response.json({ jsonrpc: '2.0', id, ...answer })
    },
  }
}
