import type { Clock } from '@postern/base/clock'
import type { ChainClient } from '@postern/chains/chain-client'
import type { ConfiguredNetworks } from '@postern/chains/networks'
import { parseAnswer, parseNodeAnswer } from '@postern/chains/nodes/ask-node'
import { pollUntil } from '@postern/chains/nodes/poll-until'
import { createOutcomePoll } from '@postern/chains/outcomes/outcome'
import { errors, type HostParams, limits, TransactionHash } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'
import type { Sessions } from '../connections/sessions/sessions'
import type { createRequestRouter } from './request-router'
import { restoredConnection } from './restored-connection'

export type SendAndWaitOptions = {
  readonly sessions: Pick<Sessions, 'connection' | 'restored'>
  readonly rpc: ReturnType<typeof createRequestRouter>
  readonly networks: Pick<ConfiguredNetworks, 'get'>
  readonly clientOf: (id: NonNullable<HostParams<'rpc'>['networkId']>) => ChainClient
  readonly clock: Clock
}

/** The chains whose receipts dapps wait for have a block every second or two. */
const receiptIntervalMs = 1_000

/** A replacement is looked for less often: it takes several calls. */
const looksPerOutcome = limits.rpcPollingInterval / receiptIntervalMs

/** EIP-7966: sent, but without a receipt before the timeout. */
const receiptTimeoutCode = 4

const Params = z.array(z.unknown()).check(z.minLength(1))
const Transaction = z.record(z.string(), z.unknown())
const Receipt = z.object({ transactionHash: TransactionHash })

/**
 * `eth_sendTransactionSync`: sends as `eth_sendTransaction` and resolves with the receipt, as EIP-7966's
 * `eth_sendRawTransactionSync` does for a signed transaction.
 *
 * 1. The wallet gets `eth_sendTransaction`, with its checks and its approval. Without a transaction it is
 *    INVALID_PARAMS; on an unconfigured network, which has no endpoint for the receipt, NETWORK_NOT_FOUND.
 * 2. The second parameter is the timeout in ms since the send, a number or a hex quantity. Default and max:
 *    `limits.receiptTimeout`.
 * 3. The receipt is the endpoint's, unchanged; `status` tells whether the transaction reverted.
 * 4. If the user sped it up, the receipt is the speed-up's. If they cancelled it, or another transaction took its
 *    nonce, it rejects with TRANSACTION_REPLACED; `data` has both hashes and the reason.
 * 5. After the timeout, or if the endpoint fails, it rejects with code 4 and the hash in `data`: the transaction may
 *    still be included.
 */
export async function sendAndWait(
  { params, ...request }: HostParams<'rpc'>,
  signal: AbortSignal,
  { sessions, rpc, networks, clientOf, clock }: SendAndWaitOptions,
): Promise<unknown> {
  const [transaction, timeout] = Params.safeParse(params).data ?? []
  if (!Transaction.safeParse(transaction).success) throw new Failure('INVALID_PARAMS')
  const connection = await restoredConnection(sessions, 'eip155')
  if (connection === null) throw new Failure('UNAUTHORIZED')
  const { networkId } = connection
  if (networks.get(networkId) === undefined) throw new Failure('NETWORK_NOT_FOUND')

  const sent = await rpc({ ...request, method: 'eth_sendTransaction', params: [transaction] }, signal)
  const hash = parseAnswer(TransactionHash, sent)
  const waiting = new AbortController()
  const stop = () => waiting.abort()
  const stopTimer = clock.after(timeoutMsOf(timeout), stop)
  signal.addEventListener('abort', stop)
  const client = clientOf(networkId)
  const findEnd = createOutcomePoll(client, { namespace: 'eip155', hash })
  let looks = 0
  async function receiptOf(included: string): Promise<{ readonly receipt: unknown } | null> {
    const request = { method: 'eth_getTransactionReceipt', params: [included] }
    const receipt = await client.rpc.request(request, waiting.signal)
    if (receipt === null) return null
    parseNodeAnswer(Receipt, receipt)
    return { receipt }
  }
  async function look() {
    const found = await receiptOf(hash)
    if (found !== null || looks++ % looksPerOutcome !== 0) return found
    // Rule 4.
    const end = await findEnd(waiting.signal)
    if (end === null || end.hash === hash) return null
    const isSameCall = end.kind === 'repriced' || end.kind === 'reverted'
    return isSameCall && end.hash !== null ? receiptOf(end.hash) : { end }
  }
  try {
    const found = await pollUntil(look, { clock, signal: waiting.signal, intervalMs: receiptIntervalMs })
    if ('receipt' in found) return found.receipt
    const { hash: transactionHash, kind: reason } = found.end
    const data = { sentHash: hash, reason, ...(transactionHash !== null && { transactionHash }) }
    throw new Failure('TRANSACTION_REPLACED', { data })
  } catch (cause) {
    if (cause instanceof Failure && cause.code === 'TRANSACTION_REPLACED') throw cause
    if (signal.aborted) throw new Failure('ABORTED', { cause })
    const message = `${errors.TRANSACTION_UNCONFIRMED.message}: ${hash}`
    throw new Failure('TRANSACTION_UNCONFIRMED', { message, rpc: receiptTimeoutCode, data: hash, cause })
  } finally {
    stopTimer()
    signal.removeEventListener('abort', stop)
  }
}

/** @internal */
export function timeoutMsOf(timeout: unknown): number {
  const isHex = typeof timeout === 'string' && /^0x[\da-f]+$/i.test(timeout)
  const ms = isHex || typeof timeout === 'number' ? Number(timeout) : 0
  return Number.isSafeInteger(ms) && ms > 0 ? Math.min(ms, limits.receiptTimeout) : limits.receiptTimeout
}
