/**
 * One JSON-RPC exchange with a network's upstreams, one after another (`attempt.ts`).
 *
 * 1. The whole exchange ends within `limits.rpcTimeout` (10 s, spec §9).
 * 2. A transport error, a status other than 2xx or an invalid body fails the attempt; the next upstream is tried.
 * 3. A chain's error (a revert, bad params) is a result. -32005 ("limit exceeded" on EVM, "node is behind" on Solana)
 *    concerns the upstream: those calls alone are retried on the next. If no upstream does better, the error is the
 *    result.
 * 4. A failed upstream goes to the end of the order for 30 s.
 * 5. An upstream sees ids 1..n, not the caller's, and may answer in any order.
 * 6. An upstream that failed or was over its limit may have relayed a transaction. So "already known" from the next is
 *    a success, with the hash of the bytes; so is "nonce too low" if that upstream knows the transaction.
 * 7. A response is limited by its methods (`response-size.ts`).
 * 8. A call that cannot be serialised (nested too deeply) gets -32602; no upstream failed.
 * 9. A large response to `relay` is passed on, not parsed (`large-result.ts`).
 * 10. On Solana, an upstream that is behind may refuse, by simulation, what a failed one has relayed. That is -32603:
 *     after a refusal, the caller would send again. If a program fails, the refusal stays.
 */
import * as z from 'zod/mini'
import {
  AttemptError,
  createLine,
  openBody,
  type ReadOptions,
  readWhole,
  tryInTurn,
  type UpstreamOptions,
  UpstreamsFailedError,
} from './attempt'
import { knownTransaction, maybeMined } from './known-transaction'
import { type LargeResult, openLargeResult } from './large-result'
import { maxBytesOf } from './response-size'

export type RpcCall = { readonly method: string; readonly params?: unknown }
export type RpcAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }

export type Upstreams = {
  /** @param caller whose budget large responses use. Default: the gateway's own. */
  exchange(urls: readonly string[], calls: readonly RpcCall[], caller?: string): Promise<RpcAnswer[]>
}

export type RelayingUpstreams = Upstreams & {
  /** The owner of a large result streams or closes it. */
  relay(urls: readonly string[], call: RpcCall, caller: string): Promise<RpcAnswer | { readonly large: LargeResult }>
}

export class TooLargeError extends UpstreamsFailedError {
  override readonly name = 'TooLargeError'
}

/** Refused by the upstream, not the chain (EIP-1474). */
export const limitExceeded = -32_005
const maybeSent: RpcAnswer = {
  error: { code: -32_603, message: 'A node that did not answer may have sent the transaction' },
}
const unwritable: RpcAnswer = { error: { code: -32_602, message: 'The params are nested too deep' } }

/** `id`: position from 1. `text`: the serialised request. */
type Pending = { readonly id: number; readonly call: RpcCall; readonly text: string }

const Answer = z.object({
  id: z.number(),
  result: z.optional(z.unknown()),
  // Some nodes send `error: null` beside a result, as in JSON-RPC 1.0.
  error: z.nullish(z.object({ code: z.int(), message: z.catch(z.string(), ''), data: z.optional(z.unknown()) })),
})

type Relayed = RpcAnswer | { readonly large: LargeResult }
type Reading = ReadOptions & { readonly caller: string; readonly isLargePassedOn: boolean }

export function createUpstreams(options: UpstreamOptions): RelayingUpstreams {
  const line = createLine(options.now)

  async function run(urls: readonly string[], calls: readonly RpcCall[], reader: Omit<Reading, keyof UpstreamOptions>) {
    const reading = { ...options, ...reader, maxResponseBytes: maxBytesOf(calls, options.maxResponseBytes) }
    const requests = calls.map((call, index) => write(call, index + 1))
    let pending = requests.filter((request) => request !== undefined)
    const answered = new Map<number, Relayed>()
    let tries = 0
    let lastFailure: unknown

    const attempt = async (url: string, timeout: number) => {
      const isFirst = tries++ === 0
      const deadline = options.now() + timeout
      const has = (hash: string) => knows(url, hash, Math.max(1, deadline - options.now()), reading)
      const answers = await ask(url, pending, timeout, reading).catch((error: unknown) => {
        lastFailure = error
        throw error
      })
      for (const { id, call } of pending) {
        const answer = answers.get(id)
        if (answer === undefined) continue
        const accepted = isFirst ? answer : await acceptKnownTransaction(call, answer, has)
        answered.set(id, lastFailure !== undefined && isInconclusive(call, accepted) ? maybeSent : accepted)
      }
      pending = pending.filter(({ id }) => isOverLimit(answered.get(id)))
      if (pending.length === 0) line.answered(url)
      else line.failed(url)
    }
    await tryInTurn(urls, line, options, attempt, () => pending.length === 0)

    return requests.map((request) => {
      if (request === undefined) return unwritable
      const answer = answered.get(request.id)
      if (answer !== undefined) return answer
      const isTooLarge = lastFailure instanceof AttemptError && lastFailure.reason === 'too large'
      throw isTooLarge
        ? new TooLargeError('The response is too large')
        : new UpstreamsFailedError('No upstream answered')
    })
  }

  return {
    async exchange(urls, calls, caller = '') {
      const answers = await run(urls, calls, { caller, isLargePassedOn: false })
      return answers.map((answer) => {
        if ('large' in answer) throw new Error('A large result was not read')
        return answer
      })
    },
    async relay(urls, call, caller) {
      const [answer] = await run(urls, [call], { caller, isLargePassedOn: true })
      return answer ?? unwritable
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

function isOverLimit(answer: Relayed | undefined): boolean {
  return answer !== undefined && 'error' in answer && answer.error.code === limitExceeded
}

/** @throws {AttemptError}, {BusyError} and the errors of `fetch`. */
async function ask(
  url: string,
  requests: readonly Pending[],
  timeout: number,
  options: Reading,
): Promise<Map<number, Relayed>> {
  const texts = requests.map(({ text }) => text).join(',')
  const init = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: requests.length === 1 ? texts : `[${texts}]`,
  }
  const body = await openBody(url, init, timeout, options)
  const [only] = requests
  let isPassedOn = false
  try {
    const head: Uint8Array[] = []
    if (options.isLargePassedOn && body.response.ok && only !== undefined) {
      for (let chunk = await body.read(); chunk !== null; chunk = await body.read()) {
        head.push(chunk)
        if (!body.isLarge()) continue
        const large = await openLargeResult(body, Buffer.concat(head))
        isPassedOn = true
        return new Map([[only.id, { large }]])
      }
    }
    const answers = await readWhole(body, options.maxResponseBytes, readAnswers, head)
    return new Map(requests.map(({ id }) => [id, pickAnswer(answers.get(id))]))
  } finally {
    if (!isPassedOn) body.close()
  }
}

function readAnswers(response: Response, text: string): ReadonlyMap<number, z.infer<typeof Answer>> {
  if (!response.ok) throw new AttemptError(`status ${response.status}`)
  const body = parseJson(text)
  const parsed = z.array(Answer).safeParse(Array.isArray(body) ? body : [body])
  if (!parsed.success) throw new AttemptError('not JSON-RPC')
  return new Map(parsed.data.map((answer) => [answer.id, answer]))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new AttemptError('not JSON-RPC')
  }
}

function pickAnswer(answer: z.infer<typeof Answer> | undefined): RpcAnswer {
  if (answer?.error) return { error: pickError(answer.error) }
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
  answer: Relayed,
  has: (hash: string) => Promise<boolean>,
): Promise<Relayed> {
  if (!('error' in answer)) return answer
  const { message } = answer.error
  const known = knownTransaction(call, message)
  if (known !== undefined) return { result: known }
  const mined = maybeMined(call, message)
  return mined !== undefined && (await has(mined)) ? { result: mined } : answer
}

const simulationFailed = -32_002
const ProgramError = z.object({ err: z.object({ InstructionError: z.array(z.unknown()) }) })

/** Requirement 10. */
function isInconclusive({ method }: RpcCall, answer: Relayed): boolean {
  if (method !== 'sendTransaction' || !('error' in answer)) return false
  return answer.error.code === simulationFailed && !ProgramError.safeParse(answer.error.data).success
}

/** False also without a response. */
async function knows(url: string, hash: string, timeout: number, options: Reading): Promise<boolean> {
  const question = write({ method: 'eth_getTransactionByHash', params: [hash] }, 1)
  if (question === undefined) return false
  try {
    const answer = (await ask(url, [question], timeout, { ...options, isLargePassedOn: false })).get(1)
    return answer !== undefined && 'result' in answer && answer.result !== null
  } catch {
    return false
  }
}
