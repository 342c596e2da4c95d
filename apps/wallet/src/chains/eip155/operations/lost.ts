import { isSameAddress } from '@postern/chains/same-address'
import type { Hex } from 'viem'
import * as z from 'zod/mini'
import type { ChainContext } from '../../../contract'
import type { Accounts } from '../account/accounts'
import { safeContracts } from '../account/safe'
import { bundlerOf } from '../endpoints/endpoints'
import { hashesOf, keepsNonce, newestOf, type Sent, type SentNote } from '../sent/sent'
import { toWire } from './form'
import { operationProbe } from './nonce'
import { readSigned } from './signed'

/** Bundlers refuse a shorter validity (the reference bundler's `VALID_UNTIL_FUTURE_SECONDS`). */
const minValiditySeconds = 30n

export function isInTime({ until = 0 }: SentNote, now: bigint): boolean {
  return now + minValiditySeconds <= BigInt(until)
}

/**
 * Sends operations again that the bundler has lost, because no node has them. Never rejects: a bundler may accept later
 * what it refuses now.
 *
 * 1. The bundler knows neither the operation nor a replacement, the nonce is unused, and there is time left.
 * 2. The last version is sent. The same bytes are accepted once.
 * 3. An operation whose nonce the next request takes (`settle.ts`) is sent only if its caller waits (`awaited`).
 * 4. At most once a minute in this frame: the gateway counts operations.
 */
export async function sendLostAgain(
  { chainId, eoa, smart }: Accounts,
  context: ChainContext,
  sent: Sent,
  awaited?: Hex,
): Promise<void> {
  if (smart === null) return
  const sender = { chainId, account: smart }
  const bundler = bundlerOf(context)
  const probe = operationProbe(smart, context)

  async function sendIfLost(note: SentNote): Promise<void> {
    const nonce = BigInt(note.nonce)
    if (!isInTime(note, await probe.now()) || (await probe.next(nonce)) > nonce) return
    const found = await Promise.all(hashesOf(note).map((hash) => probe.find(hash)))
    if (found.some((one) => one !== null)) return
    const signed = note.replacements?.at(-1)?.signed ?? note.signed
    const read = signed && (await readSigned(signed, { chainId, hash: newestOf(note), owner: eoa }))
    if (!read || !isSameAddress(read.operation.sender, smart ?? '') || read.operation.nonce !== nonce) return
    const wire = toWire(read.operation, read.signature)
    await bundler('eth_sendUserOperation', [wire, safeContracts.entryPoint], z.unknown())
  }

  try {
    const notes = await sent.replaceable(sender)
    const waiting = notes.filter((note) => keepsNonce(note) || note.hash === awaited)
    await Promise.allSettled(waiting.filter(sent.isDueAgain).map(sendIfLost))
  } catch {
    // Storage failed.
  }
}
