/**
 * Sends one request to a Bitcoin network's Esplora servers, one after another (`upstreams/attempt.ts`).
 *
 * 1. The whole exchange ends within `limits.rpcTimeout` (10 s, spec §9).
 * 2. After a transport error, another status than 200, 400 and 404, or an invalid body, the next upstream is tried.
 * 3. 400 and 404 with a short text are Esplora's own responses, and passed on.
 * 4. A failed upstream may have relayed a transaction: "already in …" from the next is a success. The id is computed
 *    from the bytes.
 * 5. An upstream's own path and query are kept, including a key.
 */
import {
  AttemptError,
  createLine,
  fetchAndUse,
  tryInTurn,
  type UpstreamOptions,
  UpstreamsFailedError,
} from '../../platform/upstreams/attempt'
import { transactionId } from './transaction-id'

export const answerKinds = {
  json: { type: 'application/json', isAnswer: isJson },
  height: { type: 'text/plain; charset=utf-8', isAnswer: (text: string) => /^\d{1,9}$/.test(text) },
  id: { type: 'text/plain; charset=utf-8', isAnswer: (text: string) => /^[0-9a-f]{64}$/.test(text) },
  hex: { type: 'text/plain; charset=utf-8', isAnswer: (text: string) => /^(?:[0-9a-f]{2})+$/.test(text) },
} as const
export type AnswerKind = keyof typeof answerKinds

export type EsploraRequest = {
  /** From checked parts, with a leading slash. */
  readonly path: string
  readonly kind: AnswerKind
  /** Hex to post; absent for a read. */
  readonly transaction?: string
  /** Whose share of the memory a large response uses. */
  readonly caller?: string
}

export type EsploraAnswer = { readonly status: 200 | 400 | 404; readonly type: string; readonly text: string }

export type Esplora = { ask(urls: readonly string[], request: EsploraRequest): Promise<EsploraAnswer> }

const maxRefusalLength = 2_000

export function createEsplora(options: UpstreamOptions): Esplora {
  const line = createLine(options.now)
  return {
    async ask(urls, request) {
      let answer: EsploraAnswer | undefined
      let tries = 0
      const attempt = async (url: string, timeout: number) => {
        const isFirst = tries++ === 0
        const received = await askOne(url, request, timeout, options)
        answer = isFirst ? received : acceptKnownTransaction(request, received)
        line.answered(url)
      }
      await tryInTurn(urls, line, options, attempt, () => answer !== undefined)
      if (answer === undefined) throw new UpstreamsFailedError('No upstream answered')
      return answer
    },
  }
}

async function askOne(
  base: string,
  { path, kind, transaction, caller = '' }: EsploraRequest,
  timeout: number,
  options: UpstreamOptions,
): Promise<EsploraAnswer> {
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`
  const init =
    transaction === undefined
      ? { method: 'GET' }
      : { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: transaction }
  return fetchAndUse(url.href, init, timeout, { ...options, caller }, ({ status }, text) =>
    readAnswer(status, kind, text),
  )
}

function readAnswer(status: number, kind: AnswerKind, text: string): EsploraAnswer {
  const { type, isAnswer } = answerKinds[kind]
  if (status === 200) {
    const trimmed = text.trim()
    if (!isAnswer(trimmed)) throw new AttemptError('not Esplora')
    return { status, type, text: trimmed }
  }
  const isOwn = text.length <= maxRefusalLength && !text.trimStart().startsWith('<')
  if ((status !== 400 && status !== 404) || !isOwn) throw new AttemptError(`status ${status}`)
  return { status, type: answerKinds.id.type, text }
}

/** Bitcoin Core's RPC_VERIFY_ALREADY_IN_UTXO_SET (-27) and mempool messages. */
const known = /already in (?:block ?chain|utxo set|mempool)|txn-already-(?:known|in-mempool)/i

function acceptKnownTransaction({ transaction }: EsploraRequest, answer: EsploraAnswer): EsploraAnswer {
  if (transaction === undefined || answer.status !== 400 || !known.test(answer.text)) return answer
  const id = transactionId(transaction)
  return id === null ? answer : { status: 200, type: answerKinds.id.type, text: id }
}

function isJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
  } catch {
    return false
  }
}
