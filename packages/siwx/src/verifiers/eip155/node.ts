/** One `eth_call` to a chain's node. */
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
/** Bytes. A word and what nodes write around it take a hundred; what a contract reverts with may come along. */
const longestAnswer = 65_536

/**
 * 15 million: many times what an account needs to be made and to check a signature, and what nodes run in well under a second. Without it a node gives what it likes, which a contract
 * may be able to spend more slowly than the node waits.
 */
const gas = '0xe4e1c0'

/**
 * Runs creation code on the latest block, as somebody whom nobody knows, without a trace, and gives what it returns, in hexadecimal.
 *
 * viem's own `verifyHash` takes a node that is away for a signature that is wrong, hence this.
 *
 * @throws {UnverifiableError} when the node does not say.
 */
export async function createsAndReturns({
  url,
  code,
  fetch: ask = fetch,
}: {
  readonly url: string
  readonly code: string
  readonly fetch?: typeof fetch | undefined
}): Promise<string | 'reverted'> {
  const params = [{ from: stranger(), data: code, gas }, 'latest']
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params })
  const headers = { 'content-type': 'application/json' }
  const answer = await ask(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(timeout) })
    .then(async (response) => JSON.parse((await readText(response.body, longestAnswer)) ?? 'null'))
    .then(
      (json) => Answer.safeParse(json),
      () => undefined,
    )
  if (answer === undefined) throw new UnverifiableError('The node of the chain cannot be reached.')
  if (!answer.success) throw new UnverifiableError('The node of the chain gave no answer that JSON-RPC knows.')
  if ('result' in answer.data) return answer.data.result
  const { code: number, message } = answer.data.error
  if (isRevert(number, message)) return 'reverted'
  throw new UnverifiableError(`The node of the chain refused the question (${number}).`)
}

/** Without `from` nodes ask as the zero address, of which some accounts take everything, since no transaction comes from it. */
function stranger(): string {
  return `0x${hex(crypto.getRandomValues(new Uint8Array(20)))}`
}

/** Geth and most others say 3, Nethermind -32015; of the rest the message tells. */
function isRevert(code: number, message: string): boolean {
  return code === 3 || code === -32_015 || [/revert/i, cannotRun, ranTooLong].some((words) => words.test(message))
}

/** As Geth and Anvil (`MemoryOOG`) write it. It is the contract's doing: whoever wrote it could otherwise have its signatures never be wrong. */
const cannotRun =
  /out ?of ?gas|OOG\b|invalid ?(?:fe ?)?opcode|opcode ?not ?found|stack ?(?:under|over)flow|stack limit reached|invalid ?jump/i

/** `execution aborted (timeout = 5s)` (Geth), `execution timeout`: so little gas takes so long on purpose alone. Not where a server in between gave up, which says nothing of the contract. */
const ranTooLong = /execution (?:was )?(?:aborted|time(?:d ?)?out)/i
