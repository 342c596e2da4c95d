/**
 * One JSON-RPC exchange with a network's upstreams, tried one after the other.
 *
 * 1. The whole exchange ends within `limits.rpcTimeout` (10 s, spec §9); each try but the last gets an equal share of what is
 *    left, so that a silent upstream leaves time for the next one.
 * 2. A try fails on: no connection, a redirect, its timeout, a status other than 2xx, a body over `maxResponseBytes`, and a body
 *    that is not the JSON-RPC answer to what was asked. Then the next upstream is tried.
 * 3. An error that the chain itself gives (a revert, bad params) is an answer, not a failure. "Limit exceeded" (-32005) is about
 *    the upstream, so the next one is asked for those calls alone, and the other answers stay; if none does better, it is the answer.
 * 4. An upstream that failed goes to the end of the line for 30 s.
 * 5. The caller's ids never leave: an upstream sees numbers from 1..n, and answers are matched by them, whatever their order.
 * 6. A transaction that was handed to an upstream which then failed or was over its limit may be known already: the next one's
 *    "already known" counts as success, with the hash that the bytes themselves give.
 * 7. A failed try is told by the upstream's host and one of a fixed set of reasons: an error's own words may hold the address.
 * 8. A call that cannot be written as JSON (params nested too deep) is answered -32602 and never sent: no upstream failed.
 */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as z from 'zod/mini'

export type RpcCall = { readonly method: string; readonly params?: unknown }
export type RpcAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }

export type FailureReason = 'timeout' | 'no connection' | 'not JSON-RPC' | 'too large' | `status ${number}`

export type UpstreamOptions = {
  readonly fetch: typeof globalThis.fetch
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Milliseconds for the whole exchange, all tries together. */
  readonly timeout: number
  readonly maxResponseBytes: number
  /** Told of every failed try, by the upstream's host name only: its path may hold a key. */
  readonly onFailure: (failure: { readonly host: string; readonly reason: FailureReason }) => void
}

/** Every upstream failed. */
export class UpstreamsFailedError extends Error {
  override readonly name = 'UpstreamsFailedError'
}

export type Upstreams = { exchange(urls: readonly string[], calls: readonly RpcCall[]): Promise<RpcAnswer[]> }

const coolOff = 30_000
const limitExceeded = -32_005
const unwritable: RpcAnswer = { error: { code: -32_602, message: 'The params are nested too deep' } }

class AttemptError extends Error {
  override readonly name = 'AttemptError'
  constructor(readonly reason: FailureReason) {
    super(reason)
  }
}

/** A call on its way: `id` is its place in the exchange, from 1, and `text` the whole request as JSON. */
type Pending = { readonly id: number; readonly call: RpcCall; readonly text: string }

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
      const written = calls.map((call, index) => write(call, index + 1))
      let pending = written.filter((request) => request !== undefined)
      const answered = new Map<number, RpcAnswer>()
      let triedBefore = false
      for (const [index, url] of line.entries()) {
        const left = deadline - now()
        if (left <= 0 || pending.length === 0) break
        const share = left / (line.length - index)
        try {
          const answers = await attempt(url, pending, share, options)
          for (const { id, call } of pending) {
            const answer = answers.get(id)
            if (answer !== undefined) answered.set(id, triedBefore ? acceptKnownTransaction(call, answer) : answer)
          }
          pending = pending.filter(({ id }) => isOverLimit(answered.get(id)))
          if (pending.length === 0) resting.delete(url)
          else resting.set(url, now() + coolOff)
        } catch (error) {
          resting.set(url, now() + coolOff)
          options.onFailure({ host: new URL(url).host, reason: reasonOf(error) })
        }
        triedBefore = true
      }
      return written.map((request) => {
        if (request === undefined) return unwritable
        const answer = answered.get(request.id)
        if (answer === undefined) throw new UpstreamsFailedError('No upstream answered')
        return answer
      })
    },
  }

  function restUntil(url: string): number {
    const until = resting.get(url)
    return until === undefined || until <= now() ? 0 : until
  }
}

function write(call: RpcCall, id: number): Pending | undefined {
  try {
    return { id, call, text: JSON.stringify({ jsonrpc: '2.0', id, ...call }) }
  } catch {
    return undefined
  }
}

function isOverLimit(answer: RpcAnswer | undefined): boolean {
  return answer !== undefined && 'error' in answer && answer.error.code === limitExceeded
}

function reasonOf(error: unknown): FailureReason {
  if (error instanceof AttemptError) return error.reason
  return error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'no connection'
}

/** @returns one answer for each request, by its id */
async function attempt(
  url: string,
  requests: readonly Pending[],
  timeout: number,
  options: UpstreamOptions,
): Promise<Map<number, RpcAnswer>> {
  const texts = requests.map(({ text }) => text).join(',')
  const response = await options.fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: requests.length === 1 ? texts : `[${texts}]`,
    redirect: 'error',
    signal: AbortSignal.timeout(Math.ceil(timeout)),
  })
  const text = await readLimited(response, options.maxResponseBytes)
  if (!response.ok) throw new AttemptError(`status ${response.status}`)
  const body = parseJson(text)
  const parsed = z.array(Answer).safeParse(Array.isArray(body) ? body : [body])
  if (!parsed.success) throw new AttemptError('not JSON-RPC')
  const byId = new Map(parsed.data.map((answer) => [answer.id, answer]))
  return new Map(requests.map(({ id }) => [id, pickAnswer(byId.get(id))]))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new AttemptError('not JSON-RPC')
  }
}

function pickAnswer(answer: z.infer<typeof Answer> | undefined): RpcAnswer {
  if (answer?.error !== undefined) return { error: pickError(answer.error) }
  if (answer === undefined || !('result' in answer)) throw new AttemptError('not JSON-RPC')
  return { result: answer.result }
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
    if (size > most) throw new AttemptError('too large')
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
