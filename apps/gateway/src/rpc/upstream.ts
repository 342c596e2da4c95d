/**
 * One JSON-RPC exchange with a network's upstreams, tried one after the other (`upstreams/attempt.ts`).
 *
 * 1. The whole exchange ends within `limits.rpcTimeout` (10 s, spec §9).
 * 2. A try fails on what ends a try, on a status other than 2xx, and on a body that is not the JSON-RPC answer to what was asked.
 *    Then the next upstream is tried.
 * 3. An error that the chain itself gives (a revert, bad params) is an answer, not a failure. "Limit exceeded" on EVM and "node is
 *    behind" on Solana (both -32005) are about the upstream, so the next one is asked for those calls alone, and the other answers
 *    stay; if none does better, it is the answer.
 * 4. An upstream that failed goes to the end of the line for 30 s.
 * 5. The caller's ids never leave: an upstream sees numbers from 1..n, and answers are matched by them, whatever their order.
 * 6. A transaction that was handed to an upstream which then failed or was over its limit may be known already: the next one's
 *    "already known" counts as success, with the hash that the bytes themselves give, and so does "nonce too low" where that one knows the transaction: a block has it.
 * 7. A failed try is told by the upstream's host and one of a fixed set of reasons.
 * 8. A call that cannot be written as JSON (params nested too deep) is answered -32602 and never sent: no upstream failed.
 */
import * as z from 'zod/mini'
import {
  AttemptError,
  createLine,
  fetchText,
  tryInTurn,
  type UpstreamOptions,
  UpstreamsFailedError,
} from '../upstreams/attempt'
import { knownTransaction, maybeMined } from './known-transaction'

export type RpcCall = { readonly method: string; readonly params?: unknown }
export type RpcAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }

export type Upstreams = { exchange(urls: readonly string[], calls: readonly RpcCall[]): Promise<RpcAnswer[]> }

/** The upstream's, not the chain's, refusal (EIP-1474). */
export const limitExceeded = -32_005
const unwritable: RpcAnswer = { error: { code: -32_602, message: 'The params are nested too deep' } }

/** A call on its way: `id` is its place in the exchange, from 1, and `text` the whole request as JSON. */
type Pending = { readonly id: number; readonly call: RpcCall; readonly text: string }

const Answer = z.object({
  id: z.number(),
  result: z.optional(z.unknown()),
  error: z.optional(z.object({ code: z.int(), message: z.catch(z.string(), ''), data: z.optional(z.unknown()) })),
})

export function createUpstreams(options: UpstreamOptions): Upstreams {
  const line = createLine(options.now)

  return {
    async exchange(urls, calls) {
      const written = calls.map((call, index) => write(call, index + 1))
      let pending = written.filter((request) => request !== undefined)
      const answered = new Map<number, RpcAnswer>()
      let tries = 0

      const attempt = async (url: string, timeout: number) => {
        const isFirst = tries++ === 0
        const deadline = options.now() + timeout
        const has = (hash: string) => knows(url, hash, Math.max(1, deadline - options.now()), options)
        const answers = await ask(url, pending, timeout, options)
        for (const { id, call } of pending) {
          const answer = answers.get(id)
          if (answer !== undefined) answered.set(id, isFirst ? answer : await acceptKnownTransaction(call, answer, has))
        }
        pending = pending.filter(({ id }) => isOverLimit(answered.get(id)))
        if (pending.length === 0) line.answered(url)
        else line.failed(url)
      }
      await tryInTurn(urls, line, options, attempt, () => pending.length === 0)

      return written.map((request) => {
        if (request === undefined) return unwritable
        const answer = answered.get(request.id)
        if (answer === undefined) throw new UpstreamsFailedError('No upstream answered')
        return answer
      })
    },
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

/** @returns one answer for each request, by its id */
async function ask(
  url: string,
  requests: readonly Pending[],
  timeout: number,
  options: UpstreamOptions,
): Promise<Map<number, RpcAnswer>> {
  const texts = requests.map(({ text }) => text).join(',')
  const init = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: requests.length === 1 ? texts : `[${texts}]`,
  }
  const { response, text } = await fetchText(url, init, timeout, options)
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

async function acceptKnownTransaction(
  call: RpcCall,
  answer: RpcAnswer,
  has: (hash: string) => Promise<boolean>,
): Promise<RpcAnswer> {
  if (!('error' in answer)) return answer
  const { message } = answer.error
  const known = knownTransaction(call, message)
  if (known !== undefined) return { result: known }
  const mined = maybeMined(call, message)
  return mined !== undefined && (await has(mined)) ? { result: mined } : answer
}

/** Whether this upstream has the transaction. One that does not answer has not. */
async function knows(url: string, hash: string, timeout: number, options: UpstreamOptions): Promise<boolean> {
  const question = write({ method: 'eth_getTransactionByHash', params: [hash] }, 1)
  if (question === undefined) return false
  try {
    const answer = (await ask(url, [question], timeout, options)).get(1)
    return answer !== undefined && 'result' in answer && answer.result !== null
  } catch {
    return false
  }
}
