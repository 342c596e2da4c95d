import type { Account, CaipNetworkId } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import * as z from 'zod/mini'
import type { EsploraClient } from '../chain-client'
import { unconfirmed } from '../outcomes/unconfirmed'
import { type BitcoinAddress, isAddressOn, parseBitcoinAddress } from './address'
import { type Coin, type FeeRate, isDust, maxInputs, mayCarryCollectible, type Selection, selectCoins } from './coins'
import {
  type FeeEstimates,
  maxMoney,
  postTransaction,
  readFeeEstimates,
  readRawTransaction,
  readTransaction,
  readUtxos,
  type Utxo,
} from './esplora'
import { type Finished, finishPsbt, spenderOf, writePsbt } from './psbt'

export type Transfer = {
  readonly networkId: CaipNetworkId
  readonly sender: Account
  readonly recipientAddress: string
  /** Satoshis. */
  readonly amount: bigint
  /** Default: the sender's. */
  readonly changeAddress?: string | undefined
  /** Satoshis per vbyte. Default: estimated. */
  readonly feeRate?: number | undefined
}

export type SignPsbt = (
  request: {
    readonly psbt: string
    readonly signInputs: readonly { readonly index: number; readonly address: string }[]
  },
  signal: AbortSignal,
) => Promise<{ readonly psbt: string }>

export type Outpoint = `${string}:${number}`

/** Demands of the sender's earlier transactions. */
export type CoinUse = {
  /** Spent by them, perhaps unknown to the endpoint. */
  readonly inUse: ReadonlySet<Outpoint>
  /** Coins of each that must not be mined too: the new one spends one coin of each. */
  readonly shared: readonly (readonly Outpoint[])[]
}

export type TransferDependencies = { readonly esplora: EsploraClient; readonly signPsbt: SignPsbt }

const targetBlocks = 2
/** Relay minimum, in satoshis per 1,000 vbytes. */
const minRelayFeeRate: FeeRate = 1_000n
/** Satoshis per 1,000 vbytes. A higher estimate is an error or an attack. */
const maxFeeRateEstimate: FeeRate = 2_000_000n
const maxConcurrentRequests = 8

/**
 * Sends a transfer that the wallet signs.
 *
 * 1. Only the sender's payment address is spent from; an ordinals account is rejected.
 * 2. Addresses must be on the network, and the amount above dust. Otherwise INVALID_ADDRESS or INVALID_PARAMS before
 *    any request.
 * 3. Coins that may carry a collectible are spent last. The only unconfirmed coins spent are the sender's change.
 * 4. INSUFFICIENT_FUNDS if coins do not cover amount and fee. REQUEST_PENDING if they will once an earlier transaction
 *    is known, or if a transaction to replace has no coin left.
 * 5. The wallet signs exactly this transaction, or nothing is sent ({@link finishPsbt}).
 * 6. The result is the locally computed id. A failed broadcast counts as sent if the chain knows the transaction.
 *    Without a response: TRANSACTION_UNCONFIRMED.
 */
export async function sendTransfer(
  transfer: Transfer,
  { esplora, signPsbt }: TransferDependencies,
  signal: AbortSignal,
): Promise<{ txid: string }> {
  const composed = await composeTransfer(transfer, esplora, signal)
  const signed = await signPsbt(composed, signal)
  return broadcast(esplora, finishPsbt(composed.psbt, signed.psbt), signal)
}

const nothingInUse: CoinUse = { inUse: new Set(), shared: [] }

/** Unsigned PSBT (base64), by rules 1 to 4 of {@link sendTransfer}. */
export async function composeTransfer(
  transfer: Transfer,
  esplora: EsploraClient,
  signal: AbortSignal,
  { inUse, shared }: CoinUse = nothingInUse,
): Promise<Parameters<SignPsbt>[0]> {
  const { networkId, sender, amount } = transfer
  if (sender.type !== 'payment') throw new Failure('UNAUTHORIZED')
  const from = addressOn(networkId, sender.address)
  const recipient = addressOn(networkId, transfer.recipientAddress)
  const change = transfer.changeAddress === undefined ? from : addressOn(networkId, transfer.changeAddress)
  if (amount > maxMoney || isDust(amount, recipient.kind))
    throw new Failure('INVALID_PARAMS', { message: 'The amount is not one that can be sent' })
  const spender = spenderOf(from, sender.publicKey)

  const [listed, feeRate] = await Promise.all([
    readUtxos(esplora, from.address, signal),
    transfer.feeRate === undefined ? estimatedFeeRate(esplora, signal) : feeRateFrom(transfer.feeRate),
  ])
  const utxos = listed.filter((utxo) => !inUse.has(outpointOf(utxo)))
  const again = shared.map((coins) => {
    const one = utxos.find((utxo) => coins.includes(outpointOf(utxo)))
    if (one === undefined) throw new Failure('REQUEST_PENDING')
    return one
  })
  const required = [...new Set(again)].map(toCoin)
  const select = (coins: readonly Coin[]) =>
    selectCoins({ coins, required, kind: spender.kind, amount, feeRate, recipientScript: recipient.script, change })
  const confirmed = utxos.filter(({ status }) => status.confirmed).map(toCoin)
  const selection =
    select(confirmed.filter((coin) => !mayCarryCollectible(coin))) ??
    select([...confirmed, ...(await ownChange(esplora, from.address, utxos, signal))])
  if (selection === null) throw new Failure(utxos.length < listed.length ? 'REQUEST_PENDING' : 'INSUFFICIENT_FUNDS')

  const previous = spender.kind === 'p2pkh' ? await rawTransactions(esplora, selection.coins, signal) : new Map()
  const outputs = [{ script: recipient.script, value: amount }, ...changeOutput(selection, change)]
  const psbt = writePsbt(spender, selection.coins, outputs, (txid) => previous.get(txid))
  return { psbt, signInputs: selection.coins.map((_, index) => ({ index, address: from.address })) }
}

/** `requested`: what the wallet got. */
export async function sendSigned(
  requested: string,
  signed: string,
  esplora: EsploraClient,
  signal: AbortSignal,
): Promise<{ txid: string }> {
  return broadcast(esplora, finishPsbt(requested, signed), signal)
}

export async function broadcast(
  esplora: EsploraClient,
  { hex, txid }: Finished,
  signal: AbortSignal,
): Promise<{ txid: string }> {
  try {
    await postTransaction(esplora, hex, signal)
  } catch (thrown) {
    const isKnown = await readTransaction(esplora, txid, signal).then(
      (found) => found.txid === txid,
      () => false,
    )
    if (isKnown) return { txid }
    const failure = asFailure(thrown)
    throw isSilence(failure) ? unconfirmed({ sentHash: txid }, failure) : failure
  }
  return { txid }
}

const Refusal = z.object({ status: z.int().check(z.gte(400), z.lt(500)) })

/** No response, as opposed to a rejection. */
function isSilence({ code, data }: Failure): boolean {
  if (code !== 'TIMEOUT' && code !== 'NETWORK_UNREACHABLE' && code !== 'INTERNAL') return false
  const refusal = Refusal.safeParse(data)
  return !refusal.success || refusal.data.status === tooManyRequests
}

const tooManyRequests = 429

function addressOn(networkId: CaipNetworkId, text: string): BitcoinAddress {
  const address = parseBitcoinAddress(text)
  if (address === undefined || !isAddressOn(address, networkId)) throw new Failure('INVALID_ADDRESS')
  return address
}

/** @throws {Failure} INTERNAL if not believable */
export async function estimatedFeeRate(esplora: EsploraClient, signal: AbortSignal): Promise<FeeRate> {
  const feeRate = feeRateFrom(nearest(await readFeeEstimates(esplora, signal)))
  if (feeRate > maxFeeRateEstimate)
    throw new Failure('INTERNAL', { message: 'The endpoint’s fee estimate is not believable' })
  return feeRate
}

/** For two blocks, else the next longer target, else the longest; 0 if none (regtest). */
function nearest(estimates: FeeEstimates): number {
  const targets = Object.keys(estimates)
    .map(Number)
    .sort((left, right) => left - right)
  const target = targets.find((blocks) => blocks >= targetBlocks) ?? targets.at(-1)
  return target === undefined ? 0 : (estimates[target] ?? 0)
}

/** Rounded up, at least the relay minimum. */
function feeRateFrom(satoshisPerByte: number): FeeRate {
  const feeRate = BigInt(Math.ceil(satoshisPerByte * 1000))
  return feeRate < minRelayFeeRate ? minRelayFeeRate : feeRate
}

export function outpointOf({ txid, vout }: Pick<Coin, 'txid' | 'vout'>): Outpoint {
  return `${txid}:${vout}`
}

export function toCoin({ txid, vout, value, status }: Utxo): Coin {
  return { txid, vout, value, isConfirmed: status.confirmed }
}

/** Coins of transactions with only the sender's inputs, which no one else can replace. */
export async function ownChange(
  esplora: EsploraClient,
  address: string,
  utxos: readonly Utxo[],
  signal: AbortSignal,
): Promise<readonly Coin[]> {
  const waiting = utxos.filter(({ status }) => !status.confirmed).slice(0, maxInputs)
  const isOwn = await byId(waiting, async (txid) => {
    const { vin } = await readTransaction(esplora, txid, signal)
    return vin.length > 0 && vin.every(({ prevout }) => prevout?.scriptpubkey_address === address)
  })
  return waiting.filter(({ txid }) => isOwn.get(txid)).map(toCoin)
}

function rawTransactions(
  esplora: EsploraClient,
  coins: readonly Coin[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  return byId(coins, (txid) => readRawTransaction(esplora, txid, signal))
}

async function byId<T>(of: readonly { txid: string }[], ask: (txid: string) => Promise<T>): Promise<Map<string, T>> {
  const ids = [...new Set(of.map(({ txid }) => txid))]
  const answers = new Map<string, T>()
  for (let start = 0; start < ids.length; start += maxConcurrentRequests)
    await Promise.all(ids.slice(start, start + maxConcurrentRequests).map(async (id) => answers.set(id, await ask(id))))
  return answers
}

function changeOutput({ change }: Selection, { script }: BitcoinAddress) {
  return change === null ? [] : [{ script, value: change }]
}
