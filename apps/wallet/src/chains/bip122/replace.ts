/** Speeds up or cancels a waiting Bitcoin transaction: another one spends its coins (BIP-125). */

import { parseBitcoinAddress } from '@postern/chains/bip122/address'
import {
  type EsploraTransaction,
  readAddressTransactions,
  readTransaction,
  readUtxos,
} from '@postern/chains/bip122/esplora'
import { orNull } from '@postern/chains/bip122/outcome'
import { finishPsbt, replaceableSequence } from '@postern/chains/bip122/psbt'
import { isSignalling, planReplacement } from '@postern/chains/bip122/replacement'
import { addressOfScript } from '@postern/chains/bip122/script-address'
import { broadcast, estimatedFeeRate, outpointOf, toCoin } from '@postern/chains/bip122/transfer'
import { hexOf } from '@postern/chains/hex'
import type { ApprovalSubject, ReplacementKind, WaitingTransaction } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import { Psbt, Transaction } from 'bitcoinjs-lib'
import type { ChainContext } from '../../contract'
import { gatewayClient } from '../endpoint'
import { notCovered } from '../not-covered'
import { alreadyCancelled, heldElsewhere, notWaitingMessage, replacedMessage } from '../sent-state'
import { coinsOf, isSame, parsePsbt, previousOutput, withPreviousTransactions } from './proven-psbt'
import type { SentBitcoin } from './sent'
import { everyVersionOf, type Sender, type SentNote, versionsOf } from './sent-note'
import { isSpentInBlock } from './settle'

type Subject = Extract<ApprovalSubject, { kind: 'bip122.psbt' }>
type ReplacementSubject = Subject & { readonly replaces: NonNullable<Subject['replaces']> }

export function isReplacement(subject: Subject): subject is ReplacementSubject {
  return subject.replaces !== undefined
}

/** Newest first. */
export async function waitingTransactions(
  sender: Sender,
  context: ChainContext,
  sent: SentBitcoin,
): Promise<readonly WaitingTransaction[]> {
  await sent.reopen(sender, gatewayClient(context).esplora, context.signal)
  const notes = (await sent.replaceable(sender)).filter((note) => canReplace(note, context))
  if (notes.length === 0) return []
  const states = await statesOf(notes, context, sent)
  for (const { note, mined } of states) if (mined !== undefined) await sent.confirmed(note, mined)
  return states.flatMap(({ note, state }) => (state === 'waits' ? [describe(note, context)] : [])).toReversed()
}

function describe(note: SentNote, { networkId }: ChainContext): WaitingTransaction {
  const [{ txid: newest, kind }] = versionsOf(note)
  const { outs } = Transaction.fromHex(note.hex)
  const ownScript = scriptOf(note)
  const paid = outs.filter(({ script }) => !isSame(script, ownScript))
  // If it pays only oneself, change comes last.
  const shown = paid.length > 0 ? paid : outs.slice(0, 1)
  const [first] = shown
  const to = first && addressOfScript(first.script, networkId)
  return {
    networkId,
    from: note.address,
    hash: note.txid,
    newest,
    ...(kind !== undefined && { replacedBy: kind }),
    ...(to != null && { to }),
    value: String(shown.reduce((sum, { value }) => sum + value, 0n)),
    isPlain: true,
    ...(note.sentAt !== undefined && { sentAt: note.sentAt }),
  }
}

/**
 * Prepares a replacement from the wallet's own note, never from the caller's data.
 *
 * 1. `hash` names a waiting transaction of this address, by its first version, that signals (BIP-125) and spends only
 *    its own coins; otherwise INVALID_PARAMS. In a block: TRANSACTION_MINED. Its change is spent: REQUEST_PENDING.
 *    Another site or device spends its coins: TRANSACTION_REPLACED.
 * 2. It spends all coins of the last version, with proven values. An added coin is confirmed and in no note.
 * 3. Only another cancellation replaces a cancellation: a speed-up would revive the payment.
 * 4. If the coins do not cover the higher fee: FEE_NOT_COVERED with what is missing.
 */
export async function prepareReplacement(
  { hash, kind }: { readonly hash: string; readonly kind: ReplacementKind },
  sender: Sender,
  context: ChainContext,
  sent: SentBitcoin,
): Promise<ReplacementSubject> {
  const note = await sent.find(sender, hash)
  if (note === null) throw new Failure('INVALID_PARAMS', { message: notWaitingMessage })
  const [found] = await statesOf([note], context, sent)
  if (found?.state === 'mined') throw new Failure('TRANSACTION_MINED')
  if (found?.state === 'spent')
    throw new Failure('REQUEST_PENDING', { message: 'A later payment spends the change of this one: wait for both' })
  const isWaiting = (await sent.replaceable(sender)).some(({ txid }) => txid === hash) && canReplace(note, context)
  if (isWaiting && found?.state === 'held') throw heldElsewhere()
  if (!isWaiting || found?.state !== 'waits') throw new Failure('INVALID_PARAMS', { message: notWaitingMessage })
  const [last] = versionsOf(note)
  // Rule 3.
  if (kind === 'speedUp' && last.kind === 'cancel') throw new Failure('INVALID_PARAMS', { message: alreadyCancelled })

  const transaction = Transaction.fromHex(last.hex)
  const { psbt, fee } = await provenCoins(transaction, scriptOf(note), context)
  const plan = await planFor({ kind, transaction, fee }, sender, context, sent)
  if ('missing' in plan) throw notCovered(plan.missing, context)
  if (plan.added !== null) {
    const { txid, vout, value } = plan.added
    const witnessUtxo = { script: scriptOf(note), value }
    psbt.addInput({ hash: txid, index: vout, sequence: replaceableSequence, witnessUtxo })
  }
  for (const output of plan.outputs) psbt.addOutput(output)
  const inputs = psbt.txInputs.map((_, index) => ({ index }))
  const proven = await withPreviousTransactions(psbt.toBase64(), inputs, context)
  const first = withOutputs(Transaction.fromHex(note.hex)).toBase64()
  const replaces = { kind, hash: note.txid, newest: last.txid, psbt: first }
  return { kind: 'bip122.psbt', address: note.address, psbt: proven, inputs, sends: true, replaces }
}

/**
 * Stores the replacement in the transaction's note, then sends it. Returns the id.
 *
 * 1. If the note no longer waits, or another tab has replaced it: TRANSACTION_REPLACED.
 * 2. If a block has the transaction: TRANSACTION_MINED. If nodes want a higher fee: REPLACEMENT_UNDERPRICED. A refusal
 *    restores the note, but the refused transaction still counts if a block has it.
 * 3. If the outcome of the broadcast is unknown, the note holds both transactions.
 */
export async function executeReplacement(
  { subject, signed }: { readonly subject: ReplacementSubject; readonly signed: string },
  sender: Sender,
  context: ChainContext,
  sent: SentBitcoin,
): Promise<string> {
  const { psbt, replaces } = subject
  const { kind, hash, newest } = replaces
  const finished = finishPsbt(psbt, signed)
  const { txid, hex } = finished
  const { esplora } = gatewayClient(context)
  const replacement = { kind, txid, hex, coins: coinsOf(psbt) }
  try {
    await sent.replace(sender, hash, { newest, replacement }, () => broadcast(esplora, finished, context.signal))
    return txid
  } catch (thrown) {
    const { message } = asFailure(thrown)
    if (!tooLow.test(message) && !spent.test(message)) throw thrown
    const note = await sent.find(sender, hash)
    const [found] = note === null ? [] : await statesOf([note], context, sent)
    if (found?.state === 'mined') throw new Failure('TRANSACTION_MINED', { cause: thrown })
    if (found?.state === 'held') throw heldElsewhere(thrown)
    if (tooLow.test(message)) throw new Failure('REPLACEMENT_UNDERPRICED', { cause: thrown })
    throw new Failure('TRANSACTION_REPLACED', { message: replacedMessage, cause: thrown })
  }
}

/** Source: Bitcoin Core's validation.cpp and policy/rbf.cpp. */
const tooLow = /insufficient fee|min(imum)? (relay )?fee not met/i
const spent = /missing-?or-?spent/i

/**
 * `spent`: a later transaction spends its change. `gone`: another site or device spent its coins. `held`: another site
 * or device has one waiting that pays more.
 */
type State = 'waits' | 'mined' | 'spent' | 'gone' | 'held'

async function statesOf(
  notes: readonly SentNote[],
  context: ChainContext,
  sent: SentBitcoin,
): Promise<readonly { readonly note: SentNote; readonly state: State; readonly mined?: string }[]> {
  const { esplora } = gatewayClient(context)
  const [{ address = '' } = {}] = notes
  const listed = await readAddressTransactions(esplora, address, context.signal)
  return Promise.all(
    notes.map(async (note) => {
      const state = await stateOf(note)
      return typeof state === 'string' ? { note, state } : { note, state: 'mined', mined: state.txid }
    }),
  )

  async function stateOf(note: SentNote): Promise<Exclude<State, 'mined'> | EsploraTransaction> {
    const ids = everyVersionOf(note).map(({ txid }) => txid)
    const isVersion = ({ txid }: EsploraTransaction) => ids.includes(txid)
    const versions = listed.filter(isVersion)
    const mined = versions.find(({ status }) => status.confirmed)
    if (mined !== undefined) return mined
    const others = listed.filter((one) => !isVersion(one))
    const takers = others.filter(({ vin }) => vin.some((coin) => note.coins.includes(outpointOf(coin))))
    if (takers.some(({ status }) => status.confirmed)) return 'gone'
    if (takers.length > 0 && versions.length === 0) return 'held'
    const isLater = ({ vin }: EsploraTransaction) => vin.some(({ txid }) => ids.includes(txid))
    if (others.some(isLater) || (await sent.isSpent(note))) return 'spent'
    if (versions.length > 0) return 'waits'
    // Lost, or decided long ago.
    const found = await Promise.all(ids.map((txid) => orNull(readTransaction(esplora, txid, context.signal))))
    const confirmed = found.find((one) => one?.status.confirmed)
    if (confirmed) return confirmed
    return (await isSpentInBlock(note, esplora, context.signal)) ? 'gone' : 'waits'
  }
}

/** Rule 1. */
function canReplace(note: SentNote, { addresses }: ChainContext): boolean {
  const transaction = Transaction.fromHex(versionsOf(note)[0].hex)
  const isOwn = ({ witness }: Transaction['ins'][number]) => {
    const [, key] = witness
    return witness.length === 2 && key !== undefined && hexOf(key) === addresses.bip122.toLowerCase()
  }
  return isSignalling(transaction) && transaction.ins.every(isOwn)
}

/** Rule 2. In satoshis. */
async function provenCoins(transaction: Transaction, script: Uint8Array, context: ChainContext) {
  const bare = withInputs(transaction).toBase64()
  const inputs = transaction.ins.map((_, index) => ({ index }))
  const psbt = parsePsbt(await withPreviousTransactions(bare, inputs, context))
  let fee = transaction.outs.reduce((sum, { value }) => sum - value, 0n)
  for (const { index } of inputs) {
    const coin = previousOutput(psbt, index)
    if (coin === undefined || !isSame(coin.script, script))
      throw new Failure('INVALID_PARAMS', { message: notWaitingMessage })
    psbt.updateInput(index, { witnessUtxo: { script, value: coin.value } })
    fee += coin.value
  }
  return { psbt, fee }
}

async function planFor(
  request: { readonly kind: ReplacementKind; readonly transaction: Transaction; readonly fee: bigint },
  sender: Sender,
  context: ChainContext,
  sent: SentBitcoin,
) {
  const { esplora } = gatewayClient(context)
  const [utxos, feeRate, used] = await Promise.all([
    readUtxos(esplora, sender.address, context.signal),
    estimatedFeeRate(esplora, context.signal),
    sent.coins(sender),
  ])
  const spare = utxos.filter((utxo) => utxo.status.confirmed && !used.has(outpointOf(utxo))).map(toCoin)
  const own = { script: scriptOf(sender), kind: 'p2wpkh' } as const
  return planReplacement({ ...request, own, feeRate, spare })
}

function withInputs({ version, locktime, ins }: Transaction): Psbt {
  const psbt = new Psbt().setVersion(version).setLocktime(locktime)
  for (const { hash, index, sequence } of ins) psbt.addInput({ hash, index, sequence })
  return psbt
}

function withOutputs(transaction: Transaction): Psbt {
  const psbt = withInputs(transaction)
  for (const { script, value } of transaction.outs) psbt.addOutput({ script, value })
  return psbt
}

function scriptOf({ address }: Pick<Sender, 'address'>): Uint8Array {
  const { script } = parseBitcoinAddress(address) ?? {}
  if (script === undefined) throw new Failure('INTERNAL')
  return script
}
