import type { ReplacementKind } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { alreadyCancelled, notWaitingMessage } from '../../sent-state'
import type { Sender, Sent, SentNote } from './sent'

/**
 * `hash`: of the first version. `requireNonce` rejects if the nonce is taken.
 * @throws {Failure} INVALID_PARAMS if no such note waits, or for a speed-up of a cancellation, which would revive the
 * payment
 */
export async function findReplaceable(
  sent: Pick<Sent, 'find' | 'replaceable'>,
  sender: Sender,
  { hash, kind }: { readonly hash: string; readonly kind: ReplacementKind },
  requireNonce: (note: SentNote) => Promise<void>,
): Promise<SentNote> {
  const note = await sent.find(sender, hash)
  if (note === null) throw nothingWaits()
  await requireNonce(note)
  if (!(await sent.replaceable(sender)).some((one) => one.hash === note.hash)) throw nothingWaits()
  if (kind === 'speedUp' && note.replacements?.at(-1)?.kind === 'cancel')
    throw new Failure('INVALID_PARAMS', { message: alreadyCancelled })
  return note
}

export function nothingWaits(): Failure {
  return new Failure('INVALID_PARAMS', { message: notWaitingMessage })
}
