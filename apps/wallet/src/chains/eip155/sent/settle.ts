import { Failure } from '@postern/protocol/failure'
import type { Hex } from 'viem'
import { carriedOut, isPastEnd, mayHaveArrived, stillPending } from '../../sent-state'
import { hashesOf, isCancellation, keepsNonce, type Sender, type Sent, type SentNote } from './sent'

export type Found =
  | { readonly kind: 'included'; readonly isGood: boolean; readonly transactionHash: Hex }
  /** It may still be included. */
  | { readonly kind: 'waiting' }

type FoundHash = Found & { readonly hash: Hex }

export type Probe = {
  /** In the lane of `nonce`. */
  next(nonce: bigint): Promise<bigint>
  /** Whether a node has something with this nonce. */
  isHeld?(nonce: bigint): Promise<boolean>
  /** Whether unused, unknown nonces come before it. */
  isBeyondGap?(nonce: bigint): boolean
  find(hash: Hex): Promise<Found | null>
  /** The hash that a block has, for a bundler that does not know it. */
  findInBlocks?(note: SentNote): Promise<FoundHash | null>
  /** Epoch seconds of the chain's clock. */
  now(): Promise<bigint>
}

/**
 * Prevents double payments: the nonce that the account's next request must use; null if any is free.
 *
 * After a lost response, a reload or a timeout, the caller has TRANSACTION_UNCONFIRMED or nothing, and may repeat the
 * request. The chain must never execute both:
 *
 * 1. A note is stored before sending, until the outcome is known. A negative response settles nothing: the bytes may
 *    still be used.
 * 2. While a note's nonce is unused, the next request uses that nonce, whatever the request is for. The chain accepts
 *    only one.
 * 3. While a bundler or node has the transaction waiting, or its frame waits for the node, every other request is
 *    REQUEST_PENDING. Only the user replaces our transaction (`transactions/replace.ts`, `operations/replace.ts`).
 * 4. Once a note's nonce is used, its transaction may have been executed. The account's next request then fails before
 *    approval, once, in one tab, with TRANSACTION_REPLACED and that hash, so that the user can check. Exceptions: the
 *    transaction reverted; a followed one or the user's cancellation used the nonce; the node refused it, and neither
 *    node nor block knows it.
 * 5. A note is dropped when its nonce is unused, no block can include it any more, and no node may lag behind its end.
 * 6. A followed request (its caller has the hash or id) blocks nothing and keeps its nonce. But while an earlier one
 *    with that nonce may have arrived, or after the user replaced an unfollowed one, every other request is
 *    REQUEST_PENDING until the nonce is used.
 * 7. A nonce is not free if another site or device has used it: the node refused ours, or has another one waiting.
 * 8. A transaction beyond a gap in the nonces may wait for ever. Once no lagging node explains the gap, the next
 *    request is TRANSACTION_REPLACED, once, in one tab, because the transaction runs if the gap closes. Then its note
 *    is dropped.
 *
 * @throws {Failure} REQUEST_PENDING, TRANSACTION_REPLACED
 */
export async function requiredNonce(sender: Sender, sent: Sent, probe: Probe): Promise<bigint | null> {
  const notes = await sent.of(sender)
  let free: bigint | null = null
  for (const text of new Set(notes.map((note) => note.nonce))) {
    const nonce = BigInt(text)
    const rivals = notes.filter((note) => note.nonce === text)
    const flying = rivals.find(sent.isInFlight)
    if (flying !== undefined) throw stillPending(flying.hash)
    if ((await probe.next(nonce)) > nonce) await tellOutcome(rivals, sent, probe)
    else if (await isOver(rivals, probe)) await sent.forget(rivals)
    else if (probe.isBeyondGap?.(nonce) === true && !rivals.some(sent.isRecent)) await tellLost(rivals, sent, probe)
    else if (rivals.some(keepsNonce)) requireUndoubted(rivals)
    else if (await isFree(nonce, rivals, sent, probe)) free = free === null || nonce < free ? nonce : free
  }
  return free
}

/** Rule 6. @throws {Failure} REQUEST_PENDING */
function requireUndoubted(rivals: readonly SentNote[]): void {
  const doubtful = rivals.find(mayHaveArrived)
  if (doubtful !== undefined) throw stillPending(doubtful.hash)
}

/** Rule 8. @throws {Failure} TRANSACTION_REPLACED */
async function tellLost(rivals: readonly SentNote[], sent: Sent, probe: Probe): Promise<void> {
  const lost: SentNote[] = []
  for (const note of rivals)
    if (mayHaveArrived(note) || (!note.isFollowed && (await findAny(note, probe)) !== null)) lost.push(note)
  const [first] = await sent.forget(lost)
  if (first !== undefined) throw carriedOut(first.hash)
}

async function tellOutcome(rivals: readonly SentNote[], sent: Sent, probe: Probe): Promise<void> {
  const isAsked = !rivals.every(({ isFollowed }) => isFollowed)
  const found = isAsked
    ? await Promise.all(rivals.map(async (note) => ({ note, found: await findSettled(note, probe) })))
    : []
  // Rule 4.
  if ((await sent.decide(rivals)).length === 0) return
  const taken = found.find(({ found }) => found?.kind === 'included')
  if (taken?.found?.kind === 'included') {
    const { note, found } = taken
    if (note.isFollowed || !found.isGood || isCancellation(note, found.hash)) return
    // The caller knows now: the same call is meant again (`refused-calls.ts`).
    await sent.ended(note.hash)
    throw carriedOut(note.hash, found.transactionHash)
  }
  const doubtful = found.find(({ note, found }) => mayHaveArrived(note) || (!note.isFollowed && found !== null))
  if (doubtful === undefined) return
  await sent.ended(doubtful.note.hash)
  throw carriedOut(doubtful.note.hash)
}

/**
 * Rule 4: a block may have a refused transaction that the bundler never learns of. If unknown, it counts as waiting.
 * Nothing is decided for an aborted caller.
 */
async function findSettled(note: SentNote, probe: Probe): Promise<FoundHash | null> {
  const found = await findAny(note, probe)
  if (found !== null || note.isFollowed || mayHaveArrived(note) || probe.findInBlocks === undefined) return found
  try {
    return await probe.findInBlocks(note)
  } catch (error) {
    if (error instanceof Failure && error.code === 'ABORTED') throw error
    return { kind: 'waiting', hash: note.hash }
  }
}

async function isOver(rivals: readonly SentNote[], probe: Probe): Promise<boolean> {
  if (rivals.some(({ until }) => until === undefined)) return false
  const now = await probe.now()
  return rivals.every(({ until = 0 }) => isPastEnd(BigInt(until), now))
}

/** @throws {Failure} REQUEST_PENDING */
async function isFree(nonce: bigint, rivals: readonly SentNote[], sent: Sent, probe: Probe): Promise<boolean> {
  for (const note of rivals) if ((await findAny(note, probe)) !== null) throw stillPending(note.hash)
  const doubtful = rivals.find(mayHaveArrived)
  if ((await probe.isHeld?.(nonce)) === true) {
    // It may be ours, if the node lags.
    if (doubtful !== undefined) throw stillPending(doubtful.hash)
    return false
  }
  return !rivals.some((note) => note.state === 'outbid' && sent.isRecent(note))
}

/** Prefers one that a block has. */
async function findAny(note: SentNote, probe: Probe): Promise<FoundHash | null> {
  const all = await Promise.all(
    hashesOf(note).map(async (hash) => {
      const found = await probe.find(hash)
      return found === null ? [] : [{ ...found, hash }]
    }),
  )
  const found = all.flat()
  return found.find(({ kind }) => kind === 'included') ?? found[0] ?? null
}
