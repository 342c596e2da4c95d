/** What became of what the embedded wallet sent. A chunk of its own: it comes with the first thing that is sent. */
import type { CaipNetworkId } from '@postern/protocol'
import * as z from 'zod/mini'
import type { ChainClient } from '../chains/chain-client'
import {
  revertReason,
  type SentTransaction,
  type TransactionOutcome,
  transactionOutcome,
} from '../chains/eip155-receipt'
import { untilEnded } from '../chains/until-ended'
import { LinkFailure } from '../link/failure'
import type { AskWallet } from '../link/wallet-frame/wallet-frame'
import type { Clock } from '../services/clock'
import type { SentOutcome } from './contract'
import type { Sent } from './sent'

export type Ended = { readonly outcome: SentOutcome; readonly hash: string | null }

export type FollowOptions = {
  readonly networkId: CaipNetworkId
  /** Asks the gateway alone: a dapp's own endpoint would say of its transaction what the dapp likes. */
  readonly client: ChainClient
  /** The wallet's frame, which has the bundler. */
  readonly ask: AskWallet
  readonly clock: Clock
  readonly signal: AbortSignal
}

export type FollowSent = (sent: Sent, options: FollowOptions) => Promise<Ended>

/**
 * Waits for the end with the limits of spec §9: every 4 s, 180 s at most, six failures in a row.
 *
 * 1. Each ends as its chain says: in a block, reverted, replaced by another transaction, or too late. One that the same owner sent again with
 *    another fee counts as that other one.
 * 2. A wait that ended without an answer is `unknown`: it may still come. It rejects with ABORTED alone.
 */
export const followSent: FollowSent = async (sent, options) => {
  try {
    return await untilEnded(() => look(sent, options), options)
  } catch (thrown) {
    if (options.signal.aborted) throw new LinkFailure('ABORTED', { cause: thrown })
    return { outcome: { kind: 'unknown' }, hash: sent.hash }
  }
}

function look(sent: Sent, options: FollowOptions): Promise<Ended | null> {
  switch (sent.kind) {
    case 'included':
      return Promise.resolve({ outcome: { kind: 'confirmed' }, hash: sent.hash })
    case 'transaction':
      return lookForTransaction(sent, options)
    case 'operation':
      return lookForOperation(sent, options)
    case 'calls':
      return lookForCalls(sent, options)
    case 'solana':
      return lookOnSolana(sent, options)
    case 'bitcoin':
      return lookOnBitcoin(sent, options)
  }
}

type Of<K extends Sent['kind']> = Extract<Sent, { kind: K }>

async function lookForTransaction(
  { hash, subject }: Of<'transaction'>,
  { client: { rpc }, signal }: FollowOptions,
): Promise<Ended | null> {
  const { from, nonce, call } = subject
  const { to = null, data } = call
  const sent: SentTransaction = { hash, from, nonce: Number(nonce), to, value: BigInt(call.value), data }
  const outcome = await transactionOutcome(rpc, sent, signal)
  if (outcome === null) return null
  if (outcome.kind !== 'replaced') return ended(sent, outcome)
  if (outcome.reason !== 'repriced' || outcome.hash === null)
    return { outcome: { kind: outcome.reason }, hash: outcome.hash }
  const again = { ...sent, hash: outcome.hash }
  const second = await transactionOutcome(rpc, again, signal)
  if (second === null || second.kind === 'replaced') return null
  return second.kind === 'confirmed' ? { outcome: { kind: 'repriced' }, hash: again.hash } : ended(again, second)

  async function ended(of: SentTransaction, end: Extract<TransactionOutcome, { receipt: unknown }>): Promise<Ended> {
    if (end.kind === 'confirmed') return { outcome: { kind: 'confirmed' }, hash: of.hash }
    return { outcome: { kind: 'reverted', reason: await revertReason(rpc, of, end.receipt, signal) }, hash: of.hash }
  }
}

const Hash = z.string().check(z.regex(/^0x[0-9a-fA-F]{64}$/))
const OperationReceipt = z.nullable(z.object({ success: z.boolean(), receipt: z.object({ transactionHash: Hash }) }))

async function lookForOperation(
  { id }: Of<'operation'>,
  { ask, networkId, signal }: FollowOptions,
): Promise<Ended | null> {
  const asked = { method: 'eth_getUserOperationReceipt', params: [id], networkId }
  const receipt = parse(OperationReceipt, await ask('RPC_REQUEST', asked, { signal }))
  if (receipt === null) return null
  const outcome: SentOutcome = receipt.success ? { kind: 'confirmed' } : { kind: 'reverted', reason: null }
  return { outcome, hash: receipt.receipt.transactionHash }
}

const CallsStatus = z.object({
  status: z.int(),
  receipts: z.optional(z.array(z.object({ transactionHash: Hash }))),
})
/** EIP-5792, "Status codes"; 100 is pending. */
const endsOfCalls: ReadonlyMap<number, SentOutcome> = new Map<number, SentOutcome>([
  [200, { kind: 'confirmed' }],
  [400, { kind: 'dropped' }],
  [500, { kind: 'reverted', reason: null }],
  [600, { kind: 'partlyReverted' }],
])

async function lookForCalls({ id }: Of<'calls'>, { ask, networkId, signal }: FollowOptions): Promise<Ended | null> {
  const asked = { method: 'wallet_getCallsStatus', params: [id], networkId }
  const { status, receipts } = parse(CallsStatus, await ask('RPC_REQUEST', asked, { signal }))
  const outcome = endsOfCalls.get(status)
  return outcome === undefined ? null : { outcome, hash: receipts?.at(-1)?.transactionHash ?? null }
}

async function lookOnSolana(
  { hash, transaction }: Of<'solana'>,
  { client: { rpc }, signal }: FollowOptions,
): Promise<Ended | null> {
  const { solanaOutcome } = await import('../chains/solana/outcome')
  const found = await solanaOutcome(rpc, { signature: hash, transaction }, signal)
  if (found === null) return null
  switch (found.kind) {
    case 'confirmed':
      return { outcome: { kind: 'confirmed' }, hash }
    case 'failed':
      return { outcome: { kind: 'reverted', reason: found.reason }, hash }
    case 'expired':
      return { outcome: { kind: 'dropped' }, hash }
  }
}

async function lookOnBitcoin(
  { hash, subject: { psbt, address } }: Of<'bitcoin'>,
  { client: { esplora }, signal }: FollowOptions,
): Promise<Ended | null> {
  const { bitcoinOutcome } = await import('../chains/bip122/outcome')
  const found = await bitcoinOutcome(esplora, { txid: hash, psbt, address }, signal)
  if (found === null) return null
  return { outcome: { kind: found.kind }, hash: found.kind === 'confirmed' ? hash : found.txid }
}

function parse<T>(schema: z.ZodMiniType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer)
  if (!parsed.success) throw new LinkFailure('INTERNAL', { cause: parsed.error })
  return parsed.data
}
