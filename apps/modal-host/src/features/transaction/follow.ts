import type { Clock } from '@postern/base/clock'
import type { ChainClient } from '@postern/chains/chain-client'
import { endOfCalls } from '@postern/chains/eip155/calls'
import { pollUntil } from '@postern/chains/nodes/poll-until'
import { createOutcomePoll } from '@postern/chains/outcomes/outcome'
import { parseCaipNetworkId } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { MoneyHost, TrackedTransaction } from '../../snapshot/money'
import { namespaceFeatures } from '../namespaces/namespaces'

export type Ended = Extract<TrackedTransaction['status'], { kind: 'ended' }>

export type Sent =
  | { readonly kind: 'transaction'; readonly hash: string }
  | { readonly kind: 'calls'; readonly id: string }

export type Follow = {
  readonly sent: Sent
  readonly from: string
  /** On Solana the request's params contain the blockhash. */
  readonly params: unknown
  readonly client: ChainClient
  readonly request: MoneyHost['request']
}

type Wait = { readonly clock: Clock; readonly signal: AbortSignal }

/**
 * Polls for the outcome.
 *
 * 1. Every 4 s for up to 180 s (spec §9); then `unknown`: it may still be included. Rejects with ABORTED only.
 */
export async function followTransaction(follow: Follow, wait: Wait): Promise<Ended> {
  const poll = lookFor(follow)
  try {
    return await pollUntil(() => poll(wait.signal), wait)
  } catch (thrown) {
    if (wait.signal.aborted) throw new Failure('ABORTED', { cause: thrown })
    const hash = follow.sent.kind === 'calls' ? null : follow.sent.hash
    return { kind: 'ended', hash, outcome: { kind: 'unknown' } }
  }
}

function lookFor(follow: Follow): (signal: AbortSignal) => Promise<Ended | null> {
  const { sent, client, request } = follow
  if (sent.kind === 'calls')
    return async (signal) => {
      const end = endOfCalls(await request('eip155', 'wallet_getCallsStatus', [sent.id], signal))
      return end && { kind: 'ended', ...end }
    }
  const { namespace } = parseCaipNetworkId(client.networkId)
  const poll = createOutcomePoll(client, namespaceFeatures[namespace].sent(sent.hash, follow))
  return async (signal) => {
    const end = await poll(signal)
    if (end === null) return null
    const { hash, ...outcome } = end
    return { kind: 'ended', hash, outcome }
  }
}
