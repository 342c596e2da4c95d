/** How a transaction of Bitcoin ended: in a block, or replaced by another one that spends the same coins (BIP-125). */

import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import { Psbt } from 'bitcoinjs-lib'
import type { EsploraClient } from '../chain-client'
import { hexOf } from '../hex'
import { parseBitcoinAddress } from './address'
import { type EsploraTransaction, readAddressTransactions, readTransaction } from './esplora'

export type SentBitcoin = {
  readonly txid: string
  /** As it was signed, base64. Without it, what it spends is known once an endpoint has seen it. */
  readonly psbt?: string
  /** Whose coins it spends. */
  readonly address: string
}

/** `repriced`: the same payments with another fee. `cancelled`: all of it back to the sender. `replaced`: something else. */
export type BitcoinOutcome =
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'repriced' | 'cancelled' | 'replaced'; readonly txid: string }

/**
 * Answers null while it waits.
 *
 * 1. One confirmation ends it.
 * 2. It is replaced when it is not in the mempool, and one that spends the same coin is in a block: in the mempool either may still win.
 */
export function bitcoinOutcome(
  esplora: EsploraClient,
  { txid, psbt, address }: SentBitcoin,
): (signal: AbortSignal) => Promise<BitcoinOutcome | null> {
  let known = psbt === undefined ? null : readPsbt(psbt)
  return async (signal) => {
    const found = await orNull(readTransaction(esplora, txid, signal))
    if (found !== null) {
      known ??= { coins: coinsOf(found), payments: paymentsOf(found) }
      return found.status.confirmed ? { kind: 'confirmed' } : null
    }
    if (known === null) return null
    const { coins, payments } = known
    const others = await readAddressTransactions(esplora, address, signal)
    const other = others.find(
      (one) => one.txid !== txid && one.status.confirmed && coinsOf(one).some((coin) => coins.includes(coin)),
    )
    return other === undefined ? null : { kind: reasonOf(payments, other, address), txid: other.txid }
  }
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

const coinsOf = ({ vin }: EsploraTransaction) => vin.map(({ txid, vout }) => `${txid}:${vout}`)

const paymentsOf = ({ vout }: EsploraTransaction): readonly Payment[] =>
  vout.map(({ scriptpubkey: script, value }) => ({ script, value }))

/** The coins it spends, and what it pays. */
function readPsbt(psbt: string): { readonly coins: readonly string[]; readonly payments: readonly Payment[] } {
  const { txInputs, txOutputs } = parse(psbt)
  const coins = txInputs.map(({ hash, index }) => `${hexOf(Uint8Array.from(hash).reverse())}:${index}`)
  return { coins, payments: txOutputs.map(({ script, value }) => ({ script: hexOf(script), value })) }
}

function parse(psbt: string): Psbt {
  try {
    return Psbt.fromBase64(psbt)
  } catch (cause) {
    throw new Failure('INVALID_PARAMS', { cause })
  }
}

/** What comes back to the sender is no payment: a higher fee is taken from it. */
function reasonOf(
  asked: readonly Payment[],
  other: EsploraTransaction,
  address: string,
): 'repriced' | 'cancelled' | 'replaced' {
  const own = hexOf(parseBitcoinAddress(address)?.script ?? new Uint8Array())
  const toOthers = (all: readonly Payment[]) =>
    all.flatMap(({ script, value }) => (script === own ? [] : `${script}:${value}`)).sort()
  const [before, after] = [toOthers(asked), toOthers(paymentsOf(other))]
  if (before.join() === after.join()) return 'repriced'
  return after.length === 0 ? 'cancelled' : 'replaced'
}
