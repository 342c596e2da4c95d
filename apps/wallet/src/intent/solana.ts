/** Programs and layouts: https://spl.solana.com/token, https://solana.com/docs/core/programs */

import { hexOf } from '@postern/chains/hex'
import { token2022Program, tokenProgram } from '@postern/chains/solana/token-account'
import { parseTransaction, type SolanaInstruction } from '@postern/chains/solana/transaction'
import { base58 } from '@scure/base'
import type { Amount, Field, IntentStep } from './intent'
import { computeBudget, system } from './solana-accounts'
import type { Allowance } from './solana-control'
import { dataViewOf, fieldsOf, ownerField, receiverField, unnamed } from './solana-instruction'
import { readSystem } from './solana-system'

const tokenPrograms: ReadonlySet<string> = new Set([tokenProgram, token2022Program])
/** These never move the owner's funds; any other undecoded program gets a warning. */
const names: ReadonlyMap<string, string> = new Map([
  [computeBudget, 'Compute budget'],
  ['ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL', 'Token account'],
  ['MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', 'Memo'],
  ['Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo', 'Memo'],
])

/**
 * One per instruction, in order.
 * @throws {Failure} INVALID_PARAMS for an invalid transaction.
 */
export function readSolanaTransaction(transaction: string, owner: string): readonly IntentStep[] {
  return parseTransaction(transaction).instructions.map((instruction) => readInstruction(instruction, owner))
}

function readInstruction(instruction: SolanaInstruction, owner: string): IntentStep {
  const { program } = instruction
  const step =
    program === system
      ? readSystem(instruction, owner)
      : program !== null && tokenPrograms.has(program)
        ? readToken(instruction, owner)
        : null
  return step ?? unread(instruction)
}

/**
 * Transfer 3 (source, destination, owner), Approve 4 (source, delegate, owner), Revoke 5, SetAuthority 6, CloseAccount
 * 9, TransferChecked 12 (source, mint, destination, owner), ApproveChecked 13 (source, mint, delegate, owner),
 * SyncNative 17; Token-2022: TransferCheckedWithFee 26 1, accounts as TransferChecked. A plain transfer's `token` is
 * its source account until the chain names the mint.
 */
function readToken({ data, accounts, program }: SolanaInstruction, owner: string): IntentStep | null {
  const view = dataViewOf(data)
  const kind = data[0]
  const [first, second, third, fourth] = accounts.map((account) => account ?? unnamed)
  const raw = data.length >= 9 ? view.getBigUint64(1, true) : 0n
  if (kind === 3 && data.length === 9 && third === owner && first !== undefined && second !== undefined)
    return { kind: 'transfer', to: second, amount: amountOf(raw, first) }
  if (kind === 12 && data.length === 10 && fourth === owner && second !== undefined && third !== undefined)
    return { kind: 'transfer', to: third, amount: amountOf(raw, second, data[9]) }
  if (
    program === token2022Program &&
    kind === 26 &&
    data[1] === 1 &&
    data.length === 19 &&
    fourth === owner &&
    second !== undefined &&
    third !== undefined
  ) {
    const withFee = (offset: number) => amountOf(view.getBigUint64(offset, true), second, data[10])
    return withheldFrom({ kind: 'transfer', to: third, amount: withFee(2), withheld: withFee(11) })
  }
  const allowance = readAllowance({ data, accounts, program }, owner)
  if (allowance !== null) {
    const isChecked = kind === 13
    const amount = amountOf(raw, isChecked ? (second ?? unnamed) : allowance.account, isChecked ? data[9] : undefined)
    return { kind: 'approve', spender: allowance.delegate, amount }
  }
  const step = (name: string, ...fields: readonly Field[]): IntentStep => ({
    kind: 'instruction',
    program: program ?? unnamed,
    name,
    fields: [...fields, ...fieldsOf(accounts)],
  })
  if (kind === 5) return step('Revoke approval')
  if (kind === 6) {
    const name = rights.get(data[1] ?? -1) ?? 'Give a right over the token to another account'
    // No new authority, or this one; extra bytes are accepted.
    if (data[2] === 0) return step(name)
    const next = data.subarray(3, 35)
    return data[2] === 1 && next.length === 32 ? step(name, ownerField(next, base58.encode(next) !== owner)) : null
  }
  if (kind === 9) return step('Close token account', ...(second === owner ? [] : [receiverField(second ?? unnamed)]))
  return kind === 17 ? step('Count wrapped SOL') : null
}

/** By authority type. */
const rights: ReadonlyMap<number, string> = new Map([
  [0, 'Give the right to issue the token'],
  [1, 'Give the right to freeze accounts'],
  [2, 'Give the account to another owner'],
  [3, 'Give the right to close the account'],
])

/** Null unless the owner allows it. */
function readAllowance({ data, accounts, program }: SolanaInstruction, owner: string): Allowance | null {
  if (program === null || !tokenPrograms.has(program)) return null
  const [account, second, third, fourth] = accounts.map((one) => one ?? unnamed)
  const isPlain = data[0] === 4 && data.length === 9 && third === owner
  const isChecked = data[0] === 13 && data.length === 10 && fourth === owner
  const delegate = isPlain ? second : isChecked ? third : undefined
  if (account === undefined || delegate === undefined) return null
  return { account, delegate, amount: dataViewOf(data).getBigUint64(1, true) }
}

export function readAllowances(transaction: string, owner: string): readonly Allowance[] {
  return parseTransaction(transaction).instructions.flatMap((one) => readAllowance(one, owner) ?? [])
}

/** The chain rejects a fee above the amount. */
function withheldFrom(step: Extract<IntentStep, { kind: 'transfer' }>): IntentStep | null {
  return BigInt(step.withheld?.raw ?? 0) > BigInt(step.amount.raw) ? null : step
}

/** In lamports. Source: https://solana.com/docs/core/fees */
const signatureFee = 5_000n
/** Compute units: default per instruction, maximum per transaction. */
const usualUnits = 200_000n
const maxComputeUnits = 1_400_000n

/**
 * Maximum for the payer, in lamports: signatures, and the compute limit at the offered price. Null if another address
 * pays.
 * @throws {Failure} INVALID_PARAMS for an invalid transaction.
 */
export function readSolanaFee(transaction: string, owner: string): bigint | null {
  const { signers, instructions } = parseTransaction(transaction)
  if (signers[0] !== owner) return null
  const others = instructions.filter(({ program }) => program !== computeBudget)
  let units = BigInt(others.length) * usualUnits
  let price = 0n
  for (const { program, data } of instructions) {
    if (program !== computeBudget) continue
    if (data[0] === 2 && data.length === 5) units = BigInt(dataViewOf(data).getUint32(1, true))
    if (data[0] === 3 && data.length === 9) price = dataViewOf(data).getBigUint64(1, true)
  }
  const limit = units < maxComputeUnits ? units : maxComputeUnits
  return BigInt(signers.length) * signatureFee + (limit * price + 999_999n) / 1_000_000n
}

/** SetComputeUnitLimit 2, SetComputeUnitPrice 3. */
function readBudget(data: Uint8Array): Field | null {
  const view = dataViewOf(data)
  if (data[0] === 2 && data.length === 5) return { name: 'compute unit limit', value: `${view.getUint32(1, true)}` }
  if (data[0] === 3 && data.length === 9)
    return { name: 'price per unit (micro-lamports)', value: `${view.getBigUint64(1, true)}` }
  return null
}

function amountOf(raw: bigint, token: string, decimals?: number): Amount {
  const isAll = raw === 2n ** 64n - 1n
  return { raw: `${raw}`, token, ...(decimals !== undefined && { decimals }), ...(isAll && { unlimited: true }) }
}

function unread({ program, accounts, data }: SolanaInstruction): IntentStep {
  const name = program === null ? undefined : names.get(program)
  const budget = program === computeBudget ? readBudget(data) : null
  if (budget !== null) return { kind: 'instruction', program: computeBudget, name: 'Compute budget', fields: [budget] }
  const isMemo = name === 'Memo'
  const text = isMemo ? new TextDecoder().decode(data) : hexOf(data)
  const fields = [...(data.length > 0 ? [{ name: isMemo ? 'text' : 'data', value: text }] : []), ...fieldsOf(accounts)]
  return { kind: 'instruction', program: program ?? unnamed, ...(name !== undefined && { name }), fields }
}
