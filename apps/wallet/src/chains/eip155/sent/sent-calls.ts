/** Stored batches with the dapp's own id (EIP-5792). */
import { isSameAddress } from '@postern/chains/same-address'
import type { Hex } from 'viem'
import * as z from 'zod/mini'
import { EvmAddress, HexBytes } from '../endpoints/quantities'
import { callsFailure } from './calls-failure'
import { type CallsId, readCallsId, writeCallsId } from './calls-id'

export const SentCalls = z.object({
  /** The plain account. */
  owner: EvmAddress,
  origin: z.string(),
  id: z.string(),
  /** The wallet's own id (`calls-id.ts`). */
  callsId: HexBytes,
  /** Its caller was told that the node refused it. It has left the wallet, so a block may have it. */
  isRefused: z.optional(z.literal(true)),
  /** Earlier tries with other calls, all refused; a block may still have one of them. */
  refused: z.optional(z.array(HexBytes)),
})
export type SentCalls = z.infer<typeof SentCalls>
export type CallsKey = Pick<SentCalls, 'owner' | 'origin' | 'id'>
/**
 * Refused batches whose id a new one takes: the newest, the one that the new batch repeats (the same call with the same
 * nonce), and the others that a block may still have.
 */
export type EarlierCalls = { readonly newest: Hex; readonly repeated: Hex | null; readonly others: readonly Hex[] }
export type NewCalls = Omit<SentCalls, 'isRefused' | 'refused'> & { readonly earlier?: EarlierCalls | undefined }

export function hasId(calls: SentCalls, { owner, origin, id }: CallsKey): boolean {
  return isSameAddress(calls.owner, owner) && calls.origin === origin && calls.id === id
}

/** A batch grows; its first hash tells it from another with its id. */
export function withCalls(all: readonly SentCalls[], { earlier, ...next }: NewCalls): readonly SentCalls[] {
  const known = all.find((calls) => hasId(calls, next))
  const isFree =
    known === undefined ||
    isFirstOf(known.callsId.slice(0, 66), next) ||
    (known.isRefused === true && known.callsId === earlier?.newest)
  if (!isFree) throw callsFailure('duplicateId')
  const refused = earlier?.others ?? known?.refused ?? []
  const added = { ...next, ...(refused.length > 0 && { refused: [...refused] }) }
  return [...all.filter((calls) => calls !== known), added]
}

/** Another request sends the bytes of `hash`: no other batch has them any more. `isOwn`: a batch of that request. */
export function withBytes(
  all: readonly SentCalls[],
  hash: Hex,
  isOwn: (calls: SentCalls) => boolean,
): readonly SentCalls[] {
  return all.flatMap((calls) => (isOwn(calls) ? calls : (withoutHash(calls, hash) ?? [])))
}

function withoutHash(calls: SentCalls, hash: Hex): SentCalls | null {
  const ids = [calls.callsId, ...(calls.refused ?? [])]
  const left = ids.map((id) => idWithout(id, hash))
  if (left.every((id, at) => id === ids[at])) return calls
  const [callsId, ...refused] = left.flatMap((id) => id ?? [])
  return callsId === undefined ? null : { ...calls, callsId, refused, ...(left[0] === null && { isRefused: true }) }
}

/** The transactions before it are still of the batch; null if there are none. */
function idWithout(callsId: Hex, hash: Hex): Hex | null {
  const id = readCallsId(callsId)
  const at = id === null ? -1 : hashesIn(id).indexOf(hash)
  if (id === null || at === -1) return callsId
  return id.kind === 'operation' || at === 0 ? null : writeCallsId({ ...id, hashes: id.hashes.slice(0, at) })
}

/** Of the batch, and of its refused tries. */
export function allHashesOf({ callsId, refused = [] }: SentCalls): readonly Hex[] {
  return [callsId, ...refused].flatMap((text) => {
    const id = readCallsId(text)
    return id === null ? [] : hashesIn(id)
  })
}

function hashesIn(id: CallsId): readonly Hex[] {
  return id.kind === 'operation' ? [id.hash] : id.hashes
}

/** Of its transactions. An operation has one hash. */
export function isFirstOf(hash: string, { callsId }: Pick<SentCalls, 'callsId'>): boolean {
  return hash.toLowerCase() === callsId.slice(0, 66).toLowerCase()
}

export function repeats(calls: NewCalls | undefined, hash: Hex): boolean {
  const repeated = calls?.earlier?.repeated ?? null
  return repeated !== null && isFirstOf(hash, { callsId: repeated })
}
