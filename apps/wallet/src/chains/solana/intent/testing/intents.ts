import type { ChainClient } from '@postern/chains/chain-client'
import { approvalRequest } from '@postern/protocol/testing/approval-request'
import { describeApproval } from '../../../../intent/describe'
import type { Intent } from '../../../../intent/intent'
import { owner } from './transactions'

const silent = () => Promise.reject(new Error('no answer'))

/**
 * What the owner reads: without an answer of the chain, and with one.
 * @param recipients earlier ones.
 */
export async function solanaIntents(
  transactions: readonly string[],
  rpc: ChainClient['rpc'],
  recipients: readonly string[] = [],
): Promise<{ readonly first: Intent; readonly last: Intent }> {
  const intents: Intent[] = []
  await describeApproval(
    approvalRequest(
      { kind: 'solana.transactions', address: owner, transactions: [...transactions], sends: false },
      { method: 'solana_signAllTransactions', networkId: 'solana:PosternDevnet1111111111111111111' },
    ),
    {
      clientOf: (networkId) => ({ networkId, rpc, esplora: { get: silent, post: silent } }),
      nativeCurrency: { symbol: 'SOL', decimals: 9 },
      own: [owner],
      known: { recipients, contracts: [] },
      signal: new AbortController().signal,
    },
    (intent) => intents.push(intent),
  )
  const [first, last] = intents
  if (first === undefined || last === undefined) throw new Error('the chain was not asked')
  return { first, last }
}
