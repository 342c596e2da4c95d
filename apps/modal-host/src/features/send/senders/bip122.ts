import { type AddressKind, isAddressOn, parseBitcoinAddress } from '@postern/chains/bip122/address'
import {
  type Coin,
  dustLimit,
  type FeeRate,
  feeOf,
  type SelectionRequest,
  type SpendableKind,
  selectCoins,
} from '@postern/chains/bip122/coins'
import { type FeeEstimates, maxMoney, readFeeEstimates, readUtxos } from '@postern/chains/bip122/esplora'
import { ownChange, toCoin } from '@postern/chains/bip122/transfer'
import { Failure } from '@postern/protocol/failure'
import { satoshisPerVbyte } from '../../../../../../packages/chains/src/bip122/coins'
import { atLeastZero, type Draft, type FeeChoice, type Quote, type Sender } from './sender'

export type BitcoinFacts = {
  readonly confirmed: readonly Coin[]
  readonly waiting: readonly Coin[]
  readonly rates: Readonly<Record<FeeChoice, FeeRate>>
  readonly kind: SpendableKind
  readonly recipient: { readonly script: Uint8Array; readonly kind: AddressKind }
  readonly change: { readonly script: Uint8Array; readonly kind: AddressKind }
}

/** In blocks. */
const targets: Readonly<Record<FeeChoice, number>> = { fast: 1, normal: 6, slow: 144 }

/** Satoshis per 1,000 vbytes: the relay minimum, and more than any estimate so far. */
const lowest: FeeRate = 1_000n
const highest: FeeRate = 2_000_000n

/**
 * Sends Bitcoin.
 *
 * 1. By `bip122_sendTransfer` at the chosen rate: the wallet chooses coins and change, or the host does for wallets
 *    that only sign (`packages/chains/src/bip122/transfer.ts`). The fee follows the same rules.
 * 2. The max is the largest amount for which those rules find coins.
 * 3. Amounts below the dust limit of the recipient's address type (294 to 546 satoshis) are rejected.
 */
export const sender: Sender = {
  async prepare(draft, money, signal) {
    const facts = await factsOf(draft, money.client(draft.network.caipNetworkId).esplora, signal)
    // Cached, because the form asks on every keystroke.
    const maxima = new Map<FeeChoice, bigint>()
    return {
      quote(amount, choice) {
        const max = maxima.get(choice) ?? maximum(facts, facts.rates[choice])
        maxima.set(choice, max)
        return bitcoinQuote(facts, amount, choice, max)
      },
      async request(amount, choice) {
        const { account, to } = draft
        if (to === null || amount > maxMoney) throw new Failure('INVALID_PARAMS')
        const params = { account: account.address, recipientAddress: to, amount: `${amount}` }
        return { method: 'bip122_sendTransfer', params: { ...params, feeRate: satoshisPerVbyte(facts.rates[choice]) } }
      },
    }
  },
}

async function factsOf(
  { account, to, network }: Draft,
  esplora: Parameters<typeof readUtxos>[0],
  signal: AbortSignal,
): Promise<BitcoinFacts> {
  const change = parseBitcoinAddress(account.address)
  const recipient = to === null ? change : parseBitcoinAddress(to)
  if (change === undefined || recipient === undefined || !isAddressOn(recipient, network.caipNetworkId))
    throw new Failure('INVALID_ADDRESS')
  const [utxos, estimates] = await Promise.all([
    readUtxos(esplora, change.address, signal),
    readFeeEstimates(esplora, signal),
  ])
  return {
    confirmed: utxos.filter(({ status }) => status.confirmed).map(toCoin),
    waiting: await ownChange(esplora, change.address, utxos, signal),
    rates: ratesOf(estimates),
    kind: spendableKind(change.kind),
    recipient,
    change,
  }
}

function spendableKind(kind: AddressKind): SpendableKind {
  if (kind === 'p2wsh') throw new Failure('INVALID_PARAMS', { message: 'The account needs a script to be spent from' })
  return kind === 'p2sh' ? 'p2sh-p2wpkh' : kind
}

/** A slower choice never costs more. A quiet chain (regtest) has no estimates, only the minimum. */
export function ratesOf(estimates: FeeEstimates): Readonly<Record<FeeChoice, FeeRate>> {
  const rates = Object.entries(estimates)
    .map(([blocks, rate]) => ({ blocks: Number.parseInt(blocks, 10), rate: toFeeRate(rate) }))
    .sort((one, other) => one.blocks - other.blocks)
  const nearest = (target: number) => (rates.findLast(({ blocks }) => blocks <= target) ?? rates[0])?.rate ?? lowest
  const slow = nearest(targets.slow)
  const normal = larger(nearest(targets.normal), slow)
  return { slow, normal, fast: larger(nearest(targets.fast), normal) }
}

function toFeeRate(satoshisPerByte: number): FeeRate {
  const rate = BigInt(Math.ceil(Math.min(satoshisPerByte, 1e6) * 1000))
  if (rate > highest) throw new Failure('INTERNAL', { message: 'The endpoint’s fee estimate is not believable' })
  return larger(rate, lowest)
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}

export function bitcoinQuote(
  facts: BitcoinFacts,
  amount: bigint | null,
  choice: FeeChoice,
  max = maximum(facts, facts.rates[choice]),
): Quote {
  const { rates, recipient } = facts
  const feeRate = rates[choice]
  const balance = sum([...facts.confirmed, ...facts.waiting])
  const min = dustLimit(recipient.kind)
  // If nothing fits: the fee of the smallest transfer.
  const fee = select(facts, larger(amount ?? min, min), feeRate)?.fee ?? feeOf(200n, feeRate)
  return {
    balance,
    max: max < min ? 0n : max,
    min,
    fee,
    maxFee: null,
    deposit: 0n,
    native: balance,
    needed: 0n,
    refusal: null,
    wouldFail: false,
    rates,
  }
}

function select(
  { confirmed, waiting, kind, recipient, change }: BitcoinFacts,
  amount: bigint,
  feeRate: FeeRate,
): ReturnType<typeof selectCoins> {
  const request: Omit<SelectionRequest, 'coins'> = { kind, amount, feeRate, recipientScript: recipient.script, change }
  return selectCoins({ ...request, coins: [...confirmed, ...waiting] })
}

/** By bisection: every smaller amount has coins too. */
function maximum(facts: BitcoinFacts, feeRate: FeeRate): bigint {
  let fits = 0n
  let tooMuch = sum([...facts.confirmed, ...facts.waiting]) + 1n
  while (tooMuch - fits > 1n) {
    const middle = (fits + tooMuch) / 2n
    if (select(facts, middle, feeRate) === null) tooMuch = middle
    else fits = middle
  }
  return atLeastZero(fits)
}

function sum(coins: readonly Coin[]): bigint {
  return coins.reduce((all, { value }) => all + value, 0n)
}
