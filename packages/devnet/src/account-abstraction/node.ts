import type { Hex } from 'viem'
import * as z from 'zod'
import { Bytes } from './user-operation'

export type NodeAnswer =
  | { readonly kind: 'result'; readonly value: unknown }
  /** Revert data if a contract rejected the call. */
  | { readonly kind: 'refused'; readonly message: string; readonly data: Hex }

export type Ask = (method: string, params: readonly unknown[]) => Promise<NodeAnswer>

const Reply = z.union([
  z.object({ error: z.object({ message: z.string(), data: Bytes.optional().catch(undefined) }) }),
  z.object({ result: z.unknown() }),
])

export function createAsk(rpcUrl: string): Ask {
  return async (method, params) => {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const reply = Reply.parse(await response.json())
    if ('error' in reply) return { kind: 'refused', message: reply.error.message, data: reply.error.data ?? '0x' }
    return { kind: 'result', value: reply.result }
  }
}

/** Throws if the node rejects. */
export async function resultOf(answer: Promise<NodeAnswer>): Promise<unknown> {
  const settled = await answer
  if (settled.kind === 'refused') throw new Error(settled.message)
  return settled.value
}
