import { cancelled } from '@postern/chains/outcomes/cancelled'
import { unconfirmed } from '@postern/chains/outcomes/unconfirmed'
import { isSameAddress } from '@postern/chains/same-address'
import { type ErrorCode, limits } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { parseParams } from '@postern/protocol/validation/params'
import type { Address, Hex } from 'viem'
import * as z from 'zod/mini'
import type { ChainContext } from '../../../contract'
import { type Accounts, chooseAccount } from '../account/accounts'
import { decodeCalls, safeContracts } from '../account/safe'
import { asNodeRevert, bundlerOf } from '../endpoints/endpoints'
import { pause } from '../endpoints/pause'
import { EvmAddress, Hash, HexBytes, LooseQuantity } from '../endpoints/quantities'
import { sendLostAgain } from '../operations/lost'
import { includedOperation } from '../operations/outcome'
import { operationIds } from '../operations/send'
import { checkedOperation, type OperationSubject, prepareOperation } from '../operations/user-operation'
import type { Sent } from '../sent/sent'
import type { EvmState } from '../sent/state'
import { type EvmRequest, parseTransactionRequest, prepareTransaction } from '../transactions/transaction'
import { requireNotRefused, type SendingSubject } from './refused-calls'

export async function prepareSendTransaction(
  params: unknown,
  accounts: Accounts,
  context: ChainContext,
  { sent }: EvmState,
): Promise<SendingSubject> {
  const request = parseTransactionRequest(params, accounts.chainId)
  const { type, address } = chooseAccount(accounts, request.from)
  const subject =
    type === 'eoa'
      ? await prepareTransaction(request, accounts, context, sent)
      : await prepareAsOperation(request, { ...accounts, smart: address }, context, sent)
  await requireNotRefused(subject, accounts, context, sent)
  return subject
}

function prepareAsOperation(
  request: EvmRequest,
  accounts: Accounts & { readonly smart: Address },
  context: ChainContext,
  sent: Sent,
): Promise<OperationSubject> {
  const { to, value, data, accessList } = request
  if (to === undefined) throw new Failure('CONTRACT_NEEDS_STANDARD_ACCOUNT')
  if (accessList !== undefined)
    throw new Failure('INVALID_PARAMS', {
      message: 'The smart account has no access lists: send it from the standard account, or without the list',
    })
  // An operation has its own gas, nonce and fees.
  return prepareOperation([{ to, value, data }], accounts, context, { sent }).catch(asNodeRevert)
}

const UserOperation = z.object({
  sender: EvmAddress,
  nonce: z.nullish(LooseQuantity),
  factory: z.nullish(EvmAddress),
  factoryData: z.nullish(HexBytes),
  callData: HexBytes,
  callGasLimit: z.nullish(LooseQuantity),
  verificationGasLimit: z.nullish(LooseQuantity),
  preVerificationGas: z.nullish(LooseQuantity),
  maxFeePerGas: z.nullish(LooseQuantity),
  maxPriorityFeePerGas: z.nullish(LooseQuantity),
  paymaster: z.nullish(EvmAddress),
  paymasterVerificationGasLimit: z.nullish(LooseQuantity),
  paymasterPostOpGasLimit: z.nullish(LooseQuantity),
  paymasterData: z.nullish(HexBytes),
})
const SendUserOperation = z.tuple([UserOperation], z.unknown())

/**
 * Prepares a dapp's user operation.
 *
 * 1. The sender is our smart account, and the entry point is its own.
 * 2. The call data must decode to calls that the approval can show; otherwise INVALID_PARAMS.
 * 3. The dapp's nonce, gas, fees and paymaster stay. Its signature is dropped, and the deployment is ours.
 */
export async function prepareSendUserOperation(
  params: unknown,
  accounts: Accounts,
  context: ChainContext,
  { sent }: EvmState,
): Promise<OperationSubject> {
  const [operation, entryPoint] = parseParams(SendUserOperation, params)
  const named = EvmAddress.safeParse(entryPoint ?? safeContracts.entryPoint)
  if (!named.success || !isSameAddress(named.data, safeContracts.entryPoint))
    throw new Failure('INVALID_PARAMS', { message: 'The smart account is for EntryPoint 0.7' })
  const { type, address } = chooseAccount(accounts, operation.sender)
  if (type !== 'smartAccount') throw new Failure('UNAUTHORIZED')
  const { sender: _sender, factory: _factory, factoryData: _factoryData, callData, ...rest } = operation
  const calls = decodeCalls(callData)
  if (calls === null)
    throw new Failure('INVALID_PARAMS', { message: 'The call data is not a call of the smart account' })
  const fields = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null && value !== undefined))
  const requested = { ...fields, callData }
  const subject = await prepareOperation(calls, { ...accounts, smart: address }, context, { sent, requested })
  await requireNotRefused(subject, accounts, context, sent)
  return subject
}

const OperationReceipt = z.nullish(z.object({ success: z.boolean(), receipt: z.object({ transactionHash: Hash }) }))

const outcomes: ReadonlySet<ErrorCode> = new Set(['TRANSACTION_REVERTED', 'TRANSACTION_REPLACED'])

/**
 * Waits for the hash of the transaction that includes an operation.
 *
 * 1. Polls for at most 180 s, every half second at first, then every 4 s; 6 consecutive polls may fail (spec §9). After
 *    that: TRANSACTION_UNCONFIRMED, because it may still land.
 * 2. A failed operation is TRANSACTION_REVERTED, although the bundler's transaction succeeded.
 * 3. After a speed-up, the hash is its transaction's. A cancellation is TRANSACTION_REPLACED once a block has it.
 * 4. Only a receipt settles the operation's note.
 * 5. An operation that the bundler loses is sent again ({@link sendLostAgain}).
 */
export async function waitForOperation(
  operation: OperationSubject,
  accounts: Accounts,
  context: ChainContext,
  sent: Sent,
): Promise<Hex> {
  const { chainId } = accounts
  const ask = bundlerOf(context)
  const ids = operationIds(checkedOperation(operation, chainId), chainId)
  const hash = ids.sentHash
  const end = Date.now() + limits.receiptTimeout
  for (let tries = 0, failures = 0; ; tries += 1) {
    try {
      const found = await includedOperation(hash, OperationReceipt, ask, sent)
      failures = 0
      if (found !== null) {
        await sent.settled(hash)
        const { success, receipt } = found.receipt
        const { transactionHash } = receipt
        if (found.isCancelled) throw cancelled({ sentHash: hash, transactionHash })
        if (success) return transactionHash
        throw new Failure('TRANSACTION_REVERTED', { data: { transactionHash } })
      }
      await sendLostAgain(accounts, context, sent, hash)
    } catch (error) {
      const isOutcome = error instanceof Failure && outcomes.has(error.code)
      if (context.signal.aborted || isOutcome) throw error
      failures += 1
      if (failures > limits.receiptRetries) throw unconfirmed(ids, error)
    }
    const interval = Math.min(limits.rpcPollingInterval, 500 * 2 ** Math.floor(tries / 2))
    if (Date.now() + interval > end) throw unconfirmed(ids)
    await pause(interval, context.signal)
  }
}
