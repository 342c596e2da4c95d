import { isSameAddress } from '@postern/chains/same-address'
import type { ApprovalSubject } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { type Address, type Hex, numberToHex } from 'viem'
import * as z from 'zod/mini'
import type { ChainContext } from '../../../contract'
import { replacedMessage } from '../../sent-state'
import { type Accounts, refuseSelfCalls } from '../account/accounts'
import { decodeCalls, encodeCalls, type SafeCall, safeContracts, safeFactory } from '../account/safe'
import { hasCode } from '../account/smart-accounts'
import { type Ask, bundlerOf, chainOf, isUnreachable, paymasterOf, smartChainOf } from '../endpoints/endpoints'
import { checkFees, type Fees, feeTexts, mergeFees, suggestFees } from '../endpoints/fees'
import { EvmAddress, HexBytes, Quantity } from '../endpoints/quantities'
import { refusalOf } from '../endpoints/send-raw'
import { signTyped } from '../messages/message'
import { type Sent, storable } from '../sent/sent'
import type { NewCalls } from '../sent/sent-calls'
import {
  Operation,
  operationHash,
  operationLifetimeSeconds,
  safeOperationJson,
  stubSignature,
  toRecord,
  totalGas,
  toWire,
} from './form'
import { sendLostAgain } from './lost'
import { requireFreeNonce, takeNonce } from './nonce'
import { operationIds, sendOperation, throwBundlerFailure } from './send'
import { packSigned } from './signed'

export type OperationSubject = Extract<ApprovalSubject, { kind: 'eip155.userOperation' }>

export type RequestedOperation = Partial<Omit<Operation, 'sender' | 'factory' | 'factoryData' | 'validUntil'>>

export type Sponsoring = { readonly context: unknown; readonly isRequired: boolean }

const Estimate = z.object({
  callGasLimit: Quantity,
  verificationGasLimit: Quantity,
  preVerificationGas: Quantity,
  paymasterVerificationGasLimit: z.nullish(Quantity),
  paymasterPostOpGasLimit: z.nullish(Quantity),
})

const Paymaster = z.object({
  paymaster: EvmAddress,
  paymasterData: HexBytes,
  paymasterVerificationGasLimit: z.nullish(Quantity),
  paymasterPostOpGasLimit: z.nullish(Quantity),
  isFinal: z.nullish(z.boolean()),
})

export type Draft = Partial<Operation> & Pick<Operation, 'sender' | 'nonce' | 'callData' | 'validUntil'>

/**
 * Prepares a user operation (ERC-4337, EntryPoint 0.7).
 *
 * 1. The calls are encoded as requested. The first operation includes the account's deployment.
 * 2. The network's paymaster (ERC-7677) is asked to pay. If it declines, the account pays, and the approval says so.
 *    The page's own is never called a sponsor.
 * 3. A validation failure is reported before approval.
 * 4. A site can never change the account itself.
 * 5. While an operation waits, the next one uses another lane. An operation with unknown outcome leaves its nonce to
 *    the next (`settle.ts`).
 */
export async function prepareOperation(
  calls: readonly SafeCall[],
  accounts: Accounts & { readonly smart: Address },
  context: ChainContext,
  options: { readonly sent: Sent; readonly requested?: RequestedOperation; readonly sponsoring?: Sponsoring },
): Promise<OperationSubject> {
  const { eoa, smart, chainId } = accounts
  const { requested = {}, sent } = options
  refuseSelfCalls(eoa, calls)
  const ask = chainOf(context)
  // In the background: no request waits for it.
  void sendLostAgain(accounts, context, sent)
  const chainState = Promise.all([hasCode(ask, smart), suggestFees(ask)])
  // Awaited after the nonce, whose failure reports an earlier outcome once.
  chainState.catch(() => {})
  const nonce = await takeNonce({ chainId, account: smart }, sent, context, requested.nonce)
  const [isDeployed, { fees, timestamp }] = await chainState
  const draft: Draft = {
    sender: smart,
    nonce,
    callData: encodeCalls(calls),
    ...(!isDeployed && safeFactory(eoa)),
    ...operationFees(requested, fees),
    ...requested,
    validUntil: timestamp + operationLifetimeSeconds,
  }
  const filled = await fillGas(draft, requested, context, options.sponsoring).catch((error) =>
    throwIfUnfunded(error, calls, smart, ask),
  )
  const operation = Operation.safeParse(toRecord(filled))
  if (!operation.success) throw new Failure('INTERNAL', { cause: operation.error })
  return subjectOf(operation.data, chainId, { isPagePaymaster: isPagePaymaster(requested, options.sponsoring) })
}

/** With a token, the operator's paymaster takes its fee in that token. */
export function isPagePaymaster(requested: RequestedOperation, sponsoring: Sponsoring | undefined): boolean {
  return requested.paymaster !== undefined || Object.hasOwn(sponsoring?.context ?? {}, 'token')
}

/** Finds out why: the bundler only reports a revert. */
async function throwIfUnfunded(error: unknown, calls: readonly SafeCall[], sender: Address, ask: Ask): Promise<never> {
  const value = calls.reduce((sum, call) => sum + call.value, 0n)
  if (value === 0n || !(error instanceof Failure) || error.code === 'ABORTED' || isUnreachable(error)) throw error
  const balance = await ask('eth_getBalance', [sender, 'latest'], Quantity).catch(() => value)
  if (balance < value) throw new Failure('INSUFFICIENT_FUNDS', { cause: error, data: error.data })
  throw error
}

/** @throws {Failure} INTERNAL if the call data do not decode */
export function subjectOf(
  operation: Operation,
  chainId: number,
  { isPagePaymaster = false }: { readonly isPagePaymaster?: boolean } = {},
): OperationSubject {
  const calls = decodeCalls(operation.callData)
  if (calls === null) throw new Failure('INTERNAL')
  const { maxFeePerGas, maxPriorityFeePerGas, paymaster } = operation
  const fees = checkFees({ kind: 'eip1559', maxFeePerGas, maxPriorityFeePerGas })
  return {
    kind: 'eip155.userOperation',
    from: operation.sender,
    calls: calls.map(({ to, value, data }) => ({ to, value: String(value), data })),
    fees: feeTexts(totalGas(operation), fees),
    sponsored: paymaster !== undefined && !isPagePaymaster,
    ...(paymaster !== undefined && isPagePaymaster && { pagePaymaster: paymaster }),
    deploys: operation.factory !== undefined,
    operation: toRecord(operation),
    hash: operationHash(operation, chainId),
  }
}

/** Bundlers require both fees on every chain. */
function operationFees(requested: RequestedOperation, suggested: Fees) {
  const { maxFeePerGas, maxPriorityFeePerGas } = requested
  const base: Fees =
    suggested.kind === 'eip1559'
      ? suggested
      : { kind: 'eip1559', maxFeePerGas: suggested.gasPrice, maxPriorityFeePerGas: suggested.gasPrice }
  const fees = mergeFees({ maxFeePerGas, maxPriorityFeePerGas }, base)
  if (fees.kind !== 'eip1559') throw new Failure('INTERNAL')
  return { maxFeePerGas: fees.maxFeePerGas, maxPriorityFeePerGas: fees.maxPriorityFeePerGas }
}

export async function fillGas(
  draft: Draft,
  requested: RequestedOperation,
  context: ChainContext,
  sponsoring: Sponsoring = { context: {}, isRequired: false },
): Promise<Draft> {
  const stub =
    requested.paymaster === undefined ? await askPaymaster('pm_getPaymasterStubData', draft, sponsoring, context) : null
  const filled = await withGas(stub === null ? draft : { ...draft, ...paymasterMembers(stub) }, requested, context)
  if (stub === null || stub.isFinal === true) return filled
  const final = await askPaymaster('pm_getPaymasterData', filled, sponsoring, context)
  return final === null ? withGas(draft, requested, context) : { ...filled, ...paymasterMembers(final) }
}

async function withGas(draft: Draft, requested: RequestedOperation, context: ChainContext): Promise<Draft> {
  return isEstimated(draft) ? draft : { ...draft, ...(await estimate(draft, requested, context)) }
}

async function askPaymaster(
  method: 'pm_getPaymasterStubData' | 'pm_getPaymasterData',
  draft: Draft,
  sponsoring: Sponsoring,
  context: ChainContext,
) {
  if (smartChainOf(context)?.paymaster !== true) return null
  const params = paymasterParams(draft, sponsoring, context)
  try {
    return await paymasterOf(context)(method, params, Paymaster)
  } catch (error) {
    const isAborted = error instanceof Failure && error.code === 'ABORTED'
    if (isAborted || sponsoring.isRequired) throw error
    return null
  }
}

function paymasterParams(draft: Draft, sponsoring: Sponsoring, { networkId }: ChainContext): readonly unknown[] {
  const chainId = numberToHex(BigInt(networkId.slice(networkId.indexOf(':') + 1)))
  const gas = { callGasLimit: 0n, verificationGasLimit: 0n, preVerificationGas: 0n }
  return [toWire({ ...gas, ...draft }, stubSignature), safeContracts.entryPoint, chainId, sponsoring.context ?? {}]
}

function paymasterMembers(answer: z.infer<typeof Paymaster>): Partial<Operation> {
  const { paymaster, paymasterData, paymasterVerificationGasLimit, paymasterPostOpGasLimit } = answer
  return {
    paymaster,
    paymasterData,
    ...(typeof paymasterVerificationGasLimit === 'bigint' && { paymasterVerificationGasLimit }),
    ...(typeof paymasterPostOpGasLimit === 'bigint' && { paymasterPostOpGasLimit }),
  }
}

function isEstimated(draft: Draft): boolean {
  const { callGasLimit, verificationGasLimit, preVerificationGas } = draft
  const hasAllLimits =
    callGasLimit !== undefined && verificationGasLimit !== undefined && preVerificationGas !== undefined
  if (draft.paymaster === undefined) return hasAllLimits
  return (
    hasAllLimits && draft.paymasterVerificationGasLimit !== undefined && draft.paymasterPostOpGasLimit !== undefined
  )
}

/** Adds a sixth to `preVerificationGas`: a rollup's data fee may rise before approval. */
async function estimate(
  draft: Draft,
  requested: RequestedOperation,
  context: ChainContext,
): Promise<Partial<Operation>> {
  const gas = { callGasLimit: 0n, verificationGasLimit: 0n, preVerificationGas: 0n }
  const zeros = draft.paymaster === undefined ? {} : { paymasterVerificationGasLimit: 0n, paymasterPostOpGasLimit: 0n }
  const wire = toWire({ ...gas, ...zeros, ...draft }, stubSignature)
  const answer = await bundlerOf(context)(
    'eth_estimateUserOperationGas',
    [wire, safeContracts.entryPoint],
    Estimate,
  ).catch(throwBundlerFailure)
  const paymasterGas = draft.paymaster !== undefined && {
    paymasterVerificationGasLimit: draft.paymasterVerificationGasLimit ?? answer.paymasterVerificationGasLimit ?? 0n,
    paymasterPostOpGasLimit: draft.paymasterPostOpGasLimit ?? answer.paymasterPostOpGasLimit ?? 0n,
  }
  return {
    callGasLimit: requested.callGasLimit ?? answer.callGasLimit,
    verificationGasLimit: requested.verificationGasLimit ?? answer.verificationGasLimit,
    preVerificationGas: requested.preVerificationGas ?? (answer.preVerificationGas * 7n) / 6n,
    ...paymasterGas,
  }
}

/**
 * Signs and sends exactly `subject`; returns the hash once the bundler has it.
 * A caller that returns this hash calls `sent.followed`; one that waits for the receipt, `sent.settled`. `calls`: the
 * operation's batch. `paymasterContext`: the dapp's, as JSON.
 * @throws {Failure} TRANSACTION_REPLACED if another operation came first, TRANSACTION_UNCONFIRMED if the bundler may
 * have it
 */
export async function executeOperation(
  subject: OperationSubject,
  accounts: Accounts,
  context: ChainContext,
  sent: Sent,
  { calls, paymasterContext }: { readonly calls?: Omit<NewCalls, 'callsId'>; readonly paymasterContext?: string } = {},
): Promise<Hex> {
  const { chainId } = accounts
  const operation = ownOperation(subject, accounts)
  const sender = { chainId, account: operation.sender }
  const known = await requireFreeNonce(operation.nonce, sender, sent, context)
  if (subject.deploys && (await hasCode(chainOf(context), operation.sender)))
    throw new Failure('TRANSACTION_REPLACED', { message: replacedMessage })
  const signature = await signTyped(safeOperationJson(operation, chainId), context)
  const { sentHash, callsId } = operationIds(operation, chainId)
  const nonce = numberToHex(operation.nonce)
  const note = { ...sender, nonce, hash: sentHash, until: Number(operation.validUntil) }
  await sent.begin(
    { ...note, ...storable(packSigned(operation, signature)), ...(paymasterContext && { paymasterContext }) },
    { known, calls: calls && { ...calls, callsId } },
  )
  try {
    await sendOperation(toWire(operation, signature), { sentHash, callsId }, context)
  } catch (error) {
    await sent.ended(sentHash, refusalOf(error), calls)
    throw error
  }
  await sent.ended(sentHash)
  return sentHash
}

/** @throws {Failure} INTERNAL as {@link checkedOperation}, UNAUTHORIZED for another account */
export function ownOperation(subject: OperationSubject, { chainId, smart }: Accounts): Operation {
  const operation = checkedOperation(subject, chainId)
  if (smart === null || !isSameAddress(operation.sender, smart)) throw new Failure('UNAUTHORIZED')
  return operation
}

/** @throws {Failure} INTERNAL if it does not match the rest of the subject */
export function checkedOperation(subject: OperationSubject, chainId: number): Operation {
  const parsed = Operation.safeParse(subject.operation)
  if (!parsed.success) throw new Failure('INTERNAL', { cause: parsed.error })
  const again = subjectOf(parsed.data, chainId, { isPagePaymaster: subject.pagePaymaster !== undefined })
  const isSame =
    again.hash === subject.hash &&
    again.sponsored === subject.sponsored &&
    again.pagePaymaster === subject.pagePaymaster &&
    again.deploys === subject.deploys &&
    isSameAddress(again.from, subject.from) &&
    JSON.stringify(again.fees) === JSON.stringify(subject.fees) &&
    JSON.stringify(again.calls).toLowerCase() === JSON.stringify(callsOf(subject)).toLowerCase()
  if (!isSame) throw new Failure('INTERNAL')
  return parsed.data
}

function callsOf({ calls }: OperationSubject) {
  return calls.map(({ to, value, data }) => ({ to, value, data }))
}
