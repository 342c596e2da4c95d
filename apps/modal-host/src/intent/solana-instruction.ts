/** What every reader of Solana's instructions needs. */

import type { SolanaInstruction } from '@postern/chains/solana/transaction'
import { base58 } from '@scure/base'
import type { Field, IntentStep } from './contract'

/** A key of a lookup table: which one it is only the chain knows. */
export const unnamed = '(lookup table)'
/** A field of a step: who decides over something of the owner's from then on. Every one is warned of. */
const newOwner = 'new owner'
/** A field of a step: who has what is left in an account of the owner's, and is somebody else. */
const receiver = 'receiver'

/** `isGrave`: it is the owner's, and becomes somebody else's. */
export function ownerField(key: Uint8Array, isGrave: boolean): Field {
  return { name: isGrave ? newOwner : 'owner', value: base58.encode(key) }
}

export function receiverField(address: string): Field {
  return { name: receiver, value: address }
}

/** Who is given something by a step, if anybody. */
export function givenTo(fields: readonly Field[]): readonly string[] {
  return fields.flatMap(({ name, value }) => (name === newOwner && typeof value === 'string' ? [value] : []))
}

/** Whether balances tell all that a step does to its owner: it was read, and gives nobody a right that no balance shows. */
export function isInBalances(step: IntentStep): boolean {
  if (step.kind !== 'instruction') return true
  return step.name !== undefined && !step.fields.some(({ name }) => name === newOwner || name === receiver)
}

export function fieldsOf(accounts: SolanaInstruction['accounts']): readonly Field[] {
  return accounts.map((account, index) => ({ name: `account ${index + 1}`, value: account ?? unnamed }))
}

export function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength)
}
