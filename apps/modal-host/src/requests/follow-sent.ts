import type { Clock } from '@postern/base/clock'
import type { ChainClient } from '@postern/chains/chain-client'
import { endOfCalls } from '@postern/chains/eip155/calls'
import { parseAnswer } from '@postern/chains/nodes/ask-node'
import { pollUntil } from '@postern/chains/nodes/poll-until'
import { readCancelled } from '@postern/chains/outcomes/cancelled'
import { createOutcomePoll, type SentByNamespace } from '@postern/chains/outcomes/outcome'
import type { CaipNetworkId } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import * as z from 'zod/mini'
import type { AskWallet } from '../connectors/embedded/wallet-frame/wallet-frame'
import type { SentOutcome } from '../snapshot/contract'
import type { Sent } from './sent/sent'

export type Ended = { readonly outcome: SentOutcome; readonly hash: string | null }

export type FollowOptions = {
  readonly networkId: CaipNetworkId
  /** A gateway client: a dapp's endpoint could report anything. */
  readonly client: ChainClient
  /** Reaches the bundler. */
  readonly ask: AskWallet
  readonly clock: Clock
  readonly signal: AbortSignal
}

export type FollowSent = (sent: Sent, options: FollowOptions) => Promise<Ended>

/**
 * Waits for the outcome: every 4 s, for at most 180 s, with up to six failures in a row (spec §9).
 *
 * 1. The outcome is the chain's, or the wallet frame's for bundler operations.
 * 2. A wait without a result ends as `unknown`: the transaction may still be included. Rejects only with ABORTED.
 */
export const followSent: FollowSent = async (sent, options) => {
  const look = lookFor(sent, options)
  try {
    return await pollUntil(look, options)
  } catch (thrown) {
    if (options.signal.aborted) throw new Failure('ABORTED', { cause: thrown })
    return { outcome: { kind: 'unknown' }, hash: sent.hash }
  }
}

type Look = () => Promise<Ended | null>

function lookFor(sent: Sent, options: FollowOptions): Look {
  switch (sent.kind) {
    case 'included':
      return async () => ({ outcome: { kind: 'confirmed' }, hash: sent.hash })
    case 'operation':
      return () => lookForOperation(sent, options)
    case 'calls':
      return () => lookForCalls(sent, options)
    case 'transaction':
      return lookAtChain(sent.sent, options)
  }
}

function lookAtChain(sent: SentByNamespace, { client, signal }: FollowOptions): Look {
  const look = createOutcomePoll(client, sent)
  return async () => {
    const end = await look(signal)
    if (end === null) return null
    const { hash, ...outcome } = end
    return { outcome, hash }
  }
}

type Of<K extends Sent['kind']> = Extract<Sent, { kind: K }>

const Hash = z.string().check(z.regex(/^0x[0-9a-fA-F]{64}$/))
const OperationReceipt = z.nullable(
  z.object({ userOpHash: z.optional(Hash), success: z.boolean(), receipt: z.object({ transactionHash: Hash }) }),
)

/** The wallet reports a speed-up by its own hash, and a cancellation as a failure. */
async function lookForOperation(
  { id }: Of<'operation'>,
  { ask, networkId, signal }: FollowOptions,
): Promise<Ended | null> {
  const request = { method: 'eth_getUserOperationReceipt', params: [id], networkId }
  try {
    const receipt = parseAnswer(OperationReceipt, await ask('RPC_REQUEST', request, { signal }))
    if (receipt === null) return null
    const { success, userOpHash = id } = receipt
    const isSame = userOpHash.toLowerCase() === id.toLowerCase()
    const outcome: SentOutcome = success
      ? { kind: isSame ? 'confirmed' : 'repriced' }
      : { kind: 'reverted', reason: null }
    return { outcome, hash: receipt.receipt.transactionHash }
  } catch (thrown) {
    const cancellation = readCancelled(asFailure(thrown))
    if (cancellation === null) throw thrown
    return { outcome: { kind: 'cancelled' }, hash: cancellation.transactionHash }
  }
}

async function lookForCalls({ id }: Of<'calls'>, { ask, networkId, signal }: FollowOptions): Promise<Ended | null> {
  const request = { method: 'wallet_getCallsStatus', params: [id], networkId }
  return endOfCalls(await ask('RPC_REQUEST', request, { signal }))
}
