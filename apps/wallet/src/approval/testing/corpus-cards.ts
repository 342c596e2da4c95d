/** Each row of the corpora as the wallet describes it: for their tests, and for the gallery. */
import { regtest } from '@postern/chains/bip122/testing/test-chain'
import type { ApprovalRequest } from '@postern/protocol'
import { approvalRequest } from '@postern/protocol/testing/approval-request'
import { type BitcoinRow, bitcoinCorpus, bitcoinOwner, psbtOf } from '../../chains/bip122/intent/testing/corpus'
import { type SolanaRow, solanaCorpus } from '../../chains/solana/intent/testing/corpus'
import { solanaProgramsCorpus } from '../../chains/solana/intent/testing/programs-corpus'
import { type Order, owner, transactionOf } from '../../chains/solana/intent/testing/transactions'
import type { DescribeContext, Intent } from '../../intent/intent'
import { contextOf, intentOf } from './draw-card'
import { rows } from './evm-corpus'

const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

function isSingle(orders: SolanaRow['orders']): orders is readonly Order[] {
  return orders.every((order) => 'program' in order)
}

export type SolanaRequest = Pick<SolanaRow, 'orders' | 'signers'>

export function solanaRequest({ orders, signers = [owner] }: SolanaRequest): ApprovalRequest {
  const transactions = (isSingle(orders) ? [orders] : orders).map((one) => transactionOf(signers, one))
  const subject = { kind: 'solana.transactions' as const, address: owner, transactions, sends: true }
  return approvalRequest(subject, { networkId: solana })
}

export type BitcoinRequest = Pick<BitcoinRow, 'inputs' | 'outputs' | 'locktime' | 'sighashes' | 'chain'>

export const bitcoinRequest = (row: BitcoinRequest): ApprovalRequest =>
  approvalRequest(psbtOf(row), { networkId: regtest })

/** Of an owner on Solana or Bitcoin. The chain gives no answer but those of `chain`. */
function ownerContext(
  own: string,
  nativeCurrency: DescribeContext['nativeCurrency'],
  chain?: BitcoinRow['chain'],
): DescribeContext {
  const silent = () => Promise.reject(new Error('no answer'))
  const get = async (path: string) => (path === '/fee-estimates' ? { 1: chain?.feeRate } : `${chain?.height}\n`)
  const esplora = { get: chain === undefined ? silent : get, post: silent }
  return contextOf(
    {},
    {
      nativeCurrency,
      own: [own],
      clientOf: (networkId) => ({ networkId, rpc: { request: silent }, esplora }),
    },
  )
}

export const solanaContext = ownerContext(owner, { symbol: 'SOL', decimals: 9 })
export const bitcoinContext = (chain?: BitcoinRow['chain']) =>
  ownerContext(bitcoinOwner.address, { symbol: 'BTC', decimals: 8 }, chain)

export type CorpusCard = {
  readonly name: string
  readonly network: string
  readonly request: ApprovalRequest
  readonly intent: Intent
}

export function corpusCards(): Promise<readonly CorpusCard[]> {
  const described = async (name: string, network: string, request: ApprovalRequest, context: DescribeContext) => ({
    ...{ name, network, request },
    intent: await intentOf(request, context),
  })
  return Promise.all([
    ...rows.map(({ name, request, answers, context }) =>
      described(name, 'Ethereum', request, contextOf(answers, context)),
    ),
    ...[...solanaCorpus, ...solanaProgramsCorpus].map((row) =>
      described(row.name, 'Solana', solanaRequest(row), solanaContext),
    ),
    ...bitcoinCorpus.map((row) => described(row.name, 'Bitcoin', bitcoinRequest(row), bitcoinContext(row.chain))),
  ])
}
