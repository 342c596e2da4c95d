/** Programs and layouts: https://spl.solana.com/token, https://solana.com/docs/core/programs */

import { hexOf } from '@postern/chains/hex'
import { type LookupTables, noTables } from '@postern/chains/solana/lookup-tables'
import { programs } from '@postern/chains/solana/programs'
import { parseTransaction } from '@postern/chains/solana/transaction'
import type { Field, IntentStep } from '../../../intent/intent'
import { computeBudget, system } from './accounts'
import { readComputeBudget } from './budget'
import type { Allowance } from './control'
import { fieldsOf, type NamedInstruction, namedInstructions } from './instruction'
import { readStake, stakeProgram } from './stake'
import { readSystem } from './system'
import { isClosing, isTokenProgram, readAllowance, readAssociated, readToken } from './token'

const memos: ReadonlySet<string> = new Set([
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
])

export type SolanaFacts = {
  readonly tables: LookupTables
  /** Existing associated accounts that no instruction closes before they are opened again. */
  readonly open: ReadonlySet<string>
}

const noFacts: SolanaFacts = { tables: noTables, open: new Set() }

/**
 * At least one step per instruction, in order.
 *
 * 1. Each instruction is read as its program reads it, including with extra bytes.
 * 2. What takes something from the owner is a transfer, with amount and recipient. What gives a right names its
 *    receiver.
 * 3. `isHarmless` takes nothing but what the steps beside it name: a memo, a readable budget, a revoked approval,
 *    counted wrapped SOL, a token account opened, or closed in favour of the owner. All others have a warning.
 * @throws {Failure} INVALID_PARAMS for an invalid transaction
 */
export function readSolanaTransaction(
  transaction: string,
  owner: string,
  { tables, open }: SolanaFacts = noFacts,
): readonly IntentStep[] {
  const instructions = namedInstructions(parseTransaction(transaction), tables)
  const owners = ownersOf(instructions)
  return instructions
    .flatMap((instruction) => read(instruction, owner, open) ?? [unread(instruction)])
    .map((step) =>
      step.kind === 'transfer' && step.amount.token !== undefined
        ? { ...step, to: owners.get(step.to) ?? step.to }
        : step,
    )
}

function read(instruction: NamedInstruction, owner: string, open: SolanaFacts['open']): readonly IntentStep[] | null {
  const { program } = instruction
  if (program === system) return readSystem(instruction, owner)
  if (program === computeBudget) return [readComputeBudget(instruction)]
  if (program === programs.associated) return readAssociated(instruction, owner, open)
  if (memos.has(program)) return [readMemo(instruction)]
  if (program === stakeProgram) return readStake(instruction, owner)
  return isTokenProgram(program) ? readToken(instruction, owner) : null
}

/** By account. The program fails unless the account is that owner's, even if it exists. */
function ownersOf(instructions: readonly NamedInstruction[]): ReadonlyMap<string, string> {
  return new Map(
    instructions
      .filter(isOpening)
      .flatMap(({ accounts: [, account, owner] }) =>
        account === undefined || owner === undefined ? [] : [[account, owner] as const],
      ),
  )
}

function isOpening(instruction: NamedInstruction): boolean {
  return instruction.program === programs.associated && readAssociated(instruction, '', noFacts.open) !== null
}

/** Opened associated accounts that no readable instruction closes. */
export function openedAccounts(transactions: readonly string[], tables: LookupTables): readonly string[] {
  const instructions = transactions.flatMap((one) => namedInstructions(parseTransaction(one), tables))
  const closed = instructions.filter(isClosing).flatMap(({ accounts: [account] }) => account ?? [])
  const opened = instructions.filter(isOpening).flatMap(({ accounts: [, account] }) => account ?? [])
  return opened.filter((account) => !closed.includes(account))
}

function readMemo({ program, data, accounts }: NamedInstruction): IntentStep {
  const fields = [...(data.length > 0 ? [textOf(data)] : []), ...fieldsOf(accounts)]
  return { kind: 'instruction', program, name: 'Memo', fields, isHarmless: true }
}

/** Text, or hex: a memo may say whose the payment is. */
function textOf(data: Uint8Array): Field {
  try {
    return { name: 'text', value: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data) }
  } catch {
    return { name: 'data', value: hexOf(data) }
  }
}

function unread({ program, accounts, data }: NamedInstruction): IntentStep {
  const fields = [...(data.length > 0 ? [{ name: 'data', value: hexOf(data) }] : []), ...fieldsOf(accounts)]
  return { kind: 'instruction', program, fields }
}

/** In the order of the steps of kind `approve`. */
export function readAllowances(
  transaction: string,
  owner: string,
  tables: LookupTables = noTables,
): readonly Allowance[] {
  return namedInstructions(parseTransaction(transaction), tables).flatMap((one) => readAllowance(one, owner) ?? [])
}
