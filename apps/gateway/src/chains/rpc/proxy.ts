/**
 * The JSON-RPC proxy for EVM and Solana networks.
 *
 * 1. Default deny: only methods that a node of the namespace serves (`methods.ts`) are forwarded.
 * 2. Every call gets one response with its id, in the order of the batch. Without an id, it is INVALID_REQUEST with id
 *    null: there are no notifications.
 * 3. A batch has 1 to `limits.rpcBatchSize` calls (spec §9).
 * 4. If all upstreams fail or respond with too much, every forwarded call gets a JSON-RPC error that says so.
 * 5. The large result of a single call is passed on while it arrives. A batch is read first.
 * 6. Too many large responses at once: 503 with Retry-After.
 */
import { errors, factsOfMethod, limits, type Namespace, tryParse } from '@postern/protocol'
import * as z from 'zod/mini'
import { busy } from '../../platform/http/problem'
import { BusyError, UpstreamsFailedError } from '../../platform/upstreams/attempt'
import type { LargeResult } from '../../platform/upstreams/large-result'
import { type RelayingUpstreams, type RpcAnswer, type RpcCall, TooLargeError } from '../../platform/upstreams/rpc'

/** JSON-RPC 2.0 §5.1 and EIP-1474. */
const code = { invalidRequest: -32_600, methodNotFound: -32_601, internal: -32_603, limitExceeded: -32_005 } as const

const unreachable = refusal(code.internal, errors.NETWORK_UNREACHABLE.message)
const tooLarge = refusal(code.limitExceeded, 'The response is too large: ask for less at once, such as fewer blocks')
const invalidRequest = refusal(code.invalidRequest, 'Not a JSON-RPC 2.0 request with an id')

const Request = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string().check(z.maxLength(256)), z.number()]),
  method: z.string().check(z.minLength(1), z.maxLength(128)),
  params: z.optional(z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())])),
})
type Request = z.infer<typeof Request>

export type RpcResponse = { readonly jsonrpc: '2.0'; readonly id: string | number | null } & RpcAnswer

export type RpcTarget = { readonly namespace: Namespace; readonly urls: readonly string[] }

export function countCalls(body: unknown): number {
  return Array.isArray(body) ? body.length : 1
}

export type LargeResponse = { readonly id: string | number; readonly large: LargeResult }

/** @throws {Problem} 503 */
export async function answerRpc(
  upstreams: RelayingUpstreams,
  target: RpcTarget,
  body: unknown,
  caller = '',
): Promise<RpcResponse | RpcResponse[] | LargeResponse> {
  if (!Array.isArray(body)) {
    const planned = plan(target.namespace, body)
    if ('answer' in planned) return respond(planned.id, planned.answer)
    const { id, call } = planned
    const answer = await orRefusal(upstreams.relay(target.urls, call, caller), (refused) => refused)
    return 'large' in answer ? { id, ...answer } : respond(id, answer)
  }
  if (body.length === 0) return respond(null, invalidRequest)
  if (body.length > limits.rpcBatchSize) {
    return respond(null, refusal(code.limitExceeded, `A batch holds at most ${limits.rpcBatchSize} calls`))
  }
  return answerAll(upstreams, target, body, caller)
}

async function answerAll(
  upstreams: RelayingUpstreams,
  target: RpcTarget,
  items: readonly unknown[],
  caller: string,
): Promise<RpcResponse[]> {
  const plans = items.map((item) => plan(target.namespace, item))
  const sent = plans.flatMap((item) => ('call' in item ? [item.call] : []))
  const asking = sent.length === 0 ? Promise.resolve([]) : upstreams.exchange(target.urls, sent, caller)
  const answers = await orRefusal(asking, (refused) => sent.map(() => refused))
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
  const parsed = tryParse(Request, item)
  if (!parsed.success) return { id: null, answer: invalidRequest }
  const { id, method, params } = parsed.data
  if (!isProxied(namespace, method)) {
    return { id, answer: refusal(code.methodNotFound, errors.RPC_NOT_ALLOWED.message) }
  }
  return { id, call: params === undefined ? { method } : { method, params } }
}

function isProxied(namespace: RpcTarget['namespace'], method: string): boolean {
  const facts = factsOfMethod(method)
  return facts?.node === true && facts.namespace === namespace
}

async function orRefusal<T>(asking: Promise<T>, refuse: (refused: RpcAnswer) => T): Promise<T> {
  try {
    return await asking
  } catch (error) {
    if (error instanceof BusyError) throw busy()
    if (error instanceof TooLargeError) return refuse(tooLarge)
    if (error instanceof UpstreamsFailedError) return refuse(unreachable)
    throw error
  }
}

function refusal(number: number, message: string): RpcAnswer {
  return { error: { code: number, message } }
}

function respond(id: string | number | null, answer: RpcAnswer): RpcResponse {
  return { jsonrpc: '2.0', id, ...answer }
}
