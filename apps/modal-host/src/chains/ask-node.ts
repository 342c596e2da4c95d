/** Questions to a node, whose every answer is parsed. */
import type * as z from 'zod/mini'
import { LinkFailure } from '../link/failure'
import type { JsonRpcClient } from '../services/json-rpc'

/** What somebody answered. Throws INTERNAL on another shape. */
export function parseAnswer<T>(schema: z.ZodMiniType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer)
  if (!parsed.success) throw new LinkFailure('INTERNAL', { cause: parsed.error })
  return parsed.data
}

/** Rejects with the node's own error, as its client does, or with INTERNAL where it answers something else. */
export async function askNode<T>(
  rpc: JsonRpcClient,
  schema: z.ZodMiniType<T>,
  method: string,
  params: unknown,
  signal?: AbortSignal,
): Promise<T> {
  return parseAnswer(schema, await rpc.request({ method, params }, signal))
}
