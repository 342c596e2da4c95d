/**
 * Calls a contract that may need data from an off-chain server (EIP-3668).
 *
 * 1. The reverting contract must name itself as sender: no contract looks up in another's name.
 * 2. The response goes to the contract's callback, whose return value is the result: the chain verifies the server.
 * 3. A callback may look up again, at most four times in total.
 * 4. The gateway itself sends a batch's queries (ENSIP-21), also nested ones.
 * 5. One call sends at most eight queries in at most six requests, within 8 s, and gives a callback at most 256 kB.
 * 6. If the contract breaks these rules, or the server has no record, the result is the contract's revert. An
 *    unreachable server is an error if the contract needs its response.
 */
import { type Hex, isHex, size } from 'viem'
import type { Log } from '../../../platform/log/log'
import type { RpcAnswer } from '../../../platform/upstreams/rpc'
import { inTime } from '../in-time'
import type { PublicFetch } from '../remote/public-fetch'
import { type BatchAnswer, batchUrl, callbackOf, type GatewayQuery, readBatch, readLookup, writeBatch } from './lookup'
import { askServers, type ServerAnswer } from './servers'

/** The message contains no URL. */
export class OffchainError extends Error {
  override readonly name = 'OffchainError'
}

export type Follow = (to: Hex, data: Hex, ask: (data: Hex) => Promise<RpcAnswer>) => Promise<RpcAnswer>

export type FollowOptions = {
  readonly fetchPublic: PublicFetch
  readonly log: Pick<Log, 'warn'>
  /** Epoch milliseconds. */
  readonly now: () => number
  /** In ms. */
  readonly patience?: number
}

const maxLookups = 4
const maxRequests = 6
/** Over all nested batches. */
const maxQuestions = 8
const maxBatchDepth = 2
/** In bytes. */
const maxCallbackBytes = 262_144

export function createFollow({ fetchPublic, log, now, patience = 8_000 }: FollowOptions): Follow {
  async function followed(
    to: Hex,
    first: RpcAnswer,
    ask: (data: Hex) => Promise<RpcAnswer>,
    signal: AbortSignal,
  ): Promise<RpcAnswer> {
    const until = now() + patience
    let requests = 0
    let questions = 0
    let failure: string | null = null
    const spend = () => {
      requests += 1
      return requests <= maxRequests && now() < until && !signal.aborted
    }
    const isSpent = () => requests >= maxRequests || questions >= maxQuestions

    async function answerTo(query: GatewayQuery, depth = 0): Promise<ServerAnswer> {
      if (isSpent()) {
        failure = 'too many'
        return { kind: 'failed', reason: failure }
      }
      if (!query.urls.includes(batchUrl)) {
        questions += 1
        const answer = await askServers(query, fetchPublic, spend, signal)
        if (answer.kind === 'failed') failure = answer.reason
        return answer
      }
      const queries = depth > maxBatchDepth ? null : readBatch(query.data)
      if (queries === null) return { kind: 'refused', status: 400 }
      const answers = await Promise.all(queries.map((one) => answerTo(one, depth + 1)))
      const length = answers.reduce((sum, answer) => sum + (answer.kind === 'data' ? size(answer.data) : 0), 0)
      if (length > maxCallbackBytes) return { kind: 'refused', status: 413 }
      return { kind: 'data', data: writeBatch(answers.map(inBatch)) }
    }

    let answer = first
    for (let lookups = 0; 'error' in answer; lookups += 1) {
      const lookup = lookupIn(answer)
      if (lookup === null || lookup.sender.toLowerCase() !== to.toLowerCase() || lookups === maxLookups) break
      const serverAnswer = await answerTo(lookup)
      if (serverAnswer.kind !== 'data' || now() >= until || signal.aborted) break
      const callback = callbackOf(lookup, serverAnswer.data)
      if (size(callback) > maxCallbackBytes) break
      answer = await ask(callback)
    }
    if ('error' in answer && failure !== null) {
      // No URL: it is untrusted, and shows what the user looks up.
      log.warn({ reason: failure }, 'no answer to a look-up outside the chain')
      throw new OffchainError('A server outside the chain gave no answer')
    }
    return answer
  }

  return async (to, data, ask) => {
    const first = await ask(data)
    if (lookupIn(first) === null) return first
    const over = new AbortController()
    try {
      const answer = await inTime(followed(to, first, ask, over.signal), null, patience)
      if (answer !== null) return answer
    } finally {
      over.abort()
    }
    log.warn({ reason: 'timeout' }, 'no answer to a look-up outside the chain')
    throw new OffchainError('A server outside the chain gave no answer')
  }
}

function lookupIn(answer: RpcAnswer) {
  const revert = 'error' in answer ? revertOf(answer.error.data) : null
  return revert === null ? null : readLookup(revert)
}

/** Nodes differ in where they put the revert data. */
function revertOf(data: unknown): Hex | null {
  if (isHex(data)) return data
  return typeof data === 'object' && data !== null && 'data' in data && isHex(data.data) ? data.data : null
}

function inBatch(answer: ServerAnswer): BatchAnswer {
  if (answer.kind === 'data') return { ok: true, data: answer.data }
  return { ok: false, status: answer.kind === 'refused' ? answer.status : null }
}
