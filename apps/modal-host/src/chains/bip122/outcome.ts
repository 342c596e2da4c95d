/** How a transaction of Bitcoin ended: in a block, or replaced by another one that spends the same coins (BIP-125). */
import { Psbt } from 'bitcoinjs-lib'
import { asFailure } from '../../link/as-failure'
import { LinkFailure } from '../../link/failure'
import type { EsploraClient } from '../chain-client'
import { parseBitcoinAddress } from './address'
import { type EsploraTransaction, readAddressTransactions, readTransaction } from './esplora'

export type SentBitcoin = {
  readonly txid: string
  /** As it was signed, base64. */
  readonly psbt: string
  /** Whose coins it spends. */
  readonly address: string
}

/** `repriced`: the same payments with another fee. `cancelled`: all of it back to the sender. `replaced`: something else. */
export type BitcoinOutcome =
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'repriced' | 'cancelled' | 'replaced'; readonly txid: string }

/**
 * Null while it waits.
 *
 * 1. One confirmation ends it.
 * 2. It is replaced when it is not in the mempool, and one that spends the same coin is in a block: in the mempool either may still win.
 */
export async function bitcoinOutcome(
  esplora: EsploraClient,
  sent: SentBitcoin,
  signal: AbortSignal,
): Promise<BitcoinOutcome | null> {
  const found = await orNull(readTransaction(esplora, sent.txid, signal))
  if (found !== null) return found.status.confirmed ? { kind: 'confirmed' } : null
  const { coins, payments } = readPsbt(sent)
  const others = await readAddressTransactions(esplora, sent.address, signal)
  const other = others.find(
    ({ txid, status, vin }) =>
      txid !== sent.txid && status.confirmed && vin.some((input) => coins.has(`${input.txid}:${input.vout}`)),
  )
  return other === undefined ? null : { kind: reasonOf(payments, other, sent.address), txid: other.txid }
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

/** `script` in hexadecimal, `value` in satoshis. */
type Payment = { readonly script: string; readonly value: bigint }

/** The coins it spends, and what it pays. */
function readPsbt({ psbt }: SentBitcoin) {
  const { txInputs, txOutputs } = parse(psbt)
  const coins = new Set(txInputs.map(({ hash, index }) => `${hex(Uint8Array.from(hash).reverse())}:${index}`))
  const payments = txOutputs.map(({ script, value }) => ({ script: hex(script), value }))
  return { coins, payments }
}

function parse(psbt: string): Psbt {
  try {
    return Psbt.fromBase64(psbt)
  } catch (cause) {
    throw new LinkFailure('INVALID_PARAMS', { cause })
  }
}

/** What comes back to the sender is no payment: a higher fee is taken from it. */
function reasonOf(
  asked: readonly Payment[],
  { vout }: EsploraTransaction,
  address: string,
): 'repriced' | 'cancelled' | 'replaced' {
  const own = hex(parseBitcoinAddress(address)?.script ?? new Uint8Array())
  const toOthers = (all: readonly Payment[]) =>
    all.flatMap(({ script, value }) => (script === own ? [] : `${script}:${value}`)).sort()
  const [before, after] = [asked, vout.map(({ scriptpubkey: script, value }) => ({ script, value }))].map(toOthers)
  if (before?.join() === after?.join()) return 'repriced'
  return after?.length === 0 ? 'cancelled' : 'replaced'
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
