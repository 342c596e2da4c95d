import {
  Receipt,
  type SentTransaction,
  type TransactionOutcome,
  transactionOutcome,
} from '@postern/chains/eip155/receipt'
import { parseNodeAnswer } from '@postern/chains/nodes/ask-node'
import { isSameAddress } from '@postern/chains/same-address'
import { parseParams } from '@postern/protocol/validation/params'
import { type Hex, numberToHex } from 'viem'
import * as z from 'zod/mini'
import type { ChainContext } from '../../../contract'
import { gatewayClient } from '../../endpoint'
import { isRefused } from '../../sent-state'
import { type Accounts, accountsOf } from '../account/accounts'
import { type Ask, bundlerOf, chainOf } from '../endpoints/endpoints'
import { Hash, HexBytes, Quantity } from '../endpoints/quantities'
import { sendLostAgain } from '../operations/lost'
import { operationProbe } from '../operations/nonce'
import { includedOperation, outcomeOnChain } from '../operations/outcome'
import { callsFailure } from '../sent/calls-failure'
import { type CallsId, readCallsId } from '../sent/calls-id'
import { hashesOf, type Sent, type SentNote } from '../sent/sent'
import type { EvmState } from '../sent/state'

const Params = z.tuple([z.string().check(z.minLength(1), z.maxLength(8_194))], z.unknown())

const OperationReceipt = z.object({
  sender: z.string(),
  success: z.boolean(),
  logs: z.optional(Receipt.shape.logs),
  receipt: z.extend(Receipt, { logs: z.optional(Receipt.shape.logs) }),
})

/** EIP-5792, "Status codes". */
export const status = {
  pending: 100,
  confirmed: 200,
  offchainFailure: 400,
  reverted: 500,
  partlyReverted: 600,
} as const

export type CallsStatus = {
  readonly version: '2.0.0'
  readonly id: string
  readonly chainId: string
  readonly status: (typeof status)[keyof typeof status]
  readonly atomic: boolean
  readonly receipts?: readonly object[]
}

/** @throws {Failure} EIP-5792's 5730 for an unknown id */
export async function callsStatus(
  params: unknown,
  accounts: Accounts,
  context: ChainContext,
  state: EvmState,
): Promise<CallsStatus> {
  const [id] = parseParams(Params, params)
  const { origin } = context
  const calls = await state.sent.calls({ owner: accounts.eoa, origin, id })
  const known = readCallsId(calls?.callsId ?? id)
  const found = known && (await findCalls(known, accounts, context, state.sent))
  if (known === null || found === null) throw callsFailure('unknownId')
  return { version: '2.0.0', id, chainId: numberToHex(known.chainId), ...found }
}

type Found = Pick<CallsStatus, 'status' | 'atomic' | 'receipts'>

/** Null if the node refused all of it, the nonce is unused, and neither node nor bundler knows it. */
export async function findCalls(
  id: CallsId,
  accounts: Accounts,
  context: ChainContext,
  sent: Sent,
): Promise<Found | null> {
  const there = { ...context, networkId: `eip155:${id.chainId}` } as const
  return id.kind === 'operation'
    ? operationStatus(id, accountsOf(there), there, sent)
    : transactionsStatus(id, accounts, there, sent)
}

const OperationByHash = z.nullish(z.object({ userOperation: z.object({ sender: z.string() }) }))

/** A cancellation is no outcome of the calls. */
async function operationStatus(
  { hash, validUntil }: Extract<CallsId, { kind: 'operation' }>,
  accounts: Accounts,
  context: ChainContext,
  sent: Sent,
): Promise<Found | null> {
  const bundler = bundlerOf(context)
  const included = await includedOperation(hash, z.nullish(OperationReceipt), bundler, sent)
  if (included !== null) return statusOfReceipt(included, accounts)
  const outcome = await outcomeOnChain(hash, accounts, context, sent, validUntil)
  if (outcome?.kind === 'included') {
    const receipt = parseNodeAnswer(OperationReceipt, outcome.receipt)
    return statusOfReceipt({ ...outcome, receipt }, accounts)
  }
  if (outcome !== null) return { status: status.offchainFailure, atomic: true }
  const hashes = [hash, ...(await sent.replacementsOf(hash)).map((one) => one.hash)]
  const known = await Promise.all(hashes.map((one) => bundler('eth_getUserOperationByHash', [one], OperationByHash)))
  const waiting = known.find((one) => one !== null && one !== undefined)
  if (waiting !== null && waiting !== undefined) requireOwn(waiting.userOperation.sender, accounts)
  else if (await isRefusedOperation(hash, accounts, context, sent)) return null
  else await sendLostAgain(accounts, context, sent)
  return { status: status.pending, atomic: true }
}

/** Of an operation that the bundler does not know: its nonce is unused. */
async function isRefusedOperation(
  hash: Hex,
  { chainId, smart }: Accounts,
  context: ChainContext,
  sent: Sent,
): Promise<boolean> {
  const note = smart && (await sent.find({ chainId, account: smart }, hash))
  if (note === null || !isRefused(note)) return false
  const nonce = BigInt(note.nonce)
  return (await operationProbe(note.account, context).next(nonce)) <= nonce
}

function statusOfReceipt(
  {
    receipt: found,
    isCancelled,
  }: { readonly receipt: z.infer<typeof OperationReceipt>; readonly isCancelled: boolean },
  accounts: Accounts,
): Found {
  requireOwn(found.sender, accounts)
  if (isCancelled) return { status: status.offchainFailure, atomic: true }
  const logs = found.logs ?? found.receipt.logs ?? []
  const receipt = receiptOf({ ...found.receipt, logs }, found.success)
  return { status: found.success ? status.confirmed : status.reverted, atomic: true, receipts: [receipt] }
}

function requireOwn(sender: string, { smart }: Accounts): void {
  if (smart === null || !isSameAddress(sender, smart)) throw callsFailure('unknownId')
}

const ByHash = z.nullable(
  z.object({ hash: Hash, from: z.string(), to: z.nullish(z.string()), value: Quantity, input: HexBytes }),
)

async function transactionsStatus(
  { chainId, hashes, planned, firstNonce }: Extract<CallsId, { kind: 'transactions' }>,
  { eoa }: Accounts,
  context: ChainContext,
  sent: Sent,
): Promise<Found | null> {
  const ask = chainOf(context)
  const all = await Promise.all(
    hashes.map(async (hash, at) => {
      const note = await sent.find({ chainId, account: eoa }, hash)
      const outcome = await outcomeOf({ hash, from: eoa, nonce: Number(firstNonce) + at }, note)
      const isUnsent = outcome === null && note !== null && (await isRefusedTransaction(note, ask))
      return isUnsent ? [] : [outcome]
    }),
  )
  const outcomes = all.flat()
  if (outcomes.length === 0) return null
  const receipts = outcomes.flatMap((outcome) =>
    outcome !== null && outcome.kind !== 'replaced' ? [receiptOf(outcome.receipt, outcome.kind === 'confirmed')] : [],
  )
  return { status: statusOf(outcomes, planned), atomic: false, ...(receipts.length > 0 && { receipts }) }

  async function outcomeOf(
    transaction: Pick<SentTransaction, 'hash' | 'from' | 'nonce'>,
    note: SentNote | null,
  ): Promise<TransactionOutcome | null> {
    if (note === null) {
      const known = await ask('eth_getTransactionByHash', [transaction.hash], ByHash)
      if (known !== null && !isSameAddress(known.from, eoa)) throw callsFailure('unknownId')
    }
    return withSpeedUps(transaction, context, sent)
  }
}

/** The node refused it, its nonce is unused, and nodes do not know it. */
async function isRefusedTransaction(note: SentNote, ask: Ask): Promise<boolean> {
  if (!isRefused(note)) return false
  const [used, ...known] = await Promise.all([
    ask('eth_getTransactionCount', [note.account, 'latest'], Quantity),
    ...hashesOf(note).map((hash) => ask('eth_getTransactionByHash', [hash], ByHash)),
  ])
  return used <= BigInt(note.nonce) && known.every((one) => one === null)
}

/** The outcome of the transaction or its speed-ups. Another batch may have the same call, so the call says nothing. */
async function withSpeedUps(
  transaction: Pick<SentTransaction, 'hash' | 'from' | 'nonce'>,
  context: ChainContext,
  sent: Sent,
): Promise<TransactionOutcome | null> {
  const { rpc } = gatewayClient(context)
  const outcomeOf = (hash: string) =>
    transactionOutcome(rpc, { ...transaction, hash, to: null, value: 0n, data: '0x' }, context.signal)
  const outcome = await outcomeOf(transaction.hash)
  if (outcome?.kind !== 'replaced') return outcome
  for (const { kind, hash } of await sent.replacementsOf(transaction.hash)) {
    if (kind !== 'speedUp') continue
    const other = await outcomeOf(hash)
    if (other?.kind !== 'replaced') return other
  }
  return outcome
}

function statusOf(outcomes: readonly (TransactionOutcome | null)[], planned: number): CallsStatus['status'] {
  if (outcomes.includes(null)) return status.pending
  const count = (kind: TransactionOutcome['kind']) => outcomes.filter((outcome) => outcome?.kind === kind).length
  if (count('confirmed') === planned) return status.confirmed
  if (count('confirmed') > 0) return status.partlyReverted
  return count('reverted') > 0 ? status.reverted : status.offchainFailure
}

function receiptOf(
  { logs, blockHash, blockNumber, gasUsed, transactionHash }: z.infer<typeof Receipt>,
  isGood: boolean,
) {
  return { logs, status: isGood ? '0x1' : '0x0', blockHash, blockNumber, gasUsed, transactionHash }
}
