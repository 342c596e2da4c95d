/** The outcome of a transaction (spec §4), from the chain regardless of the sender. */

import type { Clock } from '@postern/protocol/clock'
import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'
import { askNode } from './ask-node'
import type { ChainClient } from './chain-client'
import { callOutcome, revertReason, type SentTransaction } from './eip155/receipt'
import { pollUntil } from './poll-until'

export type SentByNamespace =
  /**
   * `transaction` as sent. Without it, the chain is asked by hash, and misses a replacement of a transaction that it
   * never saw.
   */
  | { readonly namespace: 'eip155'; readonly hash: string; readonly transaction?: Omit<SentTransaction, 'hash'> }
  /** `hash` is the first signature; `transaction` is the wire form in base64 with the blockhash, signed or not. */
  | { readonly namespace: 'solana'; readonly hash: string; readonly transaction: string }
  /** `psbt` in base64; `address` owns the spent coins. */
  | { readonly namespace: 'bip122'; readonly hash: string; readonly address: string; readonly psbt?: string }

/** `hash` of the included transaction, perhaps a replacement. Null if unknown. */
export type TransactionEnd = { readonly hash: string | null } & (
  | { readonly kind: 'confirmed' }
  /** The fee is spent. `reason` from chain or contract, or null. */
  | { readonly kind: 'reverted'; readonly reason: string | null }
  /** Replaced by another fee (which succeeded), nothing, or something else. */
  | { readonly kind: 'repriced' | 'cancelled' | 'replaced' }
  /** Expired: never included. */
  | { readonly kind: 'dropped' }
)

type Wait = { readonly clock: Clock; readonly signal: AbortSignal }

/**
 * Polls every 4 s, for at most 180 s and through six failures in a row (spec §9); then `unknown`: it may still be
 * included. Rejects only with ABORTED.
 */
export async function followTransaction(
  client: ChainClient,
  sent: SentByNamespace,
  wait: Wait,
): Promise<TransactionEnd | { readonly kind: 'unknown'; readonly hash: string }> {
  const poll = createOutcomePoll(client, sent)
  try {
    return await pollUntil(() => poll(wait.signal), wait)
  } catch (thrown) {
    if (wait.signal.aborted) throw new Failure('ABORTED', { cause: thrown })
    return { kind: 'unknown', hash: sent.hash }
  }
}

/** Returns a stateful poll that resolves to null while pending. */
export function createOutcomePoll(
  client: ChainClient,
  sent: SentByNamespace,
): (signal: AbortSignal) => Promise<TransactionEnd | null> {
  switch (sent.namespace) {
    case 'eip155':
      return onEvm(client, sent)
    case 'solana':
      return onSolana(client, sent)
    case 'bip122':
      return onBitcoin(client, sent)
  }
}

type On<N extends SentByNamespace['namespace']> = Extract<SentByNamespace, { namespace: N }>

const Bytes = z.string().check(z.regex(/^0x([0-9a-fA-F]{2})*$/))
const Quantity = z.string().check(z.regex(/^0x[0-9a-fA-F]{1,64}$/))
const Known = z.nullable(
  z.object({ from: Bytes, nonce: Quantity, to: z.nullish(Bytes), value: Quantity, input: Bytes }),
)

function onEvm({ rpc }: ChainClient, { hash, transaction }: On<'eip155'>) {
  let known: SentTransaction | null = transaction === undefined ? null : { ...transaction, hash }

  async function read(signal: AbortSignal): Promise<SentTransaction | null> {
    const found = await askNode(rpc, Known, 'eth_getTransactionByHash', [hash], signal)
    if (found === null) return null
    const { from, nonce, to = null, value, input } = found
    return { hash, from, nonce: Number(nonce), to, value: BigInt(value), data: input }
  }

  return async (signal: AbortSignal): Promise<TransactionEnd | null> => {
    known ??= await read(signal)
    if (known === null) return null
    const outcome = await callOutcome(rpc, known, signal)
    if (outcome === null) return null
    if (outcome.kind === 'replaced') return { kind: outcome.reason, hash: outcome.hash }
    const { kind, receipt } = outcome
    const isOwn = receipt.transactionHash.toLowerCase() === hash.toLowerCase()
    const end = isOwn ? hash : receipt.transactionHash
    if (kind === 'confirmed') return { kind: isOwn ? 'confirmed' : 'repriced', hash: end }
    return { kind, reason: await revertReason(rpc, known, receipt, signal), hash: end }
  }
}

function onSolana({ rpc }: ChainClient, { hash, transaction }: On<'solana'>) {
  const loaded = import('./solana/outcome').then(({ solanaOutcome }) =>
    solanaOutcome(rpc, { signature: hash, transaction }),
  )
  // Each poll awaits `loaded` and gets its rejection.
  loaded.catch(() => undefined)
  return async (signal: AbortSignal): Promise<TransactionEnd | null> => {
    const found = await (await loaded)(signal)
    switch (found?.kind) {
      case undefined:
        return null
      case 'confirmed':
        return { kind: 'confirmed', hash }
      case 'failed':
        return { kind: 'reverted', reason: found.reason, hash }
      case 'expired':
        return { kind: 'dropped', hash }
    }
  }
}

function onBitcoin({ esplora }: ChainClient, { hash, address, psbt }: On<'bip122'>) {
  const loaded = import('./bip122/outcome').then(({ bitcoinOutcome }) =>
    bitcoinOutcome(esplora, { txid: hash, address, ...(psbt !== undefined && { psbt }) }),
  )
  // Each poll awaits `loaded` and gets its rejection.
  loaded.catch(() => undefined)
  return async (signal: AbortSignal): Promise<TransactionEnd | null> => {
    const found = await (await loaded)(signal)
    if (found === null) return null
    return { kind: found.kind, hash: found.kind === 'confirmed' ? hash : found.txid }
  }
}
