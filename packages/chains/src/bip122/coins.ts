/** Which coins a transfer spends, what it weighs and what it costs. Pure arithmetic in whole numbers: bigint satoshis, weight units. */
import type { AddressKind } from './address'

/** Outputs that one signature of one key spends: the others need a script that only their wallet has. */
export type SpendableKind = Exclude<AddressKind, 'p2sh' | 'p2wsh'> | 'p2sh-p2wpkh'

export type Coin = {
  readonly txid: string
  readonly vout: number
  /** Satoshis. */
  readonly value: bigint
  readonly isConfirmed: boolean
}

/** Satoshis per thousand virtual bytes: whole numbers that are fine enough for every estimate. */
export type FeeRate = bigint

export type SelectionRequest = {
  readonly coins: readonly Coin[]
  readonly kind: SpendableKind
  readonly amount: bigint
  readonly feeRate: FeeRate
  readonly recipientScript: Uint8Array
  readonly change: { readonly script: Uint8Array; readonly kind: AddressKind }
}

export type Selection = {
  readonly coins: readonly Coin[]
  readonly fee: bigint
  /** What goes back; null where it would be dust. */
  readonly change: bigint | null
  /** Virtual bytes, at most. */
  readonly size: bigint
}

/** More inputs would come near the 100,000 virtual bytes that nodes relay. */
export const mostInputs = 500

/** Outputs below this are not relayed. Source: GetDustThreshold of Bitcoin Core at 3,000 satoshis per 1,000 virtual bytes. */
const dust: Readonly<Record<AddressKind, bigint>> = { p2pkh: 546n, p2sh: 540n, p2wpkh: 294n, p2wsh: 330n, p2tr: 330n }

export function isDust(value: bigint, kind: AddressKind): boolean {
  return value < dust[kind]
}

/** The least that an output of a kind may hold, in satoshis. */
export function dustLimit(kind: AddressKind): bigint {
  return dust[kind]
}

/**
 * 1. inputs − outputs = fee, and fee ≥ size × rate.
 * 2. Change below the dust limit is left to the fee, which is at most that and the cost of a change output more than needed.
 * 3. A coin that costs more than it brings is not spent.
 * 4. The largest coins come first, unconfirmed ones last of all.
 * 5. Null when the coins do not suffice.
 */
export function selectCoins(request: SelectionRequest): Selection | null {
  const { amount, feeRate, change } = request
  const chosen: Coin[] = []
  let sum = 0n
  for (const coin of inOrder(request)) {
    if (chosen.length === mostInputs) return null
    chosen.push(coin)
    sum += coin.value
    const size = sizeOf(request, chosen.length, false)
    if (sum < amount + feeOf(size, feeRate)) continue

    const sizeWithChange = sizeOf(request, chosen.length, true)
    const rest = sum - amount - feeOf(sizeWithChange, feeRate)
    if (rest <= 0n || isDust(rest, change.kind)) return { coins: chosen, fee: sum - amount, change: null, size }
    return { coins: chosen, fee: feeOf(sizeWithChange, feeRate), change: rest, size: sizeWithChange }
  }
  return null
}

function inOrder({ coins, kind, feeRate }: SelectionRequest): readonly Coin[] {
  const cost = feeOf(inVirtualBytes(inputWeight[kind]), feeRate)
  const worth = coins.filter(({ value }) => value > cost)
  return worth.sort((left, right) => {
    if (left.isConfirmed !== right.isConfirmed) return left.isConfirmed ? -1 : 1
    return left.value === right.value ? 0 : left.value > right.value ? -1 : 1
  })
}

/** Rounded up: never below the rate. */
export function feeOf(size: bigint, feeRate: FeeRate): bigint {
  return (size * feeRate + 999n) / 1000n
}

/**
 * Weight units of one signed input, with the longest signature that wallets make: 72 bytes of ECDSA with a low s, 65 of Schnorr with a byte for
 * what it signs. A witness counts once, everything else four times (BIP-141).
 *
 * outpoint 36, sequence 4, length of the script 1, and
 * p2pkh: script of signature 73 and key 34
 * p2sh-p2wpkh: script of 23; witness of count 1, signature 73, key 34
 * p2wpkh: the same witness
 * p2tr: witness of count 1 and signature 66
 */
const inputWeight: Readonly<Record<SpendableKind, bigint>> = {
  p2pkh: 4n * (41n + 107n),
  'p2sh-p2wpkh': 4n * (41n + 23n) + 108n,
  p2wpkh: 4n * 41n + 108n,
  p2tr: 4n * 41n + 67n,
}

/** Virtual bytes of the whole transaction. */
function sizeOf({ kind, recipientScript, change }: SelectionRequest, inputs: number, withChange: boolean): bigint {
  const outputs = outputSize(recipientScript) + (withChange ? outputSize(change.script) : 0n)
  // Version 4 and lock time 4, counts of inputs and of outputs (one byte: there are two at most).
  const frame = 4n + 4n + countSize(inputs) + 1n
  const witnessMark = kind === 'p2pkh' ? 0n : 2n
  return inVirtualBytes(4n * (frame + outputs) + witnessMark + BigInt(inputs) * inputWeight[kind])
}

function outputSize(script: Uint8Array): bigint {
  return 8n + 1n + BigInt(script.length)
}

function countSize(count: number): bigint {
  return count < 253 ? 1n : 3n
}

function inVirtualBytes(weight: bigint): bigint {
  return (weight + 3n) / 4n
}
