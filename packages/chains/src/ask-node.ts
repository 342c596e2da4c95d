import { Failure } from '@postern/protocol/failure'
import type * as z from 'zod/mini'
import type { JsonRpcClient } from './json-rpc'

/** @throws INTERNAL for another shape. */
export function parseAnswer<T>(schema: z.ZodMiniType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer)
  if (!parsed.success) throw new Failure('INTERNAL', { message: 'The answer can’t be read', cause: parsed.error })
  return parsed.data
}

/** Rejects with the node's error, or INTERNAL for an invalid response. */
export async function askNode<T>(
  rpc: JsonRpcClient,
  schema: z.ZodMiniType<T>,
  method: string,
  params: unknown,
  signal?: AbortSignal,
): Promise<T> {
  return parseAnswer(schema, await rpc.request({ method, params }, signal))
}
