/** What became of a transaction that a wallet sent, whatever wallet it was: known by its hash alone. */
import * as z from 'zod/mini'
import type { ChainClient } from '../../chains/chain-client'
import { revertReason, type SentTransaction, transactionOutcome } from '../../chains/eip155-receipt'
import { untilEnded } from '../../chains/until-ended'
import { asFailure } from '../../link/as-failure'
import { LinkFailure } from '../../link/failure'
import type { Clock } from '../../services/clock'
import type { TrackedTransaction } from '../contract'

export type Ended = Extract<TrackedTransaction['status'], { kind: 'confirmed' | 'reverted' | 'replaced' | 'unknown' }>

type Follow = {
  readonly hash: string
  /** Whose it is. */
  readonly from: string
  /** As it was asked for; Solana's blockhash is in it. */
  readonly params: unknown
  readonly client: ChainClient
}

/**
 * 1. Asked every 4 s, for 180 s at most (spec §9); then `unknown`: it may still come. Rejects with ABORTED alone.
 * 2. EVM: the nonce is the chain's word on the hash, so one that the chain never saw is `unknown`, not replaced.
 * 3. Solana: one whose blockhash grew too old is `replaced` by nothing: it will never come.
 * 4. Bitcoin: one confirmation ends it; a confirmed one that spends the same coin replaced it.
 */
export async function followTransaction(
  sent: Follow,
  wait: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Ended> {
  const namespace = sent.client.networkId.split(':')[0]
  const look = namespace === 'solana' ? onSolana(sent) : namespace === 'bip122' ? await onBitcoin(sent) : onEvm(sent)
  try {
    return await untilEnded(() => look(wait.signal), wait)
  } catch (thrown) {
    if (wait.signal.aborted) throw new LinkFailure('ABORTED', { cause: thrown })
    return { kind: 'unknown', hash: sent.hash }
  }
}

type Look = (signal: AbortSignal) => Promise<Ended | null>

const Bytes = z.string().check(z.regex(/^0x([0-9a-fA-F]{2})*$/))
const Quantity = z.string().check(z.regex(/^0x[0-9a-fA-F]+$/))
const Known = z.nullable(
  z.object({ from: Bytes, nonce: Quantity, to: z.nullish(Bytes), value: Quantity, input: Bytes }),
)

function onEvm({ hash, client: { rpc } }: Follow): Look {
  let known: SentTransaction | null = null
  return async (signal) => {
    if (known === null) {
      const found = parse(Known, await rpc.request({ method: 'eth_getTransactionByHash', params: [hash] }, signal))
      if (found === null) return null
      const { from, nonce, to = null, value, input } = found
      known = { hash, from, nonce: Number(nonce), to, value: BigInt(value), data: input }
    }
    const outcome = await transactionOutcome(rpc, known, signal)
    if (outcome === null) return null
    if (outcome.kind === 'confirmed') return { kind: 'confirmed', hash }
    if (outcome.kind === 'replaced') return { kind: 'replaced', hash: outcome.hash ?? hash, reason: outcome.reason }
    const reason = await revertReason(rpc, known, outcome.receipt, signal)
    return { kind: 'reverted', hash, ...(reason !== null && { reason }) }
  }
}

const SolanaParams = z.object({ transaction: z.string() })

function onSolana({ hash, params, client: { rpc } }: Follow): Look {
  const asked = SolanaParams.safeParse(params)
  return async (signal) => {
    if (!asked.success) throw new LinkFailure('INVALID_PARAMS')
    const { solanaOutcome } = await import('../../chains/solana/outcome')
    const found = await solanaOutcome(rpc, { signature: hash, transaction: asked.data.transaction }, signal)
    if (found === null) return null
    if (found.kind === 'confirmed') return { kind: 'confirmed', hash }
    return found.kind === 'failed'
      ? { kind: 'reverted', hash, reason: found.reason }
      : { kind: 'replaced', hash, reason: 'cancelled' }
  }
}

async function onBitcoin({ hash, from, client: { esplora } }: Follow): Promise<Look> {
  const { readAddressTransactions, readTransaction } = await import('../../chains/bip122/esplora')
  let coins: ReadonlySet<string> | null = null
  return async (signal) => {
    const found = await orNull(readTransaction(esplora, hash, signal))
    if (found !== null) {
      coins = new Set(found.vin.map(({ txid, vout }) => `${txid}:${vout}`))
      return found.status.confirmed ? { kind: 'confirmed', hash } : null
    }
    if (coins === null) return null
    const spent = coins
    const others = await readAddressTransactions(esplora, from, signal)
    const other = others.find(
      ({ txid, status, vin }) =>
        txid !== hash && status.confirmed && vin.some((input) => spent.has(`${input.txid}:${input.vout}`)),
    )
    return other === undefined ? null : { kind: 'replaced', hash: other.txid, reason: 'replaced' }
  }
}

/** What the endpoint does not know (404) is null. */
async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (thrown) {
    const { data } = asFailure(thrown)
    if (typeof data === 'object' && data !== null && 'status' in data && data.status === 404) return null
    throw thrown
  }
}

function parse<T>(schema: z.ZodMiniType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer)
  if (!parsed.success) throw new LinkFailure('INTERNAL', { cause: parsed.error })
  return parsed.data
}
