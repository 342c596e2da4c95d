import type { Clock } from '@postern/base/clock'
import type { ChainClient } from '@postern/chains/chain-client'
import { parseAnswer } from '@postern/chains/nodes/ask-node'
import { readCancelled } from '@postern/chains/outcomes/cancelled'
import { readUnconfirmed } from '@postern/chains/outcomes/unconfirmed'
import { type CaipNetworkId, type ErrorCode, limits, type Namespace, parseCaipNetworkId } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import * as z from 'zod/mini'
import type { RequestContext } from '../../snapshot/approval'
import type { MoneyHost, TrackedTransaction } from '../../snapshot/money'
import type { Ended, followTransaction, Sent } from './follow'

export type TransactionsOptions = {
  readonly clock: Clock
  readonly randomId: () => string
  readonly request: (
    namespace: Namespace,
    method: string,
    params: unknown,
    signal: AbortSignal,
    context?: RequestContext,
  ) => Promise<unknown>
  readonly sender: (networkId: CaipNetworkId) => string | null
  /** Gateway clients only: a dapp's own endpoint could claim anything. */
  readonly clientOf: (networkId: CaipNetworkId) => ChainClient
  readonly follow: () => Promise<typeof followTransaction>
  readonly onChange: (transactions: readonly TrackedTransaction[]) => void
  readonly onMoved: () => void
}

const remembered = limits.pendingTransactionEvents

const Answer = z.union([
  z.string().check(z.regex(/^0x[0-9a-fA-F]{64}$/)),
  z.pipe(
    z.object({ signature: z.string().check(z.regex(/^[1-9A-HJ-NP-Za-km-z]{64,90}$/)) }),
    z.transform(({ signature }) => signature),
  ),
  z.pipe(
    z.object({ txid: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
    z.transform(({ txid }) => txid),
  ),
])

/** EIP-5792: `{id}`, or the bare id of its first version. */
const CallsAnswer = z.union([
  z.string().check(z.minLength(1), z.maxLength(8_194)),
  z.pipe(
    z.object({ id: z.string().check(z.minLength(1), z.maxLength(8_194)) }),
    z.transform(({ id }) => id),
  ),
])

/**
 * The transactions that features request.
 *
 * 1. Each is followed until it ends, even with its view closed.
 * 2. A rejection by the wallet is `declined`; any other failure is `failed`: nothing was sent.
 * 3. A result that identifies no transaction is a failure.
 * 4. At most 99 are tracked; ended ones are dropped before pending ones.
 * 5. A batch (`wallet_sendCalls`) is followed through the wallet: only the wallet knows its hash.
 * 6. TRANSACTION_UNCONFIRMED counts as sent: after a failure the user would pay twice. A lost answer (OUTCOME_UNKNOWN)
 *    ends as unknown.
 * 7. A transaction that the user cancelled before the wallet had its hash ends as cancelled.
 */
export function createTransactions(options: TransactionsOptions) {
  const { clock } = options
  let all: readonly TrackedTransaction[] = []
  const ended = new AbortController()

  function change(id: string, status: TrackedTransaction['status']): void {
    if (ended.signal.aborted) return
    // Another follower may already know the outcome.
    all = all.map((one) => (one.id === id && !isDecided(one) ? { ...one, status } : one))
    options.onChange(all)
  }

  function add(transaction: TrackedTransaction): void {
    const isOver = ({ status }: TrackedTransaction) => status.kind !== 'asking' && status.kind !== 'sent'
    const oldest = all.length < remembered ? undefined : (all.findLast(isOver) ?? all.at(-1))
    all = [transaction, ...all.filter((other) => other !== oldest)]
    options.onChange(all)
  }

  async function run(id: string, from: string, transaction: Parameters<MoneyHost['transact']>[0]) {
    const { networkId, method, params, purpose } = transaction
    // A payment is the dapp's request, anything else the user's.
    const asker = purpose.kind === 'pay' ? 'dapp' : 'visitor'
    const { namespace } = parseCaipNetworkId(networkId)
    let sent: Sent
    try {
      sent = sentBy(method, await options.request(namespace, method, params, ended.signal, { asker }))
    } catch (thrown) {
      if (asFailure(thrown).code === 'OUTCOME_UNKNOWN') {
        options.onMoved()
        return change(id, { kind: 'ended', hash: null, outcome: { kind: 'unknown' } })
      }
      const cancellation = readCancelled(asFailure(thrown))
      if (cancellation !== null) {
        options.onMoved()
        return change(id, { kind: 'ended', hash: cancellation.transactionHash, outcome: { kind: 'cancelled' } })
      }
      const doubtful = perhapsSent(thrown)
      if (doubtful === null) return change(id, failed(thrown))
      sent = doubtful
    }
    const hash = sent.kind === 'transaction' ? sent.hash : null
    if (sent.kind === 'calls') {
      const callsId = sent.id
      all = all.map((one) => (one.id === id ? { ...one, callsId } : one))
    }
    change(id, { kind: 'sent', hash })
    options.onMoved()
    try {
      const follow = await options.follow()
      const client = options.clientOf(networkId)
      const { request } = options
      change(id, await follow({ sent, from, params, client, request }, { clock, signal: ended.signal }))
    } catch {
      change(id, { kind: 'ended', hash, outcome: { kind: 'unknown' } })
    }
    if (!ended.signal.aborted) options.onMoved()
  }

  return {
    /** Another follower knows the outcome of this hash. */
    settled(hash: string, end: Pick<Ended, 'outcome' | 'hash'>): void {
      const isIt = ({ status }: TrackedTransaction) =>
        'hash' in status && status.hash?.toLowerCase() === hash.toLowerCase()
      const found = all.find(isIt)
      if (found !== undefined && !isDecided(found)) change(found.id, { kind: 'ended', ...end })
    },
    transact(transaction: Parameters<MoneyHost['transact']>[0]): string {
      const id = options.randomId()
      const { networkId, purpose } = transaction
      const connected = options.sender(networkId)
      const from = connected === null ? null : (transaction.from ?? connected)
      const status: TrackedTransaction['status'] =
        from === null ? failed(new Failure('NO_ACTIVE_ADDRESS')) : { kind: 'asking' }
      add({ id, networkId, from: from ?? '', purpose, at: clock.now(), status })
      if (from !== null) void run(id, from, transaction)
      return id
    },
    end() {
      ended.abort(new Failure('ABORTED'))
    },
  }
}

function isDecided({ status }: TrackedTransaction): boolean {
  return status.kind === 'ended' && status.outcome.kind !== 'unknown'
}

/** Rules 3 and 5. */
function sentBy(method: string, answer: unknown): Sent {
  if (method === 'wallet_sendCalls') {
    return { kind: 'calls', id: parseAnswer(CallsAnswer, answer) }
  }
  return { kind: 'transaction', hash: parseAnswer(Answer, answer) }
}

/** Rule 6. */
function perhapsSent(thrown: unknown): Sent | null {
  const unconfirmed = readUnconfirmed(asFailure(thrown))
  if (unconfirmed === null) return null
  const { sentHash, callsId } = unconfirmed
  return callsId === undefined ? { kind: 'transaction', hash: sentHash } : { kind: 'calls', id: callsId }
}

const refusals: ReadonlySet<ErrorCode> = new Set(['USER_REJECTED'])

function failed(thrown: unknown): TrackedTransaction['status'] {
  const { code, message } = asFailure(thrown)
  return refusals.has(code) ? { kind: 'declined' } : { kind: 'failed', code, message }
}
