import { type CaipNetworkId, type ErrorCode, limits, parseCaipNetworkId } from '@postern/protocol'
import * as z from 'zod/mini'
import type { ChainClient } from '../../chains/chain-client'
import { asFailure } from '../../link/as-failure'
import { LinkFailure } from '../../link/failure'
import type { Clock } from '../../services/clock'
import type { MoneyHost, TrackedTransaction } from '../contract'
import type { followTransaction } from './follow'

export type TransactionsOptions = {
  readonly clock: Clock
  readonly randomId: () => string
  readonly request: MoneyHost['request']
  /** The account that asks. Null with nobody connected on the network. */
  readonly sender: (networkId: CaipNetworkId) => string | null
  /** Asks the gateway alone: a dapp's own endpoint would say of a transaction what the dapp likes. */
  readonly clientOf: (networkId: CaipNetworkId) => ChainClient
  /** Loads what finds out how a transaction ended. */
  readonly follow: () => Promise<typeof followTransaction>
  readonly onChange: (transactions: readonly TrackedTransaction[]) => void
  /** Something was sent, or is over: balances may be others. */
  readonly onMoved: () => void
}

/** Transactions that are remembered at once; the oldest that ended goes first. */
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

/**
 * The transactions that features asked for.
 *
 * 1. Each is there from the moment it was asked for, and is followed until it ended, with its view closed too.
 * 2. A wallet's no is `declined`; every other failure is `failed` in the words of the catalogue: nothing was sent, as far as the wallet says.
 * 3. An answer that names no transaction is a failure, never a success.
 * 4. 99 are remembered; one that still waits is not forgotten before one that ended.
 */
export function createTransactions(options: TransactionsOptions) {
  const { clock } = options
  let all: readonly TrackedTransaction[] = []
  const ended = new AbortController()

  function change(id: string, status: TrackedTransaction['status']): void {
    if (ended.signal.aborted) return
    all = all.map((transaction) => (transaction.id === id ? { ...transaction, status } : transaction))
    options.onChange(all)
  }

  function add(transaction: TrackedTransaction): void {
    const isOver = ({ status }: TrackedTransaction) => status.kind !== 'asking' && status.kind !== 'sent'
    const oldest = all.length < remembered ? undefined : (all.findLast(isOver) ?? all.at(-1))
    all = [transaction, ...all.filter((other) => other !== oldest)]
    options.onChange(all)
  }

  async function run(id: string, from: string, { networkId, method, params }: Parameters<MoneyHost['transact']>[0]) {
    const { namespace } = parseCaipNetworkId(networkId)
    let hash: string
    try {
      const answer = Answer.safeParse(await options.request(namespace, method, params, ended.signal))
      if (!answer.success) throw new LinkFailure('INTERNAL', { cause: answer.error })
      hash = answer.data
    } catch (thrown) {
      change(id, failed(thrown))
      return
    }
    change(id, { kind: 'sent', hash })
    options.onMoved()
    try {
      const follow = await options.follow()
      const client = options.clientOf(networkId)
      change(id, await follow({ hash, from, params, client }, { clock, signal: ended.signal }))
    } catch {
      change(id, { kind: 'unknown', hash })
    }
    if (!ended.signal.aborted) options.onMoved()
  }

  return {
    transact(transaction: Parameters<MoneyHost['transact']>[0]): string {
      const id = options.randomId()
      const { networkId, purpose } = transaction
      const from = options.sender(networkId)
      const status: TrackedTransaction['status'] =
        from === null ? failed(new LinkFailure('UNAUTHORIZED')) : { kind: 'asking' }
      add({ id, networkId, from: from ?? '', purpose, at: clock.now(), status })
      if (from !== null) void run(id, from, transaction)
      return id
    },
    end: () => ended.abort(new LinkFailure('ABORTED')),
  }
}

const refusals: ReadonlySet<ErrorCode> = new Set(['USER_REJECTED'])

function failed(thrown: unknown): TrackedTransaction['status'] {
  const { code, message } = asFailure(thrown)
  return refusals.has(code) ? { kind: 'declined' } : { kind: 'failed', code, message }
}
