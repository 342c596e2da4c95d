/**
 * The JSON-RPC proxy `POST /v1/?chainId&projectId`: reads, estimates and signed transactions for the EVM and Solana
 * networks of this gateway, single or batched.
 *
 * 1. Default deny: a method that the protocol does not class as safe is refused and never forwarded. So is a safe
 *    method that no node of the namespace serves (`wallet_*`, `eth_accounts`, another namespace's). Other calls of the
 *    batch continue.
 * 2. Every call gets exactly one response with its own id, in the order of the batch. A call that is not a JSON-RPC 2.0
 *    request with an id gets INVALID_REQUEST with id null: notifications are not supported.
 * 3. A batch has 1 to `limits.rpcBatchSize` (1000, spec §9) calls.
 * 4. If no upstream responds, every forwarded call gets a JSON-RPC error.
 */
import { classifyRpcMethod, errors, limits, type Namespace } from '@postern/protocol'
import * as z from 'zod/mini'
import { UpstreamsFailedError } from '../upstreams/attempt'
import type { RpcAnswer, RpcCall, Upstreams } from './upstream'

/** JSON-RPC 2.0 §5.1 and EIP-1474. */
const code = { invalidRequest: -32_600, methodNotFound: -32_601, internal: -32_603, limitExceeded: -32_005 } as const

const invalidRequest = refusal(code.invalidRequest, 'Not a JSON-RPC 2.0 request with an id')

const Request = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string().check(z.maxLength(256)), z.number()]),
  method: z.string().check(z.minLength(1), z.maxLength(128)),
  params: z.optional(z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())])),
})
type Request = z.infer<typeof Request>

export type RpcResponse = { readonly jsonrpc: '2.0'; readonly id: string | number | null } & RpcAnswer

export type RpcTarget = { readonly namespace: Exclude<Namespace, 'bip122'>; readonly urls: readonly string[] }

/** Safe methods of a node. Solana's have no prefix; wallet methods always do. */
const isAnsweredByNode: Readonly<Record<RpcTarget['namespace'], (method: string) => boolean>> = {
  eip155: (method) => method.startsWith('eth_') && method !== 'eth_accounts',
  solana: (method) => !method.includes('_'),
}

/** Number of calls to charge. */
export function countCalls(body: unknown): number {
  return Array.isArray(body) ? body.length : 1
}

export async function answerRpc(
  upstreams: Upstreams,
  target: RpcTarget,
  body: unknown,
  caller = '',
): Promise<RpcResponse | RpcResponse[]> {
  if (!Array.isArray(body)) {
    const [answer] = await answerAll(upstreams, target, [body], caller)
    return answer ?? respond(null, invalidRequest)
  }
  if (body.length === 0) return respond(null, invalidRequest)
  if (body.length > limits.rpcBatchSize) {
    return respond(null, refusal(code.limitExceeded, `A batch holds at most ${limits.rpcBatchSize} calls`))
  }
  return answerAll(upstreams, target, body, caller)
}

async function answerAll(
  upstreams: Upstreams,
  target: RpcTarget,
  items: readonly unknown[],
  caller: string,
): Promise<RpcResponse[]> {
  const plans = items.map((item) => plan(target.namespace, item))
  const sent = plans.flatMap((item) => ('call' in item ? [item.call] : []))
  const answers = sent.length === 0 ? [] : await exchange(upstreams, target, sent, caller)
  let next = 0
  return plans.map((item) => {
    if ('answer' in item) return respond(item.id, item.answer)
    const answer = answers[next++]
    return respond(item.id, answer ?? refusal(code.internal, errors.INTERNAL.message))
  })
}

type Plan =
  | { readonly id: Request['id']; readonly call: RpcCall }
  | { readonly id: Request['id'] | null; readonly answer: RpcAnswer }

function plan(namespace: RpcTarget['namespace'], item: unknown): Plan {
  const parsed = Request.safeParse(item)
  if (!parsed.success) return { id: null, answer: invalidRequest }
  const { id, method, params } = parsed.data
  if (!isProxied(namespace, method)) {
    return { id, answer: refusal(code.methodNotFound, errors.RPC_NOT_ALLOWED.message) }
  }
  return { id, call: params === undefined ? { method } : { method, params } }
}

function isProxied(namespace: RpcTarget['namespace'], method: string): boolean {
  return classifyRpcMethod(method) === 'safe' && isAnsweredByNode[namespace](method)
}

async function exchange(
  upstreams: Upstreams,
  target: RpcTarget,
  calls: readonly RpcCall[],
  caller: string,
): Promise<RpcAnswer[]> {
  try {
    return await upstreams.exchange(target.urls, calls, caller)
  } catch (error) {
    if (!(error instanceof UpstreamsFailedError)) throw error
    return calls.map(() => refusal(code.internal, 'The network could not be reached'))
  }
}

function refusal(number: number, message: string): RpcAnswer {
  return { error: { code: number, message } }
}

function respond(id: string | number | null, answer: RpcAnswer): RpcResponse {
  return { jsonrpc: '2.0', id, ...answer }
}
