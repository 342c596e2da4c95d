/** What the notes of everything that the wallet sends have in common. */

import type { Clock } from '@postern/protocol/clock'
import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'

export const sentState = {
  /** The caller received its hash or id; otherwise nothing, or that the outcome is unknown. */
  isFollowed: z.boolean(),
  /**
   * `sending`: its frame waits for the node. `refused`: the node refused it. `outbid`: it refused it because another
   * transaction uses the same nonce or coins. Otherwise it may have arrived.
   */
  state: z.optional(z.enum(['sending', 'refused', 'outbid'])),
  /** Epoch milliseconds by this device's clock. */
  sentAt: z.optional(z.int()),
  /** When the chain was first seen to have decided. */
  decidedAt: z.optional(z.int()),
}
const SentState = z.object(sentState)
export type SentState = z.infer<typeof SentState>

/** A broadcast ends by then, unless its frame has: a request of 10 s, then 25 s of looking for it. */
const inFlightMs = 60_000
/** Reorganisations, and nodes that lag, are over by then. */
const lagMs = 600_000

/**
 * Nothing that ends at `until` can be in a block, not even in one that a node or bundler has not seen yet. Both in seconds, by
 * the chain's clock.
 */
export function isPastEnd(until: bigint, now: bigint): boolean {
  return now > until + BigInt(lagMs / 1_000)
}

/**
 * Max notes of a sender whose caller has the hash; the oldest are dropped. Nodes hold no more of an account (geth's
 * AccountQueue). The others are the guard against a double payment.
 */
const maxFollowed = 64

export type Judge = {
  isYoung(at: number | undefined, ageMs: number): boolean
  /** Its frame still waits for the node. */
  isInFlight(note: SentState): boolean
  /** A node that lags, or a reorganisation, may still explain that the chain does not know it. */
  isRecent(note: SentState): boolean
  /** No other request may use its nonce or coins, although a node may report them as unused. */
  isTaken(note: SentState): boolean
  /** What the chain has decided stays for a while: neither a reorganisation nor a node that lags frees it. */
  isOver(note: SentState): boolean
}

/** `decidedMs`: how long a reorganisation may take back what the chain has decided. */
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

/** It may have arrived, and its caller does not know. */
export function isDoubtful({ isFollowed, state }: SentState): boolean {
  return !isFollowed && state !== 'refused' && state !== 'outbid'
}

/** `senderOf`: the network and account of a note. */
export function withoutOldest<T extends SentState>(notes: readonly T[], senderOf: (note: T) => string): readonly T[] {
  const newer = new Map<string, number>()
  const isKept = (note: T) => {
    if (!note.isFollowed && note.decidedAt === undefined) return true
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

/** Of a replacement that is refused before its approval. */
export const noneWaits = 'This wallet has no such transaction that waits'
export const alreadyCancelled = 'The user has cancelled this transaction'

export const cameFirst = 'Another transaction of this account came first: send the request again'

/** A replacement would make nodes drop the other transaction. */
export function heldElsewhere(cause?: unknown): Failure {
  return new Failure('TRANSACTION_REPLACED', {
    message: 'Another transaction of this account waits in its place, perhaps from another site or device',
    cause,
  })
}

/** `transactionHash`: of the transaction that carried it out, if the chain knows it. */
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
