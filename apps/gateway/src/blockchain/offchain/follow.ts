/**
 * Asks a contract whose answer may be on a server outside the chain (EIP-3668).
 *
 * 1. A look-up counts only where the contract that reverted names itself as its sender: no other contract's answer is asked for in its name.
 * 2. The server's answer goes to the contract's callback, and what that returns is the answer: whether the server told the truth is checked on chain.
 * 3. A callback may look up again, four times in all.
 * 4. A batch (`x-batch-gateway:true`, ENSIP-21) is put to its servers from here; one in a batch is put together likewise.
 * 5. For one question to a contract at most eight questions, those in batches of batches counted together, are put to servers and at most six requests go out,
 *    within 8 s of the first look-up. Nothing goes out after that, what waits or is under way is called off, and once they are used up no further look-up is read.
 *    What goes to the contract's callback is at most 256 kB.
 * 6. A contract that does not hold to this, and a server that says no, are the contract's refusal: the answer is the revert. That a server could not be
 *    asked is an error, where the contract has no answer without it.
 */
import { type Hex, isHex, size } from 'viem'
import type { Log } from '../../log'
import type { RpcAnswer } from '../../rpc/upstream'
import { inTime } from '../in-time'
import type { PublicFetch } from '../remote/public-fetch'
import { type BatchAnswer, batchUrl, callbackOf, type GatewayQuery, readBatch, readLookup, writeBatch } from './lookup'
import { askServers, type ServerAnswer } from './servers'

/** A server outside the chain could not be asked. The message holds no address. */
export class OffchainError extends Error {
  override readonly name = 'OffchainError'
}

/** @param ask puts call data to the contract. @throws {OffchainError} and whatever `ask` does */
export type Follow = (to: Hex, data: Hex, ask: (data: Hex) => Promise<RpcAnswer>) => Promise<RpcAnswer>

export type FollowOptions = {
  readonly fetchPublic: PublicFetch
  readonly log: Pick<Log, 'warn'>
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Milliseconds. */
  readonly patience?: number
}

const mostLookups = 4
const mostRequests = 6
/** That are put to servers: what is in batches of batches counts together. */
const mostQuestions = 8
const mostBatchesInBatches = 2
/** Bytes. */
const longestCallback = 262_144

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
      return requests <= mostRequests && now() < until && !signal.aborted
    }
    const isSpent = () => requests >= mostRequests || questions >= mostQuestions

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
      const queries = depth > mostBatchesInBatches ? null : readBatch(query.data)
      if (queries === null) return { kind: 'refused', status: 400 }
      const answers = await Promise.all(queries.map((one) => answerTo(one, depth + 1)))
      // Beyond what a callback may have nothing is written.
      const length = answers.reduce((sum, answer) => sum + (answer.kind === 'data' ? size(answer.data) : 0), 0)
      if (length > longestCallback) return { kind: 'refused', status: 413 }
      return { kind: 'data', data: writeBatch(answers.map(inBatch)) }
    }

    let answer = first
    for (let lookups = 0; 'error' in answer; lookups += 1) {
      const lookup = lookupIn(answer)
      if (lookup === null || lookup.sender.toLowerCase() !== to.toLowerCase() || lookups === mostLookups) break
      const given = await answerTo(lookup)
      if (given.kind !== 'data' || now() >= until || signal.aborted) break
      const callback = callbackOf(lookup, given.data)
      if (size(callback) > longestCallback) break
      answer = await ask(callback)
    }
    if ('error' in answer && failure !== null) {
      // The reason alone: the address is a stranger's, and whom somebody looks for.
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

/** Nodes differ in where they put it. */
function revertOf(data: unknown): Hex | null {
  if (isHex(data)) return data
  return typeof data === 'object' && data !== null && 'data' in data && isHex(data.data) ? data.data : null
}

function inBatch(answer: ServerAnswer): BatchAnswer {
  if (answer.kind === 'data') return { ok: true, data: answer.data }
  return { ok: false, status: answer.kind === 'refused' ? answer.status : null }
}
