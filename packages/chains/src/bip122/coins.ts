import type { AddressKind } from './address'

/** Others need a script that only their wallet has. */
export type SpendableKind = Exclude<AddressKind, 'p2sh' | 'p2wsh'> | 'p2sh-p2wpkh'

export type Coin = {
  readonly txid: string
  readonly vout: number
  /** Satoshis. */
  readonly value: bigint
  readonly isConfirmed: boolean
}

/** Satoshis per 1,000 vbytes. */
export type FeeRate = bigint

export type SelectionRequest = {
  readonly coins: readonly Coin[]
  /** Spent in any case. */
  readonly required?: readonly Coin[] | undefined
  readonly kind: SpendableKind
  readonly amount: bigint
  readonly feeRate: FeeRate
  readonly recipientScript: Uint8Array
  readonly change: { readonly script: Uint8Array; readonly kind: AddressKind }
}

export type Selection = {
  readonly coins: readonly Coin[]
  readonly fee: bigint
  /** Null if it would be dust. */
  readonly change: bigint | null
  /** Vbytes. */
  readonly size: bigint
}

/** Nodes relay max 100,000 vbytes. */
export const maxInputs = 500

/** Smallest relayed output, in satoshis. Source: Bitcoin Core's GetDustThreshold at 3,000 satoshis per 1,000 vbytes. */
const dust: Readonly<Record<AddressKind, bigint>> = { p2pkh: 546n, p2sh: 540n, p2wpkh: 294n, p2wsh: 330n, p2tr: 330n }

export function isDust(value: bigint, kind: AddressKind): boolean {
  return value < dust[kind]
}

/** Satoshis. Inscriptions usually have 330, 546 or 10,000, runes 546; only an indexer knows. */
const maxCollectibleValue = 10_000n

export function mayCarryCollectible({ value }: Pick<Coin, 'value'>): boolean {
  return value <= maxCollectibleValue
}

export function dustLimit(kind: AddressKind): bigint {
  return dust[kind]
}

/**
 * Selects the coins of a transfer.
 *
 * 1. inputs − outputs = fee, and fee ≥ size × rate.
 * 2. Change below the dust limit goes to the fee.
 * 3. A coin that costs more than its value is spent only if required.
 * 4. Required coins come first, then confirmed and unconfirmed ones, the largest first. Coins that may carry a
 *    collectible come last.
 * 5. Null if the coins do not suffice.
 */
export function selectCoins(request: SelectionRequest): Selection | null {
  const { amount, feeRate, change, required = [] } = request
  const chosen: Coin[] = []
  let sum = 0n
  for (const coin of [...required, ...inOrder(request)]) {
    if (chosen.length === maxInputs) return null
    chosen.push(coin)
    sum += coin.value
    if (chosen.length < required.length) continue
    const size = sizeOf(request, chosen.length, false)
    if (sum < amount + feeOf(size, feeRate)) continue

    const sizeWithChange = sizeOf(request, chosen.length, true)
    const rest = sum - amount - feeOf(sizeWithChange, feeRate)
    if (rest <= 0n || isDust(rest, change.kind)) return { coins: chosen, fee: sum - amount, change: null, size }
    return { coins: chosen, fee: feeOf(sizeWithChange, feeRate), change: rest, size: sizeWithChange }
  }
  return null
}

function inOrder({ coins, required = [], kind, feeRate }: SelectionRequest): readonly Coin[] {
  const cost = feeOf(inVirtualBytes(inputWeight[kind]), feeRate)
  const isRequired = ({ txid, vout }: Coin) => required.some((coin) => coin.txid === txid && coin.vout === vout)
  const worth = coins.filter((coin) => coin.value > cost && !isRequired(coin))
  return worth.sort((left, right) => {
    if (mayCarryCollectible(left) !== mayCarryCollectible(right)) return mayCarryCollectible(left) ? 1 : -1
    if (left.isConfirmed !== right.isConfirmed) return left.isConfirmed ? -1 : 1
    return left.value === right.value ? 0 : left.value > right.value ? -1 : 1
  })
}

export function feeOf(size: bigint, feeRate: FeeRate): bigint {
  return (size * feeRate + 999n) / 1000n
}

/**
 * Weight units of a signed input (BIP-141), with the longest signature and the sighash byte.
 * 41 = outpoint 36, sequence 4, script length 1. Then:
 * p2pkh: script of signature 73 and key 34
 * p2sh-p2wpkh: script of 23; witness of count 1, signature 73, key 34
 * p2tr: witness of count 1 and signature 66
 */
const inputWeight: Readonly<Record<SpendableKind, bigint>> = {
  p2pkh: 4n * (41n + 107n),
  'p2sh-p2wpkh': 4n * (41n + 23n) + 108n,
  p2wpkh: 4n * 41n + 108n,
  p2tr: 4n * 41n + 67n,
}

function sizeOf({ kind, recipientScript, change }: SelectionRequest, inputs: number, withChange: boolean): bigint {
  return transactionSize(kind, inputs, withChange ? [recipientScript, change.script] : [recipientScript])
}

/** Vbytes, with the longest signatures. `scripts`: of the outputs. */
export function transactionSize(kind: SpendableKind, inputs: number, scripts: readonly Uint8Array[]): bigint {
  const outputs = scripts.reduce((sum, script) => sum + outputSize(script), 0n)
  // Version, lock time, counts.
  const frame = 4n + 4n + countSize(inputs) + countSize(scripts.length)
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

/** At most three decimals. */
export function satoshisPerVbyte(rate: bigint): number {
  return Number(rate) / 1000
}
