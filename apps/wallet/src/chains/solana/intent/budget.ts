import { hexOf } from '@postern/chains/hex'
import { parseTransaction } from '@postern/chains/solana/transaction'
import type { IntentStep } from '../../../intent/intent'
import { computeBudget } from './accounts'
import { dataViewOf, fieldsOf, type NamedInstruction } from './instruction'

/** In lamports. Source: https://solana.com/docs/core/fees */
const signatureFee = 5_000n
/** Compute units: default of an instruction, and of one that sets the budget (SIMD-0170); max per transaction. */
const usualUnits = 200_000n
const budgetUnits = 3_000n
const maxComputeUnits = 1_400_000n

/** Programs that verify signatures in their data, counted by the first byte, for the same fee. */
const precompiles: ReadonlySet<string> = new Set([
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
])

const unitLimit = 2
const unitPrice = 3
/** By the first byte. Source: https://docs.rs/solana-compute-budget-interface, `ComputeBudgetInstruction`. */
const settings: ReadonlyMap<number, { readonly name: string; readonly size: 4 | 8 }> = new Map([
  [1, { name: 'heap size (bytes)', size: 4 }],
  [unitLimit, { name: 'compute unit limit', size: 4 }],
  [unitPrice, { name: 'price per unit (micro-lamports)', size: 8 }],
  [4, { name: 'max account data (bytes)', size: 4 }],
])

/** Accepts extra bytes, as the chain does (`try_from_slice_unchecked`). */
function readSetting(
  data: Uint8Array,
): { readonly kind: number; readonly name: string; readonly value: bigint } | null {
  const kind = data[0] ?? 0
  const setting = settings.get(kind)
  if (setting === undefined || data.length < 1 + setting.size) return null
  const view = dataViewOf(data)
  const value = setting.size === 8 ? view.getBigUint64(1, true) : BigInt(view.getUint32(1, true))
  return { kind, name: setting.name, value }
}

/** An unreadable setting may set any fee. */
export function readComputeBudget({ accounts, data }: NamedInstruction): IntentStep {
  const setting = readSetting(data)
  const step = { kind: 'instruction', program: computeBudget, name: 'Compute budget' } as const
  return setting === null
    ? { ...step, fields: [{ name: 'data', value: hexOf(data) }, ...fieldsOf(accounts)] }
    : { ...step, fields: [{ name: setting.name, value: `${setting.value}` }], isHarmless: true }
}

/** In lamports; `unknown` if unreadable; null if another address pays. */
export type SolanaFee = bigint | 'unknown' | null

/**
 * Max fee for the payer.
 *
 * 1. Each signature costs the same, including those that a precompiled program verifies.
 * 2. The price is for the compute limit, or the default of all instructions. The chain rejects a repeated setting; here
 *    the highest counts.
 * @throws {Failure} INVALID_PARAMS for an invalid transaction
 */
export function readSolanaFee(transaction: string, owner: string): SolanaFee {
  const { signers, instructions } = parseTransaction(transaction)
  if (signers[0] !== owner) return null
  let signatures = BigInt(signers.length)
  let defaultUnits = 0n
  let limit: bigint | null = null
  let price = 0n
  for (const { program, data } of instructions) {
    if (program !== null && precompiles.has(program)) signatures += BigInt(data[0] ?? 0)
    defaultUnits += program === computeBudget ? budgetUnits : usualUnits
    if (program !== computeBudget) continue
    const setting = readSetting(data)
    if (setting === null) return 'unknown'
    if (setting.kind === unitLimit) limit = larger(limit ?? 0n, setting.value)
    if (setting.kind === unitPrice) price = larger(price, setting.value)
  }
  const units = limit ?? defaultUnits
  const priced = units < maxComputeUnits ? units : maxComputeUnits
  return signatures * signatureFee + (priced * price + 999_999n) / 1_000_000n
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}
