import { Failure } from '@postern/protocol/failure'
import type * as z from 'zod/mini'
import type { JsonRpcClient } from './json-rpc'

/** An answer of a wallet or service. @throws INTERNAL for another shape */
export function parseAnswer<T>(schema: z.ZodMiniType<T>, answer: unknown): T {
  return parse(schema, answer, 'INTERNAL')
}

/** An answer of an endpoint. @throws NETWORK_UNREACHABLE for another shape */
export function parseNodeAnswer<T>(schema: z.ZodMiniType<T>, answer: unknown): T {
  return parse(schema, answer, 'NETWORK_UNREACHABLE')
}

function parse<T>(schema: z.ZodMiniType<T>, answer: unknown, code: 'INTERNAL' | 'NETWORK_UNREACHABLE'): T {
  const parsed = schema.safeParse(answer)
  if (!parsed.success) throw new Failure(code, { message: 'The answer can’t be read', cause: parsed.error })
  return parsed.data
}

/** Rejects with the node's error, or like {@link parseNodeAnswer}. */
export async function askNode<T>(
  rpc: JsonRpcClient,
  schema: z.ZodMiniType<T>,
  method: string,
  params: unknown,
  signal?: AbortSignal,
): Promise<T> {
  return parseNodeAnswer(schema, await rpc.request({ method, params }, signal))
}
