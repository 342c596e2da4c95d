import { readUnconfirmed, unconfirmed } from '@postern/chains/unconfirmed'
import type { ApprovalSubject } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { parseParams } from '@postern/protocol/validation/params'
import { type Address, type Hex, keccak256 } from 'viem'
import * as z from 'zod/mini'
import type { ChainContext, PreparedRequest } from '../../contract'
import { type Accounts, chooseAccount, refuseSelfCalls } from './accounts'
import { writeCallsId } from './calls-id'
import { type Ask, asNodeRevert, chainOf, inOurWords, smartChainOf } from './endpoints'
import { priceCap, suggestFees } from './fees'
import { EvmAddress, HexBytes, LooseQuantity, Quantity } from './quantities'
import type { SafeCall } from './safe'
import type { EvmState } from './state'
import {
  checkFixed,
  type EvmRequest,
  type FixedTransaction,
  fix,
  maxForRollup,
  pendingNonce,
  requireNonce,
  sendNoted,
  settleTransactions,
  signFixed,
  toRpcCall,
  withRollup,
} from './transaction'
import {
  checkedOperation,
  executeOperation,
  type OperationSubject,
  operationIds,
  prepareOperation,
} from './user-operation'

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

/** EIP-5792, "Error codes". */
const failures = {
  unsupportedCapability: [5700, 'A capability that the calls need is not supported'],
  unsupportedChain: [5710, 'The calls are for another network than the connected one'],
  duplicateId: [5720, 'There are calls of this id already'],
  tooLarge: [5740, 'There are too many calls'],
  notAtomic: [5760, 'The plain account cannot make several calls at once'],
} as const

function callsFailure(name: keyof typeof failures): Failure {
  const [rpc, message] = failures[name]
  return new Failure('INVALID_PARAMS', { rpc, message })
}

const maxCalls = { smartAccount: 128, eoa: 32 } as const

/**
 * wallet_sendCalls (EIP-5792 version 2.0.0).
 *
 * 1. The smart account executes all calls or none. The plain account sends one transaction after the other, only if the
 *    dapp does not require atomicity (`atomicRequired`).
 * 2. An unsupported capability is 5700 unless optional; another network 5710; a reused id 5720.
 * 3. Each call's recipient, value and data are never changed.
 */
export async function prepareCalls(
  params: unknown,
  accounts: Accounts,
  context: ChainContext,
  state: EvmState,
): Promise<PreparedRequest> {
  const [request] = parseParams(SendCalls, params)
  if (request.chainId !== BigInt(accounts.chainId)) throw callsFailure('unsupportedChain')
  if (request.id !== undefined && state.sentIds.has(request.id)) throw callsFailure('duplicateId')
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
    const asked = request.capabilities?.paymasterService
    const sponsoring = asked !== undefined && {
      sponsoring: { context: asked.context, isRequired: asked.optional !== true },
    }
    const options = { sent: state.sent, ...sponsoring }
    const subject = await prepareOperation(withRecipients(calls), smart, context, options).catch(asNodeRevert)
    if (request.id !== undefined) state.askedIds.set(subject.hash, request.id)
    return { subject }
  }
  if (request.atomicRequired) throw callsFailure('notAtomic')
  const subject = await prepareTransactions(calls, accounts, context, state)
  if (request.id !== undefined) state.askedIds.set(keyOf(subject), request.id)
  return { subject }
}

/** The project's paymaster replaces the dapp's: the wallet contacts no other. */
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
  await settleTransactions({ chainId, account: eoa }, sent, context)
  const ask = chainOf(context)
  const [nonce, { fees }, gas, balance] = await Promise.all([
    pendingNonce(ask, eoa),
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

/** Each call's gas after those before it: one estimate plus 20%, or a simulation of all plus 50%. */
async function estimateAll(ask: Ask, from: Address, requests: readonly EvmRequest[]): Promise<readonly bigint[]> {
  const calls = requests.map((request) => toRpcCall(from, request))
  if (calls.length === 1) return [((await ask('eth_estimateGas', calls, Quantity).catch(inOurWords)) * 12n) / 10n]
  const [block] = await ask('eth_simulateV1', [{ blockStateCalls: [{ calls }] }, 'latest'], Simulated).catch(inOurWords)
  const results = block?.calls ?? []
  const failed = results.findIndex(({ status }) => status === 0n)
  if (failed !== -1)
    throw new Failure('INTERNAL', { message: `Call ${failed + 1} would fail`, data: results[failed]?.error })
  if (results.length !== calls.length)
    throw new Failure('WALLET_SERVICE_UNREACHABLE', { message: 'The answer to eth_simulateV1 cannot be read' })
  return results.map(({ gasUsed }) => (gasUsed * 15n) / 10n)
}

/** Returns `{id}` once the calls are sent. */
export async function executeCalls(
  subject: OperationSubject | TransactionsSubject,
  accounts: Accounts,
  context: ChainContext,
  state: EvmState,
): Promise<{ readonly id: string }> {
  const asked = state.askedIds.get(keyOf(subject))
  if (asked !== undefined && state.sentIds.has(asked)) throw callsFailure('duplicateId')
  const own =
    subject.kind === 'eip155.userOperation'
      ? await sendOperation(subject, accounts, context, state)
      : await sendTransactions(subject, accounts, context, state)
  const id = asked ?? own
  state.sentIds.set(id, own)
  state.askedIds.delete(keyOf(subject))
  return { id }
}

async function sendOperation(
  subject: OperationSubject,
  accounts: Accounts,
  context: ChainContext,
  { sent }: EvmState,
): Promise<Hex> {
  const { chainId } = accounts
  const { callsId } = operationIds(checkedOperation(subject, chainId), chainId)
  await sent.followed(await executeOperation(subject, accounts, context, sent))
  return callsId
}

/**
 * Signs all before it sends the first. After a rejection the rest stays unsent. One with unknown outcome counts as sent
 * and is the last.
 */
async function sendTransactions(
  { transactions }: TransactionsSubject,
  accounts: Accounts,
  context: ChainContext,
  { sent }: EvmState,
): Promise<Hex> {
  const [first] = transactions
  if (first === undefined) throw new Failure('INTERNAL')
  for (const fixed of transactions) checkFixed(fixed, accounts)
  await requireNonce(first, accounts, context)
  const signed = await signAll(transactions, accounts, context)
  const idOf = (hashes: readonly Hex[]) =>
    writeCallsId({
      kind: 'transactions',
      chainId: accounts.chainId,
      hashes,
      planned: transactions.length,
      firstNonce: BigInt(first.nonce),
    })
  const hashes: Hex[] = []
  for (const transaction of signed) {
    try {
      hashes.push(await sendNoted(transaction, accounts, context, sent))
    } catch (error) {
      const doubtful = error instanceof Failure ? readUnconfirmed(error) : null
      const callsId = idOf(doubtful === null ? hashes : [...hashes, keccak256(transaction)])
      if (hashes.length > 0) return callsId
      throw doubtful === null ? error : unconfirmed({ ...doubtful, callsId }, error)
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

function keyOf(subject: OperationSubject | TransactionsSubject): string {
  return subject.kind === 'eip155.userOperation'
    ? subject.hash
    : subject.transactions.map(({ unsigned }) => unsigned).join()
}
