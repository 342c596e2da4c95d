import type { LookupTables } from '@postern/chains/solana/lookup-tables'
import type { LookedUp, SolanaTransaction } from '@postern/chains/solana/transaction'
import { base58 } from '@scure/base'
import type { Field, IntentStep } from '../../../intent/intent'

/** `accounts`: base58, or a label of {@link lookupLabel}. */
export type NamedInstruction = {
  readonly program: string
  readonly accounts: readonly string[]
  readonly data: Uint8Array
}

export function namedInstructions(
  transaction: Pick<SolanaTransaction, 'instructions' | 'staticKeys'>,
  tables: LookupTables,
): readonly NamedInstruction[] {
  const addressOf = addressesIn(transaction, tables)
  const nameOf = (one: LookedUp | null) => (one === null ? '' : (addressOf(one) ?? lookupLabel(one)))
  return transaction.instructions.map(({ program, accounts, lookedUp, data }) => ({
    // The chain rejects programs in lookup tables.
    program: program ?? '(lookup table)',
    accounts: accounts.map((account, at) => account ?? nameOf(lookedUp[at] ?? null)),
    data,
  }))
}

/** Null for each account that no table names. */
export function lookedUpAccounts(
  transaction: Pick<SolanaTransaction, 'instructions' | 'staticKeys'>,
  tables: LookupTables,
): readonly (string | null)[] {
  const addressOf = addressesIn(transaction, tables)
  return lookedUpIn(transaction).map((one) => addressOf(one) ?? null)
}

/** The chain rejects a repeated account, so such a table is not believed. */
function addressesIn(
  transaction: Pick<SolanaTransaction, 'instructions' | 'staticKeys'>,
  tables: LookupTables,
): (one: LookedUp) => string | undefined {
  const found = ({ table, entry }: LookedUp) => tables.get(table)?.[entry]
  const all = [...transaction.staticKeys, ...lookedUpIn(transaction).map(found)]
  return (one) => {
    const address = found(one)
    return all.indexOf(address) === all.lastIndexOf(address) ? address : undefined
  }
}

function lookedUpIn({ instructions }: Pick<SolanaTransaction, 'instructions'>): readonly LookedUp[] {
  const all = instructions.flatMap(({ lookedUp }) => lookedUp.flatMap((one) => one ?? []))
  return [...new Map(all.map((one) => [lookupLabel(one), one])).values()]
}

const labelStart = 'entry '

/** Never looks like an address. */
function lookupLabel({ table, entry }: LookedUp): string {
  return `${labelStart}${entry} of lookup table ${table}`
}

export function isLookupLabel(text: string): boolean {
  return text.startsWith(labelStart)
}

/** Always shown with a warning. */
const newOwner = 'new owner'

export function ownerField(key: Uint8Array, isLoss: boolean): Field {
  return ownerFieldOf(base58.encode(key), isLoss)
}

export function ownerFieldOf(address: string, isLoss: boolean): Field {
  return { name: isLoss ? newOwner : 'owner', value: address }
}

export function newOwnersIn(fields: readonly Field[]): readonly string[] {
  return fields.flatMap(({ name, value }) => (name === newOwner && typeof value === 'string' ? [value] : []))
}

/** A closed account's deposit is in none of the owner's balances. */
export function isInBalances(step: IntentStep): boolean {
  if (step.kind === 'transfer') return step.amount.everything !== true
  return step.kind !== 'instruction' || step.isHarmless === true
}

export function fieldsOf(accounts: readonly string[]): readonly Field[] {
  return accounts.map((account, index) => ({ name: `account ${index + 1}`, value: account }))
}

export function dataViewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength)
}
