import { Failure } from '@postern/protocol/failure'
import type { Hex } from 'viem'
import type { Sender, Sent, SentNote } from './sent'

export type Found =
  | { readonly kind: 'included'; readonly isGood: boolean; readonly transactionHash: Hex }
  /** It may still be included. */
  | { readonly kind: 'waiting' }

export type Probe = {
  /** Of the same lane, from the chain. */
  next(nonce: bigint): Promise<bigint>
  find(hash: Hex): Promise<Found | null>
  /** Epoch seconds by the chain's clock. */
  now(): Promise<bigint>
}

/**
 * Prevents double payments: the nonce that the account's next request must use; null if any is free.
 *
 * A request may have been sent without a known outcome: the bundler stopped responding, the frame was reloaded, or the
 * wait ended. The caller received TRANSACTION_UNCONFIRMED or nothing, and may ask again. Both must never be executed:
 *
 * 1. A note is stored before sending and stays until the outcome is known. A negative response settles nothing: the
 *    bytes may still be used.
 * 2. While its nonce is unused, the next request uses it, whatever it is for. The chain accepts only one.
 * 3. While a bundler or node has it waiting, every other request is REQUEST_PENDING. Our own transactions are never
 *    replaced.
 * 4. Once its nonce is used, it may have been executed. The next request rejects once, before approval:
 *    TRANSACTION_REPLACED, with its hash. A request after that is meant again. Not reported if it reverted, or if a
 *    followed one used the nonce.
 * 5. When no block can include it any more and its nonce is unused, it is dropped.
 * 6. A followed request (its caller has the hash or id) blocks nothing.
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
