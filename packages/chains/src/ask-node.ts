/** Questions to a node, whose every answer is parsed. */

import { Failure } from '@postern/protocol/failure'
import type * as z from 'zod/mini'
import type { JsonRpcClient } from './json-rpc'

/** What somebody answered. Throws INTERNAL on another shape. */
export function parseAnswer<T>(schema: z.ZodMiniType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer)
  if (!parsed.success) throw new Failure('INTERNAL', { cause: parsed.error })
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
