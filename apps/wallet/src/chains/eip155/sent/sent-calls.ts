/** Batches with the dapp's own id (EIP-5792), as stored. */
import { isSameAddress } from '@postern/chains/same-address'
import type { Hex } from 'viem'
import * as z from 'zod/mini'
import { EvmAddress, HexBytes } from '../endpoints/quantities'
import { callsFailure } from './calls-failure'

export const SentCalls = z.object({
  /** The plain account. */
  owner: EvmAddress,
  origin: z.string(),
  id: z.string(),
  /** The wallet's own id (`calls-id.ts`). */
  callsId: HexBytes,
  /** Its caller was told that the node refused it. It has left the wallet, so a block may have it. */
  isRefused: z.optional(z.literal(true)),
})
export type SentCalls = z.infer<typeof SentCalls>
export type CallsKey = Pick<SentCalls, 'owner' | 'origin' | 'id'>
/** A refused batch whose id a new one takes. `isRepeated`: by the same call, with the same nonce. */
export type EarlierCalls = { readonly callsId: Hex; readonly isRepeated: boolean }
export type NewCalls = Omit<SentCalls, 'isRefused'> & { readonly earlier?: EarlierCalls | undefined }

export function hasId(calls: SentCalls, { owner, origin, id }: CallsKey): boolean {
  return isSameAddress(calls.owner, owner) && calls.origin === origin && calls.id === id
}

/** A batch grows; its first hash tells it from another with its id. */
export function withCalls(all: readonly SentCalls[], { earlier, ...next }: NewCalls): readonly SentCalls[] {
  const known = all.find((calls) => hasId(calls, next))
  const isFree =
    known === undefined ||
    isFirstOf(known.callsId.slice(0, 66), next) ||
    (known.isRefused === true && known.callsId === earlier?.callsId)
  if (!isFree) throw callsFailure('duplicateId')
  return [...all.filter((calls) => calls !== known), next]
}

/** Of its transactions. An operation has one hash. */
export function isFirstOf(hash: string, { callsId }: Pick<SentCalls, 'callsId'>): boolean {
  return hash.toLowerCase() === callsId.slice(0, 66).toLowerCase()
}

export function repeats(calls: NewCalls | undefined, hash: Hex): boolean {
  return calls?.earlier?.isRepeated === true && isFirstOf(hash, calls.earlier)
}
