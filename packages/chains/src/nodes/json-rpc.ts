import { type Clock, deadline } from '@postern/base/clock'
import { errors, JsonRpcResponse, limits } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'
import { asUnreachable, orAfterRateLimit, unreadable } from './unreachable'

export type JsonRpcRequest = { readonly method: string; readonly params?: unknown }

export type JsonRpcClient = {
  /** @throws {Failure} the chain's error (INTERNAL), NETWORK_UNREACHABLE, TIMEOUT, INVALID_PARAMS, ABORTED */
  request(request: JsonRpcRequest, signal?: AbortSignal): Promise<unknown>
}

export type JsonRpcClientOptions = {
  /** Tried in order. */
  readonly endpoints: readonly string[]
  readonly fetch: typeof fetch
  readonly clock: Clock
}

type Answer = {
  readonly replies: readonly JsonRpcResponse[]
  readonly isSecond: boolean
}

const Replies = z.union([z.array(JsonRpcResponse), JsonRpcResponse])

type Waiting = JsonRpcRequest & {
  readonly id: number
  readonly signal: AbortSignal | undefined
  resolve(result: unknown): void
  reject(error: unknown): void
}

/**
 * JSON-RPC 2.0 over POST (spec §7).
 *
 * 1. Requests of one turn form one batch of max 1000, sent after 0 ms (spec §9). A single request is sent bare.
 * 2. The next endpoint is tried if one is unreachable, silent for 10 s, or does not return JSON-RPC. The chain's own
 *    error is passed on.
 * 3. Every request settles: by its reply, its signal, or the last endpoint's failure. A missing reply is
 *    NETWORK_UNREACHABLE.
 * 4. Without any endpoint it fails with TRANSPORT_URL_MISSING (spec §8).
 * 5. A silent endpoint may have accepted a signed transaction. If a later one already knows it, the result is its hash.
 * 6. If all fail and the last one limits the rate, all are asked once more ({@link orAfterRateLimit}).
 * 7. Parameters that JSON cannot have, such as a bigint, are INVALID_PARAMS; the rest of the batch is sent.
 * 8. NETWORK_UNREACHABLE: no endpoint answers in JSON-RPC. `data.status`: HTTP status.
 */
export function createJsonRpcClient({ endpoints, fetch, clock }: JsonRpcClientOptions): JsonRpcClient {
  let nextId = 1
  let waiting: Waiting[] = []

  function flush(): void {
    const all = waiting
    waiting = []
    for (let start = 0; start < all.length; start += limits.rpcBatchSize)
      void sendBatch(all.slice(start, start + limits.rpcBatchSize))
  }

  async function sendBatch(batch: readonly Waiting[]): Promise<void> {
    const [first] = batch
    if (first === undefined) return
    const payload = batch.map(({ id, method, params }) => ({ jsonrpc: '2.0', id, method, params: params ?? [] }))
    // A batch has several callers, so no single signal aborts it.
    const signal = batch.length === 1 ? first.signal : undefined
    try {
      const answer = await orAfterRateLimit(
        () => askEach(batch.length === 1 ? payload[0] : payload, signal),
        clock,
        signal,
      )
      for (const request of batch) settle(request, answer)
    } catch (error) {
      for (const request of batch) request.reject(error)
    }
  }

  async function askEach(body: unknown, signal: AbortSignal | undefined): Promise<Answer> {
    let lastError: unknown = new Failure('TRANSPORT_URL_MISSING')
    for (const [at, endpoint] of endpoints.entries()) {
      const limit = deadline(clock, limits.rpcTimeout, signal, () => new Failure('TIMEOUT'))
      try {
        return { replies: await post(endpoint, body, limit.signal), isSecond: at > 0 }
      } catch (error) {
        if (signal?.aborted) throw new Failure('ABORTED', { cause: error })
        lastError = asUnreachable(error)
      } finally {
        limit.release()
      }
    }
    throw lastError
  }

  async function post(endpoint: string, body: unknown, signal: AbortSignal): Promise<readonly JsonRpcResponse[]> {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      credentials: 'omit',
      signal,
    })
    // Some nodes send errors with a 4xx or 5xx status.
    const parsed = Replies.safeParse(await response.json().catch(() => null))
    if (!parsed.success) throw unreadable(response, notJsonRpc)
    return Array.isArray(parsed.data) ? parsed.data : [parsed.data]
  }

  return {
    request({ method, params }, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(new Failure('ABORTED'))
        try {
          JSON.stringify(params)
        } catch (cause) {
          return reject(new Failure('INVALID_PARAMS', { message: notJson, cause }))
        }
        const onAbort = () => reject(new Failure('ABORTED'))
        signal?.addEventListener('abort', onAbort, { once: true })
        const release = () => signal?.removeEventListener('abort', onAbort)
        waiting.push({
          id: nextId++,
          method,
          params,
          signal,
          resolve(result) {
            release()
            resolve(result)
          },
          reject(error) {
            release()
            reject(error)
          },
        })
        if (waiting.length === 1) clock.after(limits.rpcBatchWait, flush)
      })
    },
  }
}

const notJsonRpc = 'The endpoint’s answer is not JSON-RPC. Check the URL of the endpoint'
const notJson = 'The parameters are not JSON. Send a bigint as a hexadecimal string'

function settle(request: Waiting, { replies, isSecond }: Answer) {
  const reply = replies.find(({ id }) => id === request.id) ?? soleFailure(replies)
  if (reply === undefined) return request.reject(new Failure('NETWORK_UNREACHABLE', { message: missingReply }))
  if (!('error' in reply)) return request.resolve(reply.result)
  const { code, message, data } = reply.error
  // The gateway's error for silent endpoints.
  if (code === errors.NETWORK_UNREACHABLE.rpc && message === errors.NETWORK_UNREACHABLE.message)
    return request.reject(new Failure('NETWORK_UNREACHABLE'))
  const failure = new Failure('INTERNAL', { message, rpc: code, ...(data !== undefined && { data }) })
  const signed = isSecond && alreadyKnown.test(message) ? signedTransaction(request) : undefined
  if (signed === undefined) return request.reject(failure)
  // Keeps the hash function out of the first paint.
  import('../eip155/transaction-hash').then(
    ({ transactionHash }) => request.resolve(transactionHash(signed)),
    () => request.reject(failure),
  )
}

const missingReply = 'The endpoint did not reply to this request'

/** geth, Erigon, Nethermind; OpenEthereum. */
const alreadyKnown = /already ?known|already imported/i

function signedTransaction({ method, params }: JsonRpcRequest): `0x${string}` | undefined {
  if (method !== 'eth_sendRawTransaction' || !Array.isArray(params) || params.length !== 1) return undefined
  const [signed]: unknown[] = params
  return isSignedTransaction(signed) ? signed : undefined
}

/** Only types whose hash is that of their bytes: legacy, 1, 2 and 4. */
function isSignedTransaction(value: unknown): value is `0x${string}` {
  return typeof value === 'string' && /^0x(01|02|04|[c-f][0-9a-f])([0-9a-f]{2})+$/i.test(value)
}

/** A node that cannot read a batch's ids sends one error with `id: null`. */
function soleFailure(replies: readonly JsonRpcResponse[]): JsonRpcResponse | undefined {
  return replies.length === 1 && replies[0]?.id === null ? replies[0] : undefined
}
