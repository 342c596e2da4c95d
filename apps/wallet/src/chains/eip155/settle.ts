/** Nothing is paid twice: what becomes of whatever was sent and seemed to fail. */

import { Failure } from '@postern/protocol/failure'
import type { Hex } from 'viem'
import type { Sender, Sent, SentNote } from './sent'

/** What can be found out of something that was sent. */
export type Found =
  | { readonly kind: 'included'; readonly isGood: boolean; readonly transactionHash: Hex }
  /** Somebody has it, and may still bring it to a block. */
  | { readonly kind: 'waiting' }

export type Probe = {
  /** The next nonce, of the same lane, by the chain's word. */
  next(nonce: bigint): Promise<bigint>
  find(hash: Hex): Promise<Found | null>
  /** Epoch seconds by the chain's clock. */
  now(): Promise<bigint>
}

/**
 * The nonce that the next thing of an account has to take; null where it is free to take any.
 *
 * Something may be sent of which nobody knows whether it arrived: the bundler fell silent, the frame was reloaded, the wait for its receipt ended. Whoever asked for it was told that
 * nobody knows (TRANSACTION_UNCONFIRMED), or nothing, and may ask again. Both must never be carried out:
 *
 * 1. It is noted before it leaves, and the note stays until its outcome is known. An answer that says no settles nothing: who has the bytes may use them.
 * 2. While its nonce is unused, the next one has this nonce, whatever it is for. The chain takes one of them at most.
 * 3. While somebody has it waiting, nothing else is asked for: REQUEST_PENDING. Nothing of ours is ever replaced.
 * 4. Once its nonce is used it may have been carried out. That is said once, before anything is shown: TRANSACTION_REPLACED, with its hash. Whoever then asks again wants it again.
 *    It is not said of what was carried out in vain, nor where the nonce went to another that its asker follows.
 * 5. When no block takes it any more and its nonce is unused, it is forgotten.
 * 6. What its asker follows (who was given its hash or id) binds nobody: others take other nonces.
 *
 * @throws {Failure} REQUEST_PENDING, TRANSACTION_REPLACED
 */
export async function settle(sender: Sender, sent: Sent, probe: Probe): Promise<bigint | null> {
  const notes = await sent.of(sender)
  const open = [...new Set(notes.filter(({ isFollowed }) => !isFollowed).map(({ nonce }) => nonce))]
  let free: bigint | null = null
  for (const nonce of open) {
    const rivals = notes.filter((note) => note.nonce === nonce)
    if ((await probe.next(BigInt(nonce))) > BigInt(nonce)) await tellOutcome(rivals, sent, probe)
    else if (await isOver(rivals, probe)) await sent.forget(rivals)
    else {
      await requireNoneWaiting(rivals, probe)
      free ??= BigInt(nonce)
    }
  }
  return free
}

async function tellOutcome(rivals: readonly SentNote[], sent: Sent, probe: Probe): Promise<void> {
  const found = await Promise.all(rivals.map(async (note) => ({ note, found: await probe.find(note.hash) })))
  await sent.forget(rivals)
  const taken = found.find(({ found }) => found?.kind === 'included')
  if (taken?.found?.kind === 'included' && (taken.note.isFollowed || !taken.found.isGood)) return
  const hash = taken?.note.hash ?? rivals.find(({ isFollowed }) => !isFollowed)?.hash
  const transactionHash = taken?.found?.kind === 'included' ? taken.found.transactionHash : undefined
  throw new Failure('TRANSACTION_REPLACED', {
    message:
      transactionHash === undefined
        ? 'An earlier request of this account may have been carried out after all: look at the account before you send it again'
        : 'An earlier request of this account was carried out after all: look at the account before you send it again',
    data: { sentHash: hash, ...(transactionHash !== undefined && { transactionHash }) },
  })
}

async function isOver(rivals: readonly SentNote[], probe: Probe): Promise<boolean> {
  const now = await probe.now()
  return rivals.every(({ until }) => now > BigInt(until))
}

async function requireNoneWaiting(rivals: readonly SentNote[], probe: Probe): Promise<void> {
  for (const { hash } of rivals) {
    if ((await probe.find(hash)) === null) continue
    throw new Failure('REQUEST_PENDING', {
      message: 'An earlier request of this account is still under way: wait for it before you send another',
      data: { sentHash: hash },
    })
  }
}
