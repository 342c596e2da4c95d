/** A waiting transaction of the plain account is sped up or cancelled: another one takes its nonce. */

import type { ApprovalSubject, ReplacementKind, WaitingTransaction } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { type Hex, keccak256, parseTransaction } from 'viem'
import type { ChainContext } from '../../contract'
import { notCovered } from '../not-covered'
import type { Accounts } from './accounts'
import { chainOf } from './endpoints'
import { type Fees, feeTexts, priceCap, raiseFees, suggestFees } from './fees'
import { bytesOf, Quantity } from './quantities'
import { isNonceUsed, refusalOf, sendRaw } from './send-raw'
import { newestOf, type Sent, type SentNote } from './sent'
import { checkFixed, type EvmRequest, estimate, feesOf, fix, maxForRollup, signFixed, withRollup } from './transaction'

type Subject = Extract<ApprovalSubject, { kind: 'eip155.transaction' }>
type ReplacementSubject = Subject & { readonly replaces: NonNullable<Subject['replaces']> }

export function isReplacement(subject: Subject): subject is ReplacementSubject {
  return subject.replaces !== undefined
}

/** By the wallet's own notes; newest first. */
export async function waitingTransactions(
  { chainId, eoa }: Accounts,
  context: ChainContext,
  sent: Sent,
): Promise<readonly WaitingTransaction[]> {
  const notes = await sent.replaceable({ chainId, account: eoa })
  if (notes.length === 0) return []
  const used = await usedNonces(eoa, context)
  return notes
    .filter(({ nonce }) => BigInt(nonce) >= used)
    .map((note) => describe(note, context))
    .toReversed()
}

function describe(note: SentNote, { networkId }: ChainContext): WaitingTransaction {
  const { to, value, data } = firstOf(note).request
  const replacedBy = note.replacements?.at(-1)?.kind
  return {
    networkId,
    from: note.account,
    hash: note.hash,
    newest: newestOf(note),
    ...(replacedBy !== undefined && { replacedBy }),
    ...(to !== undefined && { to }),
    value: String(value),
    isPlain: data === '0x',
    ...(note.sentAt !== undefined && { sentAt: note.sentAt }),
  }
}

/**
 * Prepares a replacement from the wallet's own note, never from what the caller says of the transaction.
 *
 * 1. `hash` names a waiting transaction of this account, as first sent; any other is INVALID_PARAMS. One that a block has
 *    is TRANSACTION_MINED.
 * 2. A speed-up is the same call with the same gas. A cancellation sends nothing to oneself; only another one replaces it,
 *    because a speed-up would bring back the payment and count as nothing but its fee.
 * 3. Both fees are an eighth above those of the last transaction with the nonce, or as suggested now if that is more.
 * 4. If the balance does not cover the amount and the higher fee: FEE_NOT_COVERED with what is missing. The amount is
 *    never changed.
 */
export async function prepareReplacement(
  { hash, kind }: { readonly hash: string; readonly kind: ReplacementKind },
  accounts: Accounts,
  context: ChainContext,
  sent: Sent,
): Promise<ReplacementSubject> {
  const { chainId, eoa } = accounts
  const sender = { chainId, account: eoa }
  const note = await sent.find(sender, hash)
  const ask = chainOf(context)
  if (note !== null && BigInt(note.nonce) < (await usedNonces(eoa, context))) throw new Failure('TRANSACTION_MINED')
  if (note === null || !(await sent.replaceable(sender)).some((one) => one.hash === note.hash))
    throw new Failure('INVALID_PARAMS', { message: 'This wallet has no such transaction that waits' })
  if (kind === 'speedUp' && note.replacements?.at(-1)?.kind === 'cancel')
    throw new Failure('INVALID_PARAMS', { message: 'The user has cancelled this transaction' })
  const first = firstOf(note)
  const last = readSigned(note.replacements?.at(-1)?.signed ?? note.signed)
  const request: EvmRequest = kind === 'speedUp' ? first.request : { to: eoa, value: 0n, data: '0x' }
  const [{ fees: suggested }, gas, balance] = await Promise.all([
    suggestFees(ask),
    kind === 'speedUp' ? first.gas : estimate(ask, eoa, request),
    // Without what waits: that has the amount and the fee of the replaced one.
    ask('eth_getBalance', [eoa, 'latest'], Quantity),
  ])
  const fees = raiseFees(last.fees, suggested)
  const fixed = fix({ request, nonce: BigInt(note.nonce), gas, fees, chainId })
  const rollup = await maxForRollup(fixed, context)
  const missing = request.value + gas * priceCap(fees) + rollup - balance
  if (missing > 0n) throw notCovered(missing, context)
  const { to, value, data } = first.request
  const call = { value: String(value), data, ...(to !== undefined && { to }) }
  const replaces = {
    kind,
    hash: note.hash,
    newest: newestOf(note),
    isFollowed: note.isFollowed,
    call,
    fees: feeTexts(last.gas, last.fees),
  }
  return { kind: 'eip155.transaction', from: eoa, ...withRollup(fixed, rollup), replaces }
}

/**
 * Signs and sends the replacement, noted before in the note of what it replaces.
 *
 * 1. The note still waits, and no other tab has replaced it since: otherwise TRANSACTION_REPLACED.
 * 2. If a block has the nonce by now: TRANSACTION_MINED. If nodes want a higher fee: REPLACEMENT_UNDERPRICED. After every
 *    refusal the note is as before.
 * 3. If the outcome of the broadcast is unknown, the note holds both hashes.
 */
export async function executeReplacement(
  subject: ReplacementSubject,
  accounts: Accounts,
  context: ChainContext,
  sent: Sent,
): Promise<Hex> {
  checkFixed(subject, accounts)
  const { kind, newest } = subject.replaces
  const replaced = bytesOf(subject.replaces.hash)
  const signed = await signFixed(subject, accounts, context)
  const hash = keccak256(signed)
  const sender = { chainId: accounts.chainId, account: accounts.eoa }
  await sent.replace(sender, replaced, { newest: bytesOf(newest), replacement: { kind, hash, signed } })
  try {
    await sendRaw(signed, context)
  } catch (error) {
    const refusal = refusalOf(error)
    await sent.replaceEnded(replaced, refusal === undefined ? 'unknown' : { refused: hash })
    if (refusal !== 'outbid') throw error
    throw new Failure(isNonceUsed(error) ? 'TRANSACTION_MINED' : 'REPLACEMENT_UNDERPRICED', { cause: error })
  }
  await sent.replaceEnded(replaced, 'sent')
  return hash
}

function usedNonces(account: Hex, context: ChainContext): Promise<bigint> {
  return chainOf(context)('eth_getTransactionCount', [account, 'latest'], Quantity)
}

type ReadTransaction = { readonly request: EvmRequest; readonly gas: bigint; readonly fees: Fees }

/** @throws {Failure} INTERNAL if the note has no bytes */
export function firstOf({ signed }: SentNote): ReadTransaction {
  return readSigned(signed)
}

function readSigned(signed: Hex | undefined): ReadTransaction {
  if (signed === undefined) throw new Failure('INTERNAL')
  const read = parseTransaction(signed)
  if (read.type !== 'legacy' && read.type !== 'eip2930' && read.type !== 'eip1559') throw new Failure('INTERNAL')
  const { to, value = 0n, data = '0x', gas = 0n } = read
  const accessList = read.type === 'legacy' ? undefined : read.accessList
  const more = { ...(to && { to }), ...(accessList && { accessList }) }
  return { request: { value, data, ...more }, gas, fees: feesOf(read) }
}
