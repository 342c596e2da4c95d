import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import { Psbt } from 'bitcoinjs-lib'
import type { ChainClient, EsploraClient } from '../chain-client'
import { hexOf } from '../hex'
import type { OutcomePoll } from '../outcomes/transaction-end'
import { parseBitcoinAddress } from './address'
import { type EsploraTransaction, readAddressTransactions, readTransaction } from './esplora'

/** `psbt`: base64. `address`: spent from. */
export type Sent = { readonly hash: string; readonly address: string; readonly psbt?: string }

export function outcomePoll({ esplora }: ChainClient, { hash, address, psbt }: Sent): OutcomePoll {
  const poll = bitcoinOutcome(esplora, { txid: hash, address, ...(psbt !== undefined && { psbt }) })
  return async (signal) => {
    const found = await poll(signal)
    if (found === null) return null
    return { kind: found.kind, hash: found.kind === 'confirmed' ? hash : found.txid }
  }
}

export type SentBitcoin = {
  readonly txid: string
  /** Signed, base64. Without it, the coins are unknown until an endpoint has seen the transaction. */
  readonly psbt?: string
  readonly address: string
}

/** `repriced`: same payments, other fee. `cancelled`: all back to the sender. */
export type BitcoinOutcome =
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'repriced' | 'cancelled' | 'replaced'; readonly txid: string }

/**
 * Polls a transaction; null means pending.
 *
 * 1. One confirmation is final.
 * 2. A transaction is replaced if it is not in the mempool and a confirmed one spends one of its coins.
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

/** Null for Esplora's own 404. */
export async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (thrown) {
    const { code, data } = asFailure(thrown)
    if (code !== 'INTERNAL') throw thrown
    if (typeof data === 'object' && data !== null && 'status' in data && data.status === 404) return null
    throw thrown
  }
}

/** `script`: hex. `value`: satoshis. */
type Payment = { readonly script: string; readonly value: bigint }

const coinsOf = ({ vin }: EsploraTransaction) => vin.map(({ txid, vout }) => `${txid}:${vout}`)

const paymentsOf = ({ vout }: EsploraTransaction): readonly Payment[] =>
  vout.map(({ scriptpubkey: script, value }) => ({ script, value }))

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

/** Ignores outputs to the sender, which a higher fee reduces. */
function reasonOf(
  payments: readonly Payment[],
  other: EsploraTransaction,
  address: string,
): 'repriced' | 'cancelled' | 'replaced' {
  const ownScript = hexOf(parseBitcoinAddress(address)?.script ?? new Uint8Array())
  const toOthers = (all: readonly Payment[]) =>
    all.flatMap(({ script, value }) => (script === ownScript ? [] : `${script}:${value}`)).sort()
  const [before, after] = [toOthers(payments), toOthers(paymentsOf(other))]
  if (before.join() === after.join()) return 'repriced'
  return after.length === 0 ? 'cancelled' : 'replaced'
}
