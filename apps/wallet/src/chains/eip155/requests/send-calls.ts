import { readUnconfirmed, unconfirmed } from '@postern/chains/outcomes/unconfirmed'
import type { ApprovalSubject } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { parseParams } from '@postern/protocol/validation/params'
import { type Address, type Hex, keccak256 } from 'viem'
import * as z from 'zod/mini'
import type { ChainContext, PreparedRequest } from '../../../contract'
import { type Accounts, chooseAccount, refuseSelfCalls } from '../account/accounts'
import type { SafeCall } from '../account/safe'
import { type Ask, asNodeRevert, chainOf, smartChainOf, throwAsFailure } from '../endpoints/endpoints'
import { priceCap, suggestFees } from '../endpoints/fees'
import { EvmAddress, HexBytes, LooseQuantity, Quantity } from '../endpoints/quantities'
import { operationIds } from '../operations/send'
import {
  checkedOperation,
  executeOperation,
  type OperationSubject,
  prepareOperation,
} from '../operations/user-operation'
import { callsFailure } from '../sent/calls-failure'
import { writeCallsId } from '../sent/calls-id'
import type { CallsKey } from '../sent/sent-calls'
import type { EvmState } from '../sent/state'
import { nextTransactionNonce, requireTransactionNonce } from '../transactions/nonce'
import {
  checkFixed,
  type EvmRequest,
  type FixedTransaction,
  fix,
  maxForRollup,
  sendNoted,
  signFixed,
  toRpcCall,
  withRollup,
} from '../transactions/transaction'
import { type RefusedCalls, repeatCalls, requireFreeId } from './free-calls-id'
import { requireNotRefused } from './refused-calls'

type TransactionsSubject = Extract<ApprovalSubject, { kind: 'eip155.transactions' }>

const Capabilities = z.nullish(z.record(z.string(), z.looseObject({ optional: z.optional(z.boolean()) })))
const Call = z.object({
  to: z.nullish(EvmAddress),
  data: z.nullish(HexBytes),
  value: z.nullish(LooseQuantity),
  capabilities: Capabilities,
})
const SendCalls = z.tuple([
  z.object({
    version: z.literal('2.0.0'),
    id: z.optional(z.string().check(z.minLength(1), z.maxLength(4096))),
    from: z.nullish(z.string()),
    chainId: Quantity,
    atomicRequired: z.boolean(),
    calls: z.array(Call).check(z.minLength(1)),
    capabilities: Capabilities,
  }),
])
type SendCalls = z.infer<typeof SendCalls>[0]

/** Characters of JSON. A longer context is not stored for a replacement. */
const maxContextLength = 16_384

const maxCalls = { smartAccount: 128, eoa: 32 } as const

/**
 * Prepares wallet_sendCalls (EIP-5792 version 2.0.0).
 *
 * 1. The smart account executes all calls or none. The plain account sends a transaction for each, unless the dapp
 *    requires atomicity (`atomicRequired`).
 * 2. An unsupported capability is 5700 unless optional; another network 5710; a reused id 5720, also after a reload and
 *    in another tab ({@link requireFreeId}).
 * 3. Each call's recipient, value and data never change.
 */
export async function prepareCalls(
  params: unknown,
  accounts: Accounts,
  context: ChainContext,
  state: EvmState,
): Promise<PreparedRequest> {
  const [request] = parseParams(SendCalls, params)
  if (request.chainId !== BigInt(accounts.chainId)) throw callsFailure('unsupportedChain')
  const key = keyOf(request.id, accounts, context)
  const refused = key && (await requireFreeId(key, accounts, context, state.sent))
  const batchId = request.id !== undefined && { batchId: request.id }
  const account = chooseAccount(accounts, request.from ?? undefined)
  checkCapabilities(request, account.type === 'smartAccount' && smartChainOf(context)?.paymaster === true)
  if (request.calls.length > maxCalls[account.type]) throw callsFailure('tooLarge')
  const calls = request.calls.map(({ to, value, data }) => ({
    ...(to !== null && to !== undefined && { to }),
    value: value ?? 0n,
    data: data ?? '0x',
  }))
  if (account.type === 'smartAccount') {
    const smart = { ...accounts, smart: account.address }
    const requestedPaymaster = request.capabilities?.paymasterService
    const sponsoring = requestedPaymaster !== undefined && {
      sponsoring: { context: requestedPaymaster.context, isRequired: requestedPaymaster.optional !== true },
    }
    const options = { sent: state.sent, ...sponsoring }
    const subject = await prepareOperation(withRecipients(calls), smart, context, options).catch(asNodeRevert)
    await repeatCalls(refused, subject, accounts, state.sent)
    await requireNotRefused(subject, accounts, context, state.sent)
    const paymasterContext = JSON.stringify(requestedPaymaster?.context)
    if (paymasterContext !== undefined && paymasterContext.length <= maxContextLength)
      state.paymasterContexts.set(subject.hash, paymasterContext)
    // An earlier request with the same content, which the user rejected, has left its own.
    else state.paymasterContexts.delete(subject.hash)
    return { subject: { ...subject, ...batchId } }
  }
  if (request.atomicRequired) throw callsFailure('notAtomic')
  const subject = await prepareTransactions(calls, accounts, context, state)
  await repeatCalls(refused, subject, accounts, state.sent)
  await requireNotRefused(subject, accounts, context, state.sent)
  return { subject: { ...subject, ...batchId } }
}

function keyOf(id: string | undefined, { eoa }: Accounts, { origin }: ChainContext): CallsKey | null {
  return id === undefined ? null : { owner: eoa, origin, id }
}

/** The wallet contacts no paymaster but the project's. */
function checkCapabilities({ capabilities, calls }: SendCalls, canSponsor: boolean): void {
  const all = [capabilities, ...calls.map((call) => call.capabilities)].flatMap((some) => Object.entries(some ?? {}))
  for (const [name, { optional }] of all)
    if (optional !== true && !(name === 'paymasterService' && canSponsor)) throw callsFailure('unsupportedCapability')
}

function withRecipients(calls: readonly { to?: Address; value: bigint; data: Hex }[]): SafeCall[] {
  return calls.map(({ to, value, data }) => {
    if (to === undefined) throw new Failure('CONTRACT_NEEDS_STANDARD_ACCOUNT')
    return { to, value, data }
  })
}

async function prepareTransactions(
  requests: readonly EvmRequest[],
  { eoa, chainId }: Accounts,
  context: ChainContext,
  { sent }: EvmState,
): Promise<TransactionsSubject> {
  refuseSelfCalls(eoa, requests)
  const nonce = await nextTransactionNonce({ chainId, account: eoa }, sent, context)
  const ask = chainOf(context)
  const [{ fees }, gas, balance] = await Promise.all([
    suggestFees(ask),
    estimateAll(ask, eoa, requests),
    ask('eth_getBalance', [eoa, 'pending'], Quantity),
  ])
  const fixed = requests.map((request, at) =>
    fix({ request, nonce: nonce + BigInt(at), gas: gas[at] ?? 0n, fees, chainId }),
  )
  const rollup = await Promise.all(fixed.map((one) => maxForRollup(one, context)))
  const costs = requests.map(({ value }, at) => value + (gas[at] ?? 0n) * priceCap(fees) + (rollup[at] ?? 0n))
  if (costs.reduce((sum, cost) => sum + cost, 0n) > balance) throw new Failure('INSUFFICIENT_FUNDS')
  const transactions = fixed.map((one, at) => withRollup(one, rollup[at] ?? 0n))
  return { kind: 'eip155.transactions', from: eoa, transactions }
}

const Simulated = z.array(
  z.object({
    calls: z.array(
      z.object({
        status: Quantity,
        gasUsed: Quantity,
        error: z.optional(z.looseObject({ message: z.optional(z.string()) })),
      }),
    ),
  }),
)

/** An estimate plus 20% for one call, a simulation plus 50% for several. */
async function estimateAll(ask: Ask, from: Address, requests: readonly EvmRequest[]): Promise<readonly bigint[]> {
  const calls = requests.map((request) => toRpcCall(from, request))
  if (calls.length === 1) return [((await ask('eth_estimateGas', calls, Quantity).catch(throwAsFailure)) * 12n) / 10n]
  const [block] = await ask('eth_simulateV1', [{ blockStateCalls: [{ calls }] }, 'latest'], Simulated).catch(
    throwAsFailure,
  )
  const results = block?.calls ?? []
  const failed = results.findIndex(({ status }) => status === 0n)
  if (failed !== -1)
    throw new Failure('INTERNAL', { message: `Call ${failed + 1} would fail`, data: results[failed]?.error })
  if (results.length !== calls.length)
    throw new Failure('WALLET_SERVICE_UNREACHABLE', { message: 'The answer to eth_simulateV1 cannot be read' })
  return results.map(({ gasUsed }) => (gasUsed * 15n) / 10n)
}

export async function executeCalls(
  subject: OperationSubject | TransactionsSubject,
  accounts: Accounts,
  context: ChainContext,
  state: EvmState,
): Promise<{ readonly id: string }> {
  const key = keyOf(subject.batchId, accounts, context)
  const refused = key && (await requireFreeId(key, accounts, context, state.sent))
  const callsId =
    subject.kind === 'eip155.userOperation'
      ? await sendOperation(subject, { key, refused }, accounts, context, state)
      : await sendTransactions(subject, { key, refused }, accounts, context, state)
  return { id: subject.batchId ?? callsId }
}

type Slot = { readonly key: CallsKey | null; readonly refused: RefusedCalls | null }

async function sendOperation(
  subject: OperationSubject,
  { key, refused }: Slot,
  accounts: Accounts,
  context: ChainContext,
  { sent, paymasterContexts }: EvmState,
): Promise<Hex> {
  const { chainId } = accounts
  const { callsId } = operationIds(checkedOperation(subject, chainId), chainId)
  const paymasterContext = paymasterContexts.get(subject.hash)
  const earlier = await repeatCalls(refused, subject, accounts, sent)
  const more = { ...(key && { calls: { ...key, earlier } }), ...(paymasterContext && { paymasterContext }) }
  await sent.followed(await executeOperation(subject, accounts, context, sent, more))
  paymasterContexts.delete(subject.hash)
  return callsId
}

/**
 * Signs all, then sends in order. A rejection or an unknown outcome ends the sending. The id has every hash that has
 * left
 * the wallet, including refused ones. Each is stored with the dapp's id before its broadcast.
 */
async function sendTransactions(
  subject: TransactionsSubject,
  { key, refused }: Slot,
  accounts: Accounts,
  context: ChainContext,
  { sent }: EvmState,
): Promise<Hex> {
  const { transactions } = subject
  const [first] = transactions
  if (first === undefined) throw new Failure('INTERNAL')
  for (const fixed of transactions) checkFixed(fixed, accounts)
  const { chainId, eoa } = accounts
  const firstNonce = BigInt(first.nonce)
  const sender = { chainId, account: eoa }
  const known = await requireTransactionNonce(firstNonce, sender, sent, context)
  const earlier = await repeatCalls(refused, subject, accounts, sent)
  const signed = await signAll(transactions, accounts, context)
  const idOf = (hashes: readonly Hex[]) =>
    writeCallsId({ kind: 'transactions', chainId, hashes, planned: transactions.length, firstNonce })
  const hashes: Hex[] = []
  for (const transaction of signed) {
    const hash = keccak256(transaction)
    const callsId = idOf([...hashes, hash])
    try {
      const calls = key === null ? undefined : { ...key, callsId, ...(hashes.length === 0 && { earlier }) }
      hashes.push(await sendNoted(transaction, { known, calls }, accounts, context, sent))
    } catch (error) {
      const doubtful = error instanceof Failure ? readUnconfirmed(error) : null
      if (hashes.length === 0 && doubtful !== null) throw unconfirmed({ ...doubtful, callsId }, error)
      if (hashes.length === 0) throw error
      return (await sent.find(sender, hash)) === null ? idOf(hashes) : callsId
    }
  }
  return idOf(hashes)
}

async function signAll(
  transactions: readonly FixedTransaction[],
  accounts: Accounts,
  context: ChainContext,
): Promise<readonly Hex[]> {
  const signed: Hex[] = []
  for (const fixed of transactions) signed.push(await signFixed(fixed, accounts, context))
  return signed
}
