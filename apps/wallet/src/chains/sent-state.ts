/** The state that the notes of every chain share. */

import type { Clock } from '@postern/base/clock'
import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'

export const sentState = {
  /** The caller received the hash or id. */
  isFollowed: z.boolean(),
  /**
   * `sending`: its frame waits for the node. `refused`: by the node. `outbid`: refused because another transaction has
   * its
   * nonce or coins. Absent: it may have arrived.
   */
  state: z.optional(z.enum(['sending', 'refused', 'outbid'])),
  /** Epoch ms. */
  sentAt: z.optional(z.int()),
  /** When the wallet first saw the decision. */
  decidedAt: z.optional(z.int()),
}
const SentState = z.object(sentState)
export type SentState = z.infer<typeof SentState>

/** A request of 10 s, then 25 s of polling. */
const inFlightMs = 60_000
/** Max reorganisation, and max lag of nodes. */
const lagMs = 600_000

/** Whether no block can have it, even a block that a node has not seen. Both in seconds of the chain's clock. */
export function isPastEnd(until: bigint, now: bigint): boolean {
  return now > until + BigInt(lagMs / 1_000)
}

/**
 * Per sender, oldest dropped: nodes hold no more per account (geth's AccountQueue). Undecided notes that are not followed
 * stay, against a double payment, and refused ones: a reorganisation may bring them back.
 */
const maxFollowed = 64

export type Judge = {
  isYoung(at: number | undefined, ageMs: number): boolean
  isInFlight(note: SentState): boolean
  /** Whether a lagging node or a reorganisation may hide it. */
  isRecent(note: SentState): boolean
  /** Whether its nonce or coins are in use, even if a node reports otherwise. */
  isTaken(note: SentState): boolean
  /** A decided note stays for a while, so that a reorganisation or a lagging node frees nothing. */
  isOver(note: SentState): boolean
}

/** `decidedMs`: how long a reorganisation may undo a decision. */
export function judgeBy(clock: Pick<Clock, 'now'>, decidedMs = lagMs): Judge {
  const isYoung = (at: number | undefined, ageMs: number) => at !== undefined && Math.abs(clock.now() - at) < ageMs
  const isRecent = ({ sentAt, decidedAt }: SentState) => isYoung(decidedAt ?? sentAt, lagMs)
  return {
    isYoung,
    isRecent,
    isInFlight: ({ state, sentAt }) => state === 'sending' && isYoung(sentAt, inFlightMs),
    isTaken: (note) => note.isFollowed || note.decidedAt !== undefined || (note.state === 'outbid' && isRecent(note)),
    isOver: ({ decidedAt }) => decidedAt !== undefined && !isYoung(decidedAt, decidedMs),
  }
}

/** A node that refused it may have it nevertheless. */
export function isRefused({ state }: SentState): boolean {
  return state === 'refused' || state === 'outbid'
}

/** Whether it may have arrived without its caller knowing. */
export function mayHaveArrived(note: SentState): boolean {
  return !note.isFollowed && !isRefused(note)
}

export function withoutOldest<T extends SentState>(notes: readonly T[], senderOf: (note: T) => string): readonly T[] {
  const newer = new Map<string, number>()
  const isKept = (note: T) => {
    if ((!note.isFollowed && note.decidedAt === undefined) || isRefused(note)) return true
    const count = newer.get(senderOf(note)) ?? 0
    newer.set(senderOf(note), count + 1)
    return count < maxFollowed
  }
  return notes.toReversed().filter(isKept).toReversed()
}

export function withState<T extends SentState>(
  { state: _, ...note }: T,
  more: Partial<SentState>,
): Omit<T, 'state'> & Partial<SentState> {
  return { ...note, ...more }
}

/** For a replacement that is refused before approval. */
export const notWaitingMessage = 'This wallet has no such transaction that waits'
export const alreadyCancelled = 'The user has cancelled this transaction'

export const replacedMessage = 'Another transaction of this account came first: send the request again'

/** Nodes would drop the other transaction for a replacement. */
export function heldElsewhere(cause?: unknown): Failure {
  return new Failure('TRANSACTION_REPLACED', {
    message: 'Another transaction of this account waits in its place, perhaps from another site or device',
    cause,
  })
}

export function carriedOut(sentHash: string, transactionHash?: string): Failure {
  return new Failure('TRANSACTION_REPLACED', {
    message:
      transactionHash === undefined
        ? 'An earlier request of this account may have been carried out after all: look at the account before you send it again'
        : 'An earlier request of this account was carried out after all: look at the account before you send it again',
    data: { sentHash, ...(transactionHash !== undefined && { transactionHash }) },
  })
}

export function stillPending(sentHash: string): Failure {
  return new Failure('REQUEST_PENDING', {
    message: 'An earlier request of this account is still under way: wait for it before you send another',
    data: { sentHash },
  })
}
