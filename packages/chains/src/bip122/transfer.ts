/** A transfer of bitcoin that a wallet only signs: coins, fee, PSBT and broadcast are made here. */
import type { Account, CaipNetworkId } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import * as z from 'zod/mini'
import type { EsploraClient } from '../chain-client'
import { unconfirmed } from '../unconfirmed'
import { type BitcoinAddress, isAddressOn, parseBitcoinAddress } from './address'
import { type Coin, type FeeRate, isDust, mostInputs, type Selection, selectCoins } from './coins'
import {
  type FeeEstimates,
  maximumMoney,
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
  /** The sender's address where absent. */
  readonly changeAddress?: string | undefined
  /** Satoshis per virtual byte; the chain's estimate where absent. */
  readonly feeRate?: number | undefined
}

export type SignPsbt = (
  request: {
    readonly psbt: string
    readonly signInputs: readonly { readonly index: number; readonly address: string }[]
  },
  signal: AbortSignal,
) => Promise<{ readonly psbt: string }>

export type TransferDependencies = { readonly esplora: EsploraClient; readonly signPsbt: SignPsbt }

/** A transfer should be in one of the next two blocks. */
const targetBlocks = 2
/** Satoshis per 1,000 virtual bytes. Nodes relay nothing below one satoshi a byte. */
const lowestFeeRate: FeeRate = 1_000n
/** No estimate has ever come near: one above is a mistake or an attack, and is not paid. */
const highestEstimate: FeeRate = 2_000_000n
/** Whole transactions fetched at once. */
const atOnce = 8

/**
 * 1. Only the sender's own payment address is spent from: an account of ordinals is refused.
 * 2. Addresses must be of the network; the amount must be above the dust limit. INVALID_ADDRESS and INVALID_PARAMS before anybody is asked.
 * 3. Unconfirmed coins are spent last, and only those that the sender sent to themselves: change of an earlier transfer.
 * 4. Coins that do not suffice for amount and fee are INSUFFICIENT_FUNDS.
 * 5. The wallet signs exactly this, or nothing is sent ({@link finishPsbt}).
 * 6. The answer is the id that was computed here. An endpoint that fails although the chain knows the transaction afterwards has sent it. One that gave no answer may
 *    have: then it is TRANSACTION_UNCONFIRMED, and no failure.
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

/** Coins, fee and outputs of a transfer as a PSBT (base64), by the rules 1 to 4 of {@link sendTransfer}. Nobody is asked to sign it yet. */
export async function composeTransfer(
  transfer: Transfer,
  esplora: EsploraClient,
  signal: AbortSignal,
): Promise<Parameters<SignPsbt>[0]> {
  const { networkId, sender, amount } = transfer
  if (sender.type !== 'payment') throw new Failure('UNAUTHORIZED')
  const from = addressOn(networkId, sender.address)
  const recipient = addressOn(networkId, transfer.recipientAddress)
  const change = transfer.changeAddress === undefined ? from : addressOn(networkId, transfer.changeAddress)
  if (amount > maximumMoney || isDust(amount, recipient.kind))
    throw new Failure('INVALID_PARAMS', { message: 'The amount is not one that can be sent' })
  const spender = spenderOf(from, sender.publicKey)

  const [utxos, feeRate] = await Promise.all([
    readUtxos(esplora, from.address, signal),
    transfer.feeRate === undefined ? estimatedFeeRate(esplora, signal) : feeRateFrom(transfer.feeRate),
  ])
  const select = (coins: readonly Coin[]) =>
    selectCoins({ coins, kind: spender.kind, amount, feeRate, recipientScript: recipient.script, change })
  const confirmed = utxos.filter(({ status }) => status.confirmed).map(toCoin)
  const selection =
    select(confirmed) ?? select([...confirmed, ...(await ownChange(esplora, from.address, utxos, signal))])
  if (selection === null) throw new Failure('INSUFFICIENT_FUNDS')

  const previous = spender.kind === 'p2pkh' ? await rawTransactions(esplora, selection.coins, signal) : new Map()
  const outputs = [{ script: recipient.script, value: amount }, ...changeOutput(selection, change)]
  const psbt = writePsbt(spender, selection.coins, outputs, (txid) => previous.get(txid))
  return { psbt, signInputs: selection.coins.map((_, index) => ({ index, address: from.address })) }
}

/** Sends what a dapp asked a wallet to sign and to send, where the wallet only signs. */
export async function sendSigned(
  asked: string,
  signed: string,
  esplora: EsploraClient,
  signal: AbortSignal,
): Promise<{ txid: string }> {
  return broadcast(esplora, finishPsbt(asked, signed), signal)
}

async function broadcast(
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

/** Nobody answered, as against a chain that said no, or an endpoint that was never asked. */
function isSilence({ code, data }: Failure): boolean {
  if (code !== 'TIMEOUT' && code !== 'INTERNAL') return false
  const refusal = Refusal.safeParse(data)
  return !refusal.success || refusal.data.status === tooManyRequests
}

const tooManyRequests = 429

function addressOn(networkId: CaipNetworkId, text: string): BitcoinAddress {
  const address = parseBitcoinAddress(text)
  if (address === undefined || !isAddressOn(address, networkId)) throw new Failure('INVALID_ADDRESS')
  return address
}

async function estimatedFeeRate(esplora: EsploraClient, signal: AbortSignal): Promise<FeeRate> {
  const feeRate = feeRateFrom(nearest(await readFeeEstimates(esplora, signal)))
  if (feeRate > highestEstimate)
    throw new Failure('INTERNAL', { message: 'The endpoint’s fee estimate is not believable' })
  return feeRate
}

/** The estimate for two blocks, else for the next longer wait, else the longest. A quiet chain, regtest above all, has none: the lowest rate. */
function nearest(estimates: FeeEstimates): number {
  const targets = Object.keys(estimates)
    .map(Number)
    .sort((left, right) => left - right)
  const target = targets.find((blocks) => blocks >= targetBlocks) ?? targets.at(-1)
  return target === undefined ? 0 : (estimates[target] ?? 0)
}

/** The one place where a rate is no whole number yet. Rounded up, never below what nodes relay. */
function feeRateFrom(satoshisPerByte: number): FeeRate {
  const feeRate = BigInt(Math.ceil(satoshisPerByte * 1000))
  return feeRate < lowestFeeRate ? lowestFeeRate : feeRate
}

export function toCoin({ txid, vout, value, status }: Utxo): Coin {
  return { txid, vout, value, isConfirmed: status.confirmed }
}

/** Unconfirmed coins of transactions whose every input was the sender's: nobody else can take them back. */
export async function ownChange(
  esplora: EsploraClient,
  address: string,
  utxos: readonly Utxo[],
  signal: AbortSignal,
): Promise<readonly Coin[]> {
  const waiting = utxos.filter(({ status }) => !status.confirmed).slice(0, mostInputs)
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

/** One answer for each transaction, a few at a time. */
async function byId<T>(of: readonly { txid: string }[], ask: (txid: string) => Promise<T>): Promise<Map<string, T>> {
  const ids = [...new Set(of.map(({ txid }) => txid))]
  const answers = new Map<string, T>()
  for (let start = 0; start < ids.length; start += atOnce)
    await Promise.all(ids.slice(start, start + atOnce).map(async (id) => answers.set(id, await ask(id))))
  return answers
}

function changeOutput({ change }: Selection, { script }: BitcoinAddress) {
  return change === null ? [] : [{ script, value: change }]
}
