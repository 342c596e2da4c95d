/** What the instructions of a Solana transaction do. Programs and layouts: https://spl.solana.com/token, https://solana.com/docs/core/programs */
import { base58 } from '@scure/base'
import { parseTransaction, type SolanaInstruction } from '../chains/solana/transaction'
import type { Amount, Field, IntentStep } from './contract'

const system = '11111111111111111111111111111111'
const tokenPrograms: ReadonlySet<string> = new Set([
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
])
/** Programs that move nothing of the owner's, whatever they are told. Every other one that is not read is warned of. */
const names: ReadonlyMap<string, string> = new Map([
  ['ComputeBudget111111111111111111111111111111', 'Compute budget'],
  ['ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL', 'Token account'],
  ['MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', 'Memo'],
  ['Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo', 'Memo'],
])

const native = { symbol: 'SOL', decimals: 9 }

/** One step an instruction, in their order. @throws {LinkFailure} INVALID_PARAMS on what is no transaction. */
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

/** CreateAccount 0, Transfer 2; the kind is four bytes, lowest first. */
function readSystem({ data, accounts }: SolanaInstruction, owner: string): IntentStep | null {
  const view = viewOf(data)
  if (data.length === 12 && view.getUint32(0, true) === 2) {
    const [from, to] = accounts
    if (from !== owner || to === undefined) return null
    return { kind: 'transfer', to: to ?? unnamed, amount: { raw: `${view.getBigUint64(4, true)}`, ...native } }
  }
  if (data.length === 52 && view.getUint32(0, true) === 0) {
    const fields = fieldsOf(accounts)
    const amount = { name: 'lamports', value: `${view.getBigUint64(4, true)}` }
    return { kind: 'instruction', program: system, name: 'Create account', fields: [amount, ...fields] }
  }
  return null
}

/**
 * Transfer 3 (source, destination, owner), Approve 4 (source, delegate, owner), Revoke 5, SetAuthority 6, CloseAccount 9, TransferChecked 12 (source, mint, destination,
 * owner), ApproveChecked 13 (source, mint, delegate, owner). `token` of a plain transfer is its source account until the chain names the mint.
 */
function readToken({ data, accounts, program }: SolanaInstruction, owner: string): IntentStep | null {
  const view = viewOf(data)
  const kind = data[0]
  const [first, second, third, fourth] = accounts.map((account) => account ?? unnamed)
  const raw = data.length >= 9 ? view.getBigUint64(1, true) : 0n
  if (kind === 3 && data.length === 9 && third === owner && first !== undefined && second !== undefined)
    return { kind: 'transfer', to: second, amount: amountOf(raw, first) }
  if (kind === 12 && data.length === 10 && fourth === owner && second !== undefined && third !== undefined)
    return { kind: 'transfer', to: third, amount: amountOf(raw, second, data[9]) }
  if (kind === 4 && data.length === 9 && third === owner && first !== undefined && second !== undefined)
    return { kind: 'approve', spender: second, amount: amountOf(raw, first) }
  if (kind === 13 && data.length === 10 && fourth === owner && second !== undefined && third !== undefined)
    return { kind: 'approve', spender: third, amount: amountOf(raw, second, data[9]) }
  const name = new Map([
    [5, 'Revoke approval'],
    [6, 'Give the account to another owner'],
    [9, 'Close token account'],
  ]).get(kind ?? -1)
  if (name === undefined) return null
  const next = kind === 6 && data.length === 35 && data[2] === 1 ? base58.encode(data.slice(3)) : undefined
  const fields = [...(next === undefined ? [] : [{ name: 'new owner', value: next }]), ...fieldsOf(accounts)]
  return { kind: 'instruction', program: program ?? unnamed, name, fields }
}

/** Of each signature, in lamports. Source: https://solana.com/docs/core/fees */
const signatureFee = 5_000n
/** Units of an instruction where the transaction names no limit, and the most that a transaction may use. */
const usualUnits = 200_000n
const mostUnits = 1_400_000n
const computeBudget = 'ComputeBudget111111111111111111111111111111'

/**
 * What a transaction costs its payer at most, in lamports: its signatures, and its compute limit at the price that it offers. Null where somebody else pays.
 * @throws {LinkFailure} INVALID_PARAMS on what is no transaction.
 */
export function readSolanaFee(transaction: string, owner: string): bigint | null {
  const { signers, instructions } = parseTransaction(transaction)
  if (signers[0] !== owner) return null
  const others = instructions.filter(({ program }) => program !== computeBudget)
  let units = BigInt(others.length) * usualUnits
  let price = 0n
  for (const { program, data } of instructions) {
    if (program !== computeBudget) continue
    if (data[0] === 2 && data.length === 5) units = BigInt(viewOf(data).getUint32(1, true))
    if (data[0] === 3 && data.length === 9) price = viewOf(data).getBigUint64(1, true)
  }
  const limit = units < mostUnits ? units : mostUnits
  return BigInt(signers.length) * signatureFee + (limit * price + 999_999n) / 1_000_000n
}

/** A key of a lookup table: which one it is only the chain knows. */
const unnamed = '(lookup table)'

function amountOf(raw: bigint, token: string, decimals?: number): Amount {
  const isAll = raw === 2n ** 64n - 1n
  return { raw: `${raw}`, token, ...(decimals !== undefined && { decimals }), ...(isAll && { unlimited: true }) }
}

function unread({ program, accounts, data }: SolanaInstruction): IntentStep {
  const name = program === null ? undefined : names.get(program)
  const isMemo = name === 'Memo'
  const text = isMemo
    ? new TextDecoder().decode(data)
    : [...data].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const fields = [...(data.length > 0 ? [{ name: isMemo ? 'text' : 'data', value: text }] : []), ...fieldsOf(accounts)]
  return { kind: 'instruction', program: program ?? unnamed, ...(name !== undefined && { name }), fields }
}

function fieldsOf(accounts: SolanaInstruction['accounts']): readonly Field[] {
  return accounts.map((account, index) => ({ name: `account ${index + 1}`, value: account ?? unnamed }))
}

function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength)
}
