/**
 * One JSON-RPC exchange with a network's upstreams, tried one after the other.
 *
 * 1. The whole exchange ends within `limits.rpcTimeout` (10 s, spec §9); each try but the last gets an equal share of what is
 *    left, so that a silent upstream leaves time for the next one.
 * 2. A try fails on: no connection, a redirect, its timeout, a status other than 2xx, a body over `maxResponseBytes`, and a body
 *    that is not the JSON-RPC answer to what was asked. Then the next upstream is tried.
 * 3. An error that the chain itself gives (a revert, bad params) is an answer, not a failure. "Limit exceeded" (-32005) is about
 *    the upstream, so the next one is tried; if none does better, it is the answer.
 * 4. An upstream that failed goes to the end of the line for 30 s.
 * 5. The caller's ids never leave: upstream sees 1..n, and answers are matched by it, whatever their order.
 * 6. A transaction that was handed to an upstream which then failed may be known already: the next one's "already known" counts
 *    as success, with the hash that the bytes themselves give.
 */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as z from 'zod/mini'

export type RpcCall = { readonly method: string; readonly params?: unknown }
export type RpcAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }

export type UpstreamOptions = {
  readonly fetch: typeof globalThis.fetch
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Milliseconds for the whole exchange, all tries together. */
  readonly timeout: number
  readonly maxResponseBytes: number
  /** Told of every failed try, by the upstream's host name only: its path may hold a key. */
  readonly onFailure: (failure: { readonly host: string; readonly reason: string }) => void
}

/** Every upstream failed. */
export class UpstreamsFailedError extends Error {
  override readonly name = 'UpstreamsFailedError'
}

export type Upstreams = { exchange(urls: readonly string[], calls: readonly RpcCall[]): Promise<RpcAnswer[]> }

const coolOff = 30_000
const limitExceeded = -32_005

const Answer = z.object({
  id: z.number(),
  result: z.optional(z.unknown()),
  error: z.optional(z.object({ code: z.int(), message: z.catch(z.string(), ''), data: z.optional(z.unknown()) })),
})

export function createUpstreams(options: UpstreamOptions): Upstreams {
  const { now } = options
  /** When each failed upstream may stand in front again, epoch milliseconds. One entry a configured upstream at most. */
  const resting = new Map<string, number>()

  return {
    async exchange(urls, calls) {
      const deadline = now() + options.timeout
      const line = [...urls].sort((a, b) => restUntil(a) - restUntil(b))
      let limited: RpcAnswer[] | undefined
      let failedBefore = false
      for (const [index, url] of line.entries()) {
        const left = deadline - now()
        if (left <= 0) break
        const share = left / (line.length - index)
        try {
          const answers = await attempt(url, calls, share, options)
          if (answers.some((answer) => 'error' in answer && answer.error.code === limitExceeded)) {
            resting.set(url, now() + coolOff)
            limited ??= answers
            continue
          }
          resting.delete(url)
          return failedBefore ? answers.map((answer, at) => acceptKnownTransaction(calls[at], answer)) : answers
        } catch (error) {
          failedBefore = true
          resting.set(url, now() + coolOff)
          options.onFailure({ host: new URL(url).host, reason: error instanceof Error ? error.message : 'unknown' })
        }
      }
      if (limited !== undefined) return limited
      throw new UpstreamsFailedError('No upstream answered')
    },
  }

  function restUntil(url: string): number {
    const until = resting.get(url)
    return until === undefined || until <= now() ? 0 : until
  }
}

async function attempt(
  url: string,
  calls: readonly RpcCall[],
  timeout: number,
  options: UpstreamOptions,
): Promise<RpcAnswer[]> {
  const requests = calls.map((call, index) => ({ jsonrpc: '2.0', id: index + 1, ...call }))
  const response = await options.fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify(requests.length === 1 ? requests[0] : requests),
    redirect: 'error',
    signal: AbortSignal.timeout(Math.ceil(timeout)),
  })
  const text = await readLimited(response, options.maxResponseBytes)
  if (!response.ok) throw new Error(`status ${response.status}`)
  const body: unknown = JSON.parse(text)
  const parsed = z.array(Answer).safeParse(Array.isArray(body) ? body : [body])
  if (!parsed.success) throw new Error('not a JSON-RPC answer')
  const byId = new Map(parsed.data.map((answer) => [answer.id, answer]))
  return requests.map(({ id }) => {
    const answer = byId.get(id)
    if (answer?.error !== undefined) return { error: pickError(answer.error) }
    if (answer === undefined || !('result' in answer)) throw new Error('an answer is missing')
    return { result: answer.result }
  })
}

function pickError(error: NonNullable<z.infer<typeof Answer>['error']>): {
  code: number
  message: string
  data?: unknown
} {
  const { code, message, data } = error
  return data === undefined ? { code, message } : { code, message, data }
}

/** Counts bytes as they come, so that no upstream can fill the memory. */
async function readLimited(response: Response, most: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > most) throw new Error(`a body over ${most} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function acceptKnownTransaction(call: RpcCall | undefined, answer: RpcAnswer): RpcAnswer {
  if (call?.method !== 'eth_sendRawTransaction' || !('error' in answer)) return answer
  if (!/already (known|imported)|known transaction/i.test(answer.error.message)) return answer
  const raw = Array.isArray(call.params) ? call.params[0] : undefined
  if (typeof raw !== 'string' || !/^0x(?:[0-9a-f]{2})+$/i.test(raw)) return answer
  return { result: `0x${bytesToHex(keccak_256(hexToBytes(raw.slice(2))))}` }
}
