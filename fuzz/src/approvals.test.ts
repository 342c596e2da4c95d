/** What an approval says of requests that once read milder than they are, and of requests near them. */
import { regtest } from '@postern/chains/bip122/testing/test-chain'
import { ApprovalRequest, type ApprovalSubject } from '@postern/protocol'
import { approvalRequest } from '@postern/protocol/testing/approval-request'
import fc from 'fast-check'
import { contextOf, intentOf, loadEnglish, textOf } from '../../apps/wallet/src/approval/testing/draw-card'
import { rows as evmCorpus } from '../../apps/wallet/src/approval/testing/evm-corpus'
import { bitcoinCorpus, psbtOf } from '../../apps/wallet/src/chains/bip122/intent/testing/corpus'
import { solanaCorpus } from '../../apps/wallet/src/chains/solana/intent/testing/corpus'
import { type Order, owner, transactionOf } from '../../apps/wallet/src/chains/solana/intent/testing/transactions'
import { move, patienceMs, type Step, Violation, within } from './engine/fuzz'
import { runTarget } from './engine/run-target'

const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

const isSingle = (orders: (typeof solanaCorpus)[number]['orders']): orders is readonly Order[] =>
  orders.every((order) => 'program' in order)

const requests: readonly ApprovalRequest[] = [
  ...evmCorpus.map(({ request }) => request),
  ...solanaCorpus.map(({ orders, signers = [owner] }) => {
    const transactions = (isSingle(orders) ? [orders] : orders).map((one) => transactionOf(signers, one))
    return approvalRequest(
      { kind: 'solana.transactions', address: owner, transactions, sends: true },
      { networkId: solana },
    )
  }),
  ...bitcoinCorpus.map((row) => approvalRequest(psbtOf(row), { networkId: regtest })),
]

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ move: fc.constant('read'), data: fc.constantFrom(...requests) }) },
  {
    weight: 1,
    arbitrary: fc.record({ move: fc.constant('chain'), data: fc.option(fc.jsonValue()) }),
  },
)

const reached = { evm: 0, solana: 0, bitcoin: 0, warned: 0 }

/**
 * 1. Every request has a description and a card, whatever the chain answers.
 * 2. A card shows where each call of an EVM request goes, unless it says that steps are not drawn.
 * 3. What is signed can be read in full.
 */
async function play(given: readonly Step[]): Promise<void> {
  let chain: unknown = null
  const moves = {
    chain(data: unknown) {
      chain = data
    },
    async read(data: unknown) {
      const { data: request } = ApprovalRequest.safeParse(data)
      if (request !== undefined) await within(look(request, chain), patienceMs, 'An approval is not described')
    },
  }
  for (const step of given) await move(moves, step)
}

async function look(request: ApprovalRequest, chain: unknown): Promise<void> {
  const rpc = { request: async () => (chain === null ? Promise.reject(new Error('no answer')) : chain) }
  const esplora = { get: rpc.request, post: () => Promise.reject(new Error('no answer')) }
  const context = contextOf({}, { clientOf: (networkId) => ({ networkId, rpc, esplora }) })
  const intent = await intentOf(request, context)
  const text = textOf(request, intent).toLowerCase().replace(/\s/g, '')
  const { kind } = request.subject
  reached.evm += Number(kind.startsWith('eip155.'))
  reached.solana += Number(kind.startsWith('solana.'))
  reached.bitcoin += Number(kind.startsWith('bip122.'))
  reached.warned += Number(intent.warnings.length > 0)
  if (kind !== 'user' && kind !== 'unprepared' && intent.raw.length === 0)
    throw new Violation('Nothing says what is signed')
  if (intent.warnings.some((warning) => warning.kind === 'tooLong')) return
  for (const to of calledIn(request.subject))
    if (!text.includes(to.toLowerCase())) throw new Violation(`The card does not show ${to}: ${text}`)
}

function calledIn(subject: ApprovalSubject): readonly string[] {
  const calls =
    subject.kind === 'eip155.transaction'
      ? [subject.call]
      : subject.kind === 'eip155.transactions'
        ? subject.transactions.map(({ call }) => call)
        : []
  return calls.flatMap(({ to }) => to ?? [])
}

await loadEnglish()
runTarget({
  name: 'approvals',
  covers: ['/apps/wallet/src/intent/', '/apps/wallet/src/approval/'],
  steps,
  play,
  reached: () => reached,
  messages: 2_000,
})
