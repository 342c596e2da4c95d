/** The outcome of a user operation, by its first hash: the user may have replaced it. */
import { cancelled } from '@postern/chains/outcomes/cancelled'
import { Failure } from '@postern/protocol/failure'
import { parseParams } from '@postern/protocol/validation/params'
import type { Hex } from 'viem'
import * as z from 'zod/mini'
import type { ChainContext } from '../../../contract'
import { isPastEnd, isRefused } from '../../sent-state'
import type { Accounts } from '../account/accounts'
import { type Ask, bundlerOf } from '../endpoints/endpoints'
import { Hash } from '../endpoints/quantities'
import type { Sent } from '../sent/sent'
import { operationEvents, receiptOfEvent } from './logs'
import { sendLostAgain } from './lost'
import { operationProbe } from './nonce'

export async function includedOperation<T>(
  hash: string,
  receipt: z.ZodMiniType<T>,
  bundler: Ask,
  sent: Sent,
): Promise<{ readonly receipt: NonNullable<T>; readonly isCancelled: boolean } | null> {
  const all = [{ hash, kind: null }, ...(await sent.replacementsOf(hash))]
  const receipts = await Promise.all(all.map((one) => bundler('eth_getUserOperationReceipt', [one.hash], receipt)))
  for (const [at, found] of receipts.entries())
    if (found !== null && found !== undefined) return { receipt: found, isCancelled: all[at]?.kind === 'cancel' }
  return null
}

export type ChainOutcome =
  | {
      readonly kind: 'included'
      readonly receipt: unknown
      readonly transactionHash: Hex
      readonly isCancelled: boolean
    }
  | { readonly kind: 'replaced'; readonly transactionHash: Hex }
  | { readonly kind: 'over' }

/**
 * The outcome by the chain's logs, for a bundler without a receipt. Null if unknown, or while a node or bundler may
 * lag.
 *
 * 1. The nonce tells whether a block can have the operation. Without its note, only `validUntil` does.
 * 2. The logs are searched after the operation's hour; if its nonce is used, ten minutes after it was sent, or at once
 *    if the bundler refused it. After its hour no block can have it, whatever the logs say.
 *
 * @param validUntil the operation's end, if its note may be gone
 */
export async function outcomeOnChain(
  hash: string,
  { chainId, smart }: Accounts,
  context: ChainContext,
  sent: Sent,
  validUntil?: bigint,
): Promise<ChainOutcome | null> {
  if (smart === null) return null
  const note = await sent.find({ chainId, account: smart }, hash)
  const until = validUntil ?? (note?.until === undefined ? undefined : BigInt(note.until))
  if (until === undefined) return null
  const probe = operationProbe(smart, context)
  const isOver = isPastEnd(until, await probe.now())
  if (!isOver && (note === null || (sent.isRecent(note) && !isRefused(note)))) return null
  const nonce = note === null ? null : BigInt(note.nonce)
  if (nonce !== null && (await probe.next(nonce)) <= nonce) return isOver ? { kind: 'over' } : null
  const events = await operationEvents(smart, until, context)
  const versions = [{ hash, kind: null }, ...(await sent.replacementsOf(hash))]
  for (const event of events) {
    const found = versions.find((one) => one.hash.toLowerCase() === event.userOpHash.toLowerCase())
    const { transactionHash } = event
    if (found === undefined) continue
    const receipt = await receiptOfEvent(event, context)
    return { kind: 'included', receipt, transactionHash, isCancelled: found.kind === 'cancel' }
  }
  const other = events.find((event) => event.nonce === nonce)
  if (other !== undefined) return { kind: 'replaced', transactionHash: other.transactionHash }
  return isOver ? { kind: 'over' } : null
}

const ByHash = z.tuple([z.string()], z.unknown())
const Receipt = z.nullish(z.looseObject({ receipt: z.looseObject({ transactionHash: Hash }) }))

/**
 * Serves `eth_getUserOperationReceipt` and `eth_getUserOperationByHash`.
 *
 * 1. After a speed-up, the result describes the version that the bundler has, with its own hash.
 * 2. If a block has the user's cancellation, or another site's or device's operation with the nonce:
 *    TRANSACTION_REPLACED.
 * 3. An operation that the bundler has lost is sent again.
 */
export async function findOperation(
  method: string,
  params: unknown,
  accounts: Accounts,
  context: ChainContext,
  sent: Sent,
): Promise<unknown> {
  const [hash] = parseParams(ByHash, params)
  const bundler = bundlerOf(context)
  const replacements = await sent.replacementsOf(hash)
  if (method === 'eth_getUserOperationReceipt') return findReceipt()
  const same = replacements.filter(({ kind }) => kind === 'speedUp').toReversed()
  for (const one of [...same, { hash }]) {
    const found = await bundler(method, [one.hash], z.unknown())
    if (found !== null) return found
  }
  await sendLostAgain(accounts, context, sent)
  return null

  async function findReceipt(): Promise<unknown> {
    const found = replacements.length === 0 ? await bundler(method, [hash], z.unknown()) : null
    if (found !== null) return found
    const included = replacements.length === 0 ? null : await includedOperation(hash, Receipt, bundler, sent)
    if (included?.isCancelled)
      throw cancelled({ sentHash: hash, transactionHash: included.receipt.receipt.transactionHash })
    if (included !== null) return included.receipt
    const outcome = await outcomeOnChain(hash, accounts, context, sent)
    if (outcome === null) await sendLostAgain(accounts, context, sent)
    if (outcome === null || outcome.kind === 'over') return null
    const { transactionHash } = outcome
    if (outcome.kind === 'replaced')
      throw new Failure('TRANSACTION_REPLACED', { data: { sentHash: hash, reason: 'replaced', transactionHash } })
    if (outcome.isCancelled) throw cancelled({ sentHash: hash, transactionHash })
    return outcome.receipt
  }
}
