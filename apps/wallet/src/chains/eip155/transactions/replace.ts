/** Speeds up or cancels a waiting transaction of the plain account: another one takes its nonce. */

import { isSameAddress } from '@postern/chains/same-address'
import type { ApprovalSubject, ReplacementKind, WaitingTransaction } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { type Hex, keccak256, parseTransaction } from 'viem'
import * as z from 'zod/mini'
import type { ChainContext } from '../../../contract'
import { notCovered } from '../../not-covered'
import { heldElsewhere, replacedMessage } from '../../sent-state'
import type { Accounts } from '../account/accounts'
import { type Ask, chainOf, isUnreachable } from '../endpoints/endpoints'
import {
  type Fees,
  feesToRaiseAfterRefusal,
  feeTexts,
  higherFees,
  priceCap,
  raiseFees,
  suggestFees,
} from '../endpoints/fees'
import { bytesOf, Hash, Quantity } from '../endpoints/quantities'
import { isNonceUsed, refusalOf, sendRaw } from '../endpoints/send-raw'
import { findReplaceable, nothingWaits } from '../sent/find-replaceable'
import { hashesOf, isCancellation, newestOf, type Sent, type SentNote } from '../sent/sent'
import type { EvmState } from '../sent/state'
import {
  checkFixed,
  type EvmRequest,
  estimate,
  feesOf,
  fix,
  maxForRollup,
  signerOf,
  signFixed,
  withRollup,
} from './transaction'

type Subject = Extract<ApprovalSubject, { kind: 'eip155.transaction' }>
type ReplacementSubject = Subject & { readonly replaces: NonNullable<Subject['replaces']> }

export function isReplacement(subject: Subject): subject is ReplacementSubject {
  return subject.replaces !== undefined
}

/** Newest first. */
export async function waitingTransactions(
  { chainId, eoa }: Accounts,
  context: ChainContext,
  sent: Sent,
): Promise<readonly WaitingTransaction[]> {
  const notes = await sent.replaceable({ chainId, account: eoa })
  if (notes.length === 0) return []
  const used = await chainOf(context)('eth_getTransactionCount', [eoa, 'latest'], Quantity)
  const waiting = notes.filter(({ nonce }) => BigInt(nonce) >= used)
  const described = await Promise.all(waiting.map((note) => describe(note, context)))
  return described.flatMap((one) => one ?? []).toReversed()
}

async function describe(note: SentNote, { networkId }: ChainContext): Promise<WaitingTransaction | null> {
  const first = await firstOf(note)
  if (first === null) return null
  const { to, value, data } = first.request
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
 * Prepares a replacement from the wallet's own note, never from the caller's data.
 *
 * 1. `hash` names a waiting transaction of this account, as first sent, that the account signed; otherwise
 *    INVALID_PARAMS.
 * 2. A speed-up is the same call with the same gas. A cancellation sends nothing to oneself; only another cancellation
 *    replaces it: a speed-up would revive the payment and count only as its fee.
 * 3. Both fees are an eighth above the last ones, or as suggested if that is more; half above those that nodes have
 *    refused.
 * 4. If the balance does not cover the amount and the higher fee: FEE_NOT_COVERED with what is missing.
 *
 * @throws {Failure} as {@link requireNonce}
 */
export async function prepareReplacement(
  replacement: { readonly hash: string; readonly kind: ReplacementKind },
  accounts: Accounts,
  context: ChainContext,
  { sent, floors }: EvmState,
): Promise<ReplacementSubject> {
  const { chainId, eoa } = accounts
  const { kind } = replacement
  const ask = chainOf(context)
  const note = await findReplaceable(sent, { chainId, account: eoa }, replacement, (found) => requireNonce(found, ask))
  const [first, last] = await Promise.all([firstOf(note), readOwn(note, note.replacements?.at(-1) ?? note)])
  if (first === null || last === null) throw nothingWaits()
  const request: EvmRequest = kind === 'speedUp' ? first.request : { to: eoa, value: 0n, data: '0x' }
  const [{ fees: suggested }, gas, balance] = await Promise.all([
    suggestFees(ask),
    kind === 'speedUp' ? first.gas : gasToCancel(eoa, request, context),
    // `latest`: `pending` would deduct the replaced transaction too.
    ask('eth_getBalance', [eoa, 'latest'], Quantity),
  ])
  const fees = raiseFees(higherFees(last.fees, floors.get(note.hash)), suggested)
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
 * Stores the replacement in the transaction's note, then signs and sends it.
 *
 * 1. If the note no longer waits, or another tab has replaced it: TRANSACTION_REPLACED.
 * 2. If nodes want a higher fee: REPLACEMENT_UNDERPRICED, and the next replacement offers more. If nodes do not know
 *    the note, another site or device holds the nonce: TRANSACTION_REPLACED. A refusal restores the note, but the
 *    refused transaction's receipt still counts.
 * 3. If the outcome of the broadcast is unknown, the note holds both hashes.
 *
 * @throws {Failure} as {@link requireNonce}, also after a refusal
 */
export async function executeReplacement(
  subject: ReplacementSubject,
  accounts: Accounts,
  context: ChainContext,
  { sent, floors }: EvmState,
): Promise<Hex> {
  checkFixed(subject, accounts)
  const { kind, newest } = subject.replaces
  const replaced = bytesOf(subject.replaces.hash)
  const sender = { chainId: accounts.chainId, account: accounts.eoa }
  const ask = chainOf(context)
  const note = await sent.find(sender, replaced)
  if (note === null) throw new Failure('TRANSACTION_REPLACED', { message: replacedMessage })
  await requireNonce(note, ask)
  const signed = await signFixed(subject, accounts, context)
  const hash = keccak256(signed)
  await sent.replace(sender, replaced, { newest: bytesOf(newest), replacement: { kind, hash, signed } })
  try {
    await sendRaw(signed, context)
  } catch (error) {
    const refusal = refusalOf(error)
    await sent.replaceEnded(replaced, refusal === undefined ? 'unknown' : { refused: hash })
    if (refusal !== 'outbid') throw error
    const before = (await sent.find(sender, replaced)) ?? note
    await requireNonce(before, ask)
    if (isNonceUsed(error)) throw new Failure('TRANSACTION_REPLACED', { cause: error })
    const own = await Promise.all(hashesOf(before).map((one) => ask('eth_getTransactionByHash', [one], ByHash)))
    if (own.every((one) => one === null || one === undefined)) throw heldElsewhere(error)
    floors.set(note.hash, feesToRaiseAfterRefusal(feesOf(parseTransaction(signed))))
    throw new Failure('REPLACEMENT_UNDERPRICED', { cause: error })
  }
  floors.delete(note.hash)
  await sent.replaceEnded(replaced, 'sent')
  return hash
}

const ByHash = z.nullish(z.object({ blockHash: z.nullish(Hash) }))

/**
 * Requires that the note's nonce is free.
 * @throws {Failure} TRANSACTION_MINED if a block has the transaction or a speed-up. TRANSACTION_REPLACED if the user's
 *   cancellation has the nonce, or another site's or device's transaction, even a waiting one: nodes would drop it for
 *   ours.
 */
async function requireNonce(note: SentNote, ask: Ask): Promise<void> {
  const countOf = (block: 'latest' | 'pending') => ask('eth_getTransactionCount', [note.account, block], Quantity)
  const hashes = hashesOf(note)
  const [used, held, ...found] = await Promise.all([
    countOf('latest'),
    countOf('pending'),
    ...hashes.map((hash) => ask('eth_getTransactionByHash', [hash], ByHash)),
  ])
  const included = hashes.find((_, at) => typeof found[at]?.blockHash === 'string')
  if (included !== undefined && !isCancellation(note, included)) throw new Failure('TRANSACTION_MINED')
  const nonce = BigInt(note.nonce)
  const isHeldByOther = nonce < held && found.every((one) => one === null || one === undefined)
  if (included !== undefined || nonce < used) throw new Failure('TRANSACTION_REPLACED')
  if (isHeldByOther) throw heldElsewhere()
}

/** More than account code that does nothing needs. */
const cancelGas = 100_000n

/** The account may have code (EIP-7702) that refuses an empty call. */
async function gasToCancel(account: Hex, request: EvmRequest, context: ChainContext): Promise<bigint> {
  try {
    return await estimate(chainOf(context), account, request)
  } catch (error) {
    if (isUnreachable(error) || context.signal.aborted) throw error
    return cancelGas
  }
}

type ReadTransaction = { readonly request: EvmRequest; readonly gas: bigint; readonly fees: Fees }

/** Null if the account did not sign the note's bytes. */
export function firstOf(note: SentNote): Promise<ReadTransaction | null> {
  return readOwn(note, note)
}

async function readOwn(
  { chainId, account, nonce }: SentNote,
  { hash, signed }: Pick<SentNote, 'hash' | 'signed'>,
): Promise<ReadTransaction | null> {
  try {
    if (signed === undefined || keccak256(signed) !== hash.toLowerCase()) return null
    const read = parseTransaction(signed)
    if (read.type !== 'legacy' && read.type !== 'eip2930' && read.type !== 'eip1559') return null
    if (read.chainId !== chainId || BigInt(read.nonce ?? 0) !== BigInt(nonce)) return null
    if (!isSameAddress((await signerOf(signed)) ?? '', account)) return null
    const { to, value = 0n, data = '0x', gas = 0n } = read
    const accessList = read.type === 'legacy' ? undefined : read.accessList
    const more = { ...(to && { to }), ...(accessList && { accessList }) }
    return { request: { value, data, ...more }, gas, fees: feesOf(read) }
  } catch {
    return null
  }
}
