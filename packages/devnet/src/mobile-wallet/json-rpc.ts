import { ProviderRpcError } from '@postern/evm-wallet/rpc-error'
import * as z from 'zod/mini'
import type { JsonRpc } from './contract'

const Answer = z.union([
  z.object({ result: z.unknown(), error: z.optional(z.null()) }),
  z.object({ error: z.object({ code: z.number(), message: z.string(), data: z.optional(z.unknown()) }) }),
])

/** No retries: a wallet passes on the node's answer. */
export function jsonRpc(url: string, fetch: typeof globalThis.fetch): JsonRpc {
  return async (method, params) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const answer = Answer.parse(await response.json())
    if ('result' in answer) return answer.result
    throw new ProviderRpcError(answer.error.code, answer.error.message, answer.error.data)
  }
}
