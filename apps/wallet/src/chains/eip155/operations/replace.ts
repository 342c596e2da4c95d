/** Speeds up or cancels a waiting operation of the smart account: another one takes its nonce (ERC-4337). */

import type { ReplacementKind, WaitingTransaction } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { type Address, type Hex, numberToHex } from 'viem'
import type { ChainContext } from '../../../contract'
import { notCovered } from '../../not-covered'
import { replacedMessage, stillPending } from '../../sent-state'
import type { Accounts } from '../account/accounts'
import { decodeCalls, encodeCalls, type SafeCall, safeFactory } from '../account/safe'
import { hasCode } from '../account/smart-accounts'
import { chainOf, isUnreachable } from '../endpoints/endpoints'
import { feesToRaiseAfterRefusal, feeTexts, higherFees, raiseFees, suggestFees } from '../endpoints/fees'
import { bytesOf, Quantity } from '../endpoints/quantities'
import { refusalOf } from '../endpoints/send-raw'
import { signTyped } from '../messages/message'
import { findReplaceable, nothingWaits } from '../sent/find-replaceable'
import { hashesOf, isCancellation, newestOf, type Sent, type SentNote } from '../sent/sent'
import type { EvmState } from '../sent/state'
import { Operation, safeOperationJson, toRecord, totalGas, toWire } from './form'
import { isInTime, sendLostAgain } from './lost'
import { depositOf, operationProbe } from './nonce'
import { heldFeesOf, nonceRefusalOf, operationIds, sendOperation } from './send'
import { packSigned, readSigned } from './signed'
import {
  type Draft,
  fillGas,
  isPagePaymaster,
  type OperationSubject,
  ownOperation,
  type RequestedOperation,
  type Sponsoring,
  subjectOf,
} from './user-operation'

type ReplacementSubject = OperationSubject & { readonly replaces: NonNullable<OperationSubject['replaces']> }

export function isOperationReplacement(subject: OperationSubject): subject is ReplacementSubject {
  return subject.replaces !== undefined
}

/** Newest first. Sends again what the bundler has lost. */
export async function waitingOperations(
  accounts: Accounts,
  context: ChainContext,
  sent: Sent,
): Promise<readonly WaitingTransaction[]> {
  const { chainId, eoa, smart } = accounts
  if (smart === null) return []
  const notes = await sent.replaceable({ chainId, account: smart })
  if (notes.length === 0) return []
  void sendLostAgain(accounts, context, sent)
  const probe = operationProbe(smart, context)
  const now = await probe.now()
  const waiting = await Promise.all(
    notes.map(async (note) => {
      const nonce = BigInt(note.nonce)
      return (await probe.next(nonce)) <= nonce && isInTime(note, now) ? await describe(note, eoa, context) : null
    }),
  )
  return waiting.flatMap((one) => one ?? []).toReversed()
}

async function describe(
  note: SentNote,
  owner: Address,
  { networkId }: ChainContext,
): Promise<WaitingTransaction | null> {
  const read = await readOwn(note, note, owner)
  const [first, ...others] = read?.calls ?? []
  if (read === null || first === undefined) return null
  const replacedBy = note.replacements?.at(-1)?.kind
  return {
    networkId,
    from: note.account,
    hash: note.hash,
    newest: newestOf(note),
    ...(replacedBy !== undefined && { replacedBy }),
    to: first.to,
    value: String(read.calls.reduce((sum, { value }) => sum + value, 0n)),
    isPlain: others.length === 0 && first.data === '0x',
    isOperation: true,
    ...(note.sentAt !== undefined && { sentAt: note.sentAt }),
  }
}

/**
 * Prepares a replacement from the wallet's own note, never from the caller's data.
 *
 * 1. `hash` names a waiting operation of this account, as first sent, that the owner signed; otherwise INVALID_PARAMS.
 * 2. A speed-up has the same calls and gas. A cancellation is an empty call to oneself with its own estimate; only
 *    another cancellation replaces it. Neither outlives the first operation, whose caller counts on that end.
 * 3. Both fees are an eighth above the last ones (bundlers require a tenth), or as suggested if that is more. After a
 *    refusal, they rise from the bundler's named fees, otherwise half above the refused ones.
 * 4. The network's paymaster, whose signature covers the fees, is asked again with the first operation's context
 *    (ERC-7677). If it declines, the account pays. If the balance is too low: FEE_NOT_COVERED with what is missing.
 *
 * @throws {Failure} as {@link requireNonce}
 */
export async function prepareOperationReplacement(
  replacement: { readonly hash: string; readonly kind: ReplacementKind },
  { chainId, eoa, smart }: Accounts,
  context: ChainContext,
  { sent, floors }: EvmState,
): Promise<ReplacementSubject> {
  if (smart === null) throw nothingWaits()
  const { kind } = replacement
  const note = await findReplaceable(sent, { chainId, account: smart }, replacement, (found) =>
    requireNonce(found, context),
  )
  const previous = note.replacements?.at(-1) ?? note
  const [first, last] = await Promise.all([readOwn(note, note, eoa), readOwn(note, previous, eoa)])
  if (first === null || last === null) throw nothingWaits()
  const ask = chainOf(context)
  const [isDeployed, { fees: suggested, timestamp }, balance, deposit] = await Promise.all([
    hasCode(ask, smart),
    suggestFees(ask),
    ask('eth_getBalance', [smart, 'latest'], Quantity),
    depositOf(ask, smart),
  ])
  if (!isInTime(note, timestamp)) throw nothingWaits()
  const { operation: replaced } = last
  const { maxFeePerGas, maxPriorityFeePerGas } = replaced
  const before = { kind: 'eip1559', maxFeePerGas, maxPriorityFeePerGas } as const
  const fees = raiseFees(higherFees(before, floors.get(note.hash)), suggested)
  if (fees.kind !== 'eip1559') throw new Failure('INTERNAL')
  const calls: readonly SafeCall[] = kind === 'speedUp' ? first.calls : [{ to: smart, value: 0n, data: '0x' }]
  const draft: Draft = {
    sender: smart,
    nonce: first.operation.nonce,
    callData: kind === 'speedUp' ? first.operation.callData : encodeCalls(calls),
    ...(!isDeployed && safeFactory(eoa)),
    maxFeePerGas: fees.maxFeePerGas,
    maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
    validUntil: first.operation.validUntil,
  }
  const sponsoring = sponsoringOf(note)
  const filled = await (kind === 'speedUp'
    ? fillAsBefore(draft, first.operation, context, sponsoring)
    : fillGas(draft, {}, context, sponsoring))
  const operation = Operation.safeParse(toRecord(filled))
  if (!operation.success) throw new Failure('INTERNAL', { cause: operation.error })
  const missing = missingFor(operation.data, calls, { balance, deposit })
  if (missing > 0n) throw notCovered(missing, context)
  const replaces = {
    kind,
    hash: note.hash,
    newest: newestOf(note),
    isFollowed: note.isFollowed,
    calls: first.calls.map(({ to, value, data }) => ({ to, value: String(value), data })),
    fees: feeTexts(totalGas(replaced), { kind: 'eip1559', maxFeePerGas, maxPriorityFeePerGas }),
    ...(replaced.paymaster !== undefined && { paymaster: replaced.paymaster }),
  }
  return {
    ...subjectOf(operation.data, chainId, { isPagePaymaster: isPagePaymaster({}, sponsoring) }),
    replaces,
  }
}

/** Rule 4: it may decline, although it had to pay for the first version. */
function sponsoringOf({ paymasterContext }: SentNote): Sponsoring {
  return { context: paymasterContext === undefined ? {} : JSON.parse(paymasterContext), isRequired: false }
}

/** Rule 2: the bundler estimates nothing for calls that revert by now. */
async function fillAsBefore(
  draft: Draft,
  first: Operation,
  context: ChainContext,
  sponsoring: Sponsoring,
): Promise<Draft> {
  const { callGasLimit, verificationGasLimit, preVerificationGas } = first
  const requested: RequestedOperation = { callGasLimit, verificationGasLimit }
  try {
    return await fillGas({ ...draft, ...requested }, requested, context, sponsoring)
  } catch (error) {
    if (isUnreachable(error) || context.signal.aborted) throw error
    return fillGas(
      { ...draft, ...requested, preVerificationGas },
      { ...requested, preVerificationGas },
      context,
      sponsoring,
    )
  }
}

/** In wei. The entry point takes the fee from the account's deposit first. */
function missingFor(
  operation: Operation,
  calls: readonly SafeCall[],
  { balance, deposit }: { readonly balance: bigint; readonly deposit: bigint },
): bigint {
  const fee = operation.paymaster === undefined ? totalGas(operation) * operation.maxFeePerGas : 0n
  const value = calls.reduce((sum, call) => sum + call.value, 0n)
  return value + (fee > deposit ? fee - deposit : 0n) - balance
}

/**
 * Stores the replacement in the operation's note, then signs and sends it.
 *
 * 1. If the note no longer waits, another tab has replaced it, or the account that it deploys exists:
 *    TRANSACTION_REPLACED.
 * 2. If the bundler wants a higher fee: REPLACEMENT_UNDERPRICED, and the next replacement offers more. If the bundler
 *    has sent the earlier operation to the chain: REQUEST_PENDING. A refusal restores the note, but the refused
 *    operation's receipt still counts.
 * 3. If the outcome of the broadcast is unknown, the note holds both hashes.
 *
 * @throws {Failure} as {@link requireNonce}, also after a refusal
 */
export async function executeOperationReplacement(
  subject: ReplacementSubject,
  accounts: Accounts,
  context: ChainContext,
  { sent, floors }: EvmState,
): Promise<Hex> {
  const { chainId } = accounts
  const operation = ownOperation(subject, accounts)
  const { kind, newest } = subject.replaces
  const replaced = bytesOf(subject.replaces.hash)
  const sender = { chainId, account: operation.sender }
  const note = await sent.find(sender, replaced)
  if (note === null) throw new Failure('TRANSACTION_REPLACED', { message: replacedMessage })
  await requireNonce(note, context)
  if (subject.deploys && (await hasCode(chainOf(context), operation.sender)))
    throw new Failure('TRANSACTION_REPLACED', { message: replacedMessage })
  const signature = await signTyped(safeOperationJson(operation, chainId), context)
  const ids = operationIds(operation, chainId)
  const { sentHash: hash } = ids
  const replacement = { kind, hash, signed: packSigned(operation, signature) }
  await sent.replace(sender, replaced, { newest: bytesOf(newest), replacement })
  try {
    await sendOperation(toWire(operation, signature), ids, context)
  } catch (error) {
    const refusal = refusalOf(error)
    await sent.replaceEnded(replaced, refusal === undefined ? 'unknown' : { refused: hash })
    if (refusal !== 'outbid') throw error
    await requireNonce((await sent.find(sender, replaced)) ?? note, context)
    const reason = nonceRefusalOf(error)
    if (reason === 'bundled') throw stillPending(note.hash)
    if (reason !== 'held') throw new Failure('TRANSACTION_REPLACED', { cause: error })
    const { maxFeePerGas, maxPriorityFeePerGas } = operation
    const offered = { kind: 'eip1559', maxFeePerGas, maxPriorityFeePerGas } as const
    floors.set(note.hash, higherFees(offered, heldFeesOf(error) ?? feesToRaiseAfterRefusal(offered)))
    throw new Failure('REPLACEMENT_UNDERPRICED', { cause: error })
  }
  floors.delete(note.hash)
  await sent.replaceEnded(replaced, 'sent')
  return hash
}

/**
 * Requires that the note's nonce is free. Ignores a waiting operation of another site or device: the bundler drops it
 * if the replacement pays more.
 * @throws {Failure} TRANSACTION_MINED if a block has the operation or a speed-up. TRANSACTION_REPLACED if a block has
 *   the user's cancellation, or an operation of another site or device. REQUEST_PENDING while the bundler does not know
 *   which.
 */
async function requireNonce(note: SentNote, context: ChainContext): Promise<void> {
  const probe = operationProbe(note.account, context)
  const nonce = BigInt(note.nonce)
  const hashes = hashesOf(note)
  const [next, ...found] = await Promise.all([probe.next(nonce), ...hashes.map((hash) => probe.find(hash))])
  const included = hashes.find((_, at) => found[at]?.kind === 'included')
  if (included !== undefined && !isCancellation(note, included)) throw new Failure('TRANSACTION_MINED')
  if (included !== undefined) throw new Failure('TRANSACTION_REPLACED')
  if (next <= nonce) return
  if (found.some((one) => one !== null)) throw stillPending(note.hash)
  throw new Failure('TRANSACTION_REPLACED')
}

type ReadOperation = { readonly operation: Operation; readonly calls: readonly SafeCall[] }

/** Null if the owner did not sign the note's operation. */
async function readOwn(
  { chainId, account, nonce }: SentNote,
  { hash, signed }: Pick<SentNote, 'hash' | 'signed'>,
  owner: Address,
): Promise<ReadOperation | null> {
  const read = signed === undefined ? null : await readSigned(signed, { chainId, hash, owner })
  if (read === null) return null
  const { operation } = read
  const calls = decodeCalls(operation.callData)
  if (calls === null) return null
  return operation.sender === account && numberToHex(operation.nonce) === nonce ? { operation, calls } : null
}
