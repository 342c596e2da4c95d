import * as z from 'zod/mini'
import { hex } from '../../hex'
import { readText } from '../../read-text'
import { UnverifiableError } from '../verifier'

const Answer = z.union([
  z.object({ result: z.string().check(z.regex(/^0x[0-9a-fA-F]*$/)) }),
  z.object({ error: z.object({ code: z.number(), message: z.string() }) }),
])

/** In ms. */
const timeout = 10_000
/** Revert data may be longer than a result. */
const maxAnswerBytes = 65_536

/** 15 million: far more than an account needs, under a second. A contract must not outlast the node's timeout. */
const gas = '0xe4e1c0'

/**
 * Runs creation code on the latest block. Returns hexadecimal.
 * Unlike viem's `verifyHash`, it tells an unreachable node from an invalid signature.
 * @throws {UnverifiableError} without a usable response.
 */
export async function runCreationCode({
  url,
  code,
  fetch: ask = fetch,
}: {
  readonly url: string
  readonly code: string
  readonly fetch?: typeof fetch | undefined
}): Promise<string | 'reverted'> {
  const params = [{ from: randomSender(), data: code, gas }, 'latest']
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params })
  const headers = { 'content-type': 'application/json' }
  const answer = await ask(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(timeout) })
    .then(async (response) => JSON.parse((await readText(response.body, maxAnswerBytes)) ?? 'null'))
    .then(
      (json) => Answer.safeParse(json),
      () => undefined,
    )
  if (answer === undefined) throw new UnverifiableError('The node of the chain cannot be reached.')
  if (!answer.success) throw new UnverifiableError('The node of the chain did not send a JSON-RPC response.')
  if ('result' in answer.data) return answer.data.result
  const { code: number, message } = answer.data.error
  if (isRevert(number, message)) return 'reverted'
  throw new UnverifiableError(`The node of the chain refused the request (${number}).`)
}

/** For the zero address, nodes' default, some accounts accept everything. */
function randomSender(): string {
  return `0x${hex(crypto.getRandomValues(new Uint8Array(20)))}`
}

/** Geth and most others: 3. Nethermind: -32015. */
function isRevert(code: number, message: string): boolean {
  return code === 3 || code === -32_015 || [/revert/i, cannotRun, ranTooLong].some((words) => words.test(message))
}

/**
 * Messages of Geth and Anvil (`MemoryOOG`).
 * The contract causes these, so they reject: otherwise its author could keep a signature from becoming invalid.
 */
const cannotRun =
  /out ?of ?gas|OOG\b|invalid ?(?:fe ?)?opcode|opcode ?not ?found|stack ?(?:under|over)flow|stack limit reached|invalid ?jump/i

/** Geth: with this gas, only code written to be slow takes so long. A proxy's timeout must not match. */
const ranTooLong = /execution (?:was )?(?:aborted|time(?:d ?)?out)/i
