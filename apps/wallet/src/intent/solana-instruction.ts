/** Shared by the instruction readers. */

import type { SolanaInstruction } from '@postern/chains/solana/transaction'
import { base58 } from '@scure/base'
import type { Field, IntentStep } from './intent'

/** Key in a lookup table, which only the chain resolves. */
export const unnamed = '(lookup table)'
/** The new controller of something of the owner's; always with a warning. */
const newOwner = 'new owner'
/** Another address that gets the remaining funds of the owner's account. */
const receiver = 'receiver'

/** `isGrave`: it is the owner's, and another address gets control. */
export function ownerField(key: Uint8Array, isLoss: boolean): Field {
  return { name: isLoss ? newOwner : 'owner', value: base58.encode(key) }
}

export function receiverField(address: string): Field {
  return { name: receiver, value: address }
}

export function newOwnersIn(fields: readonly Field[]): readonly string[] {
  return fields.flatMap(({ name, value }) => (name === newOwner && typeof value === 'string' ? [value] : []))
}

/** Whether balances show the whole effect on the owner: decoded, and no other rights are given. */
export function isInBalances(step: IntentStep): boolean {
  if (step.kind !== 'instruction') return true
  return step.name !== undefined && !step.fields.some(({ name }) => name === newOwner || name === receiver)
}

export function fieldsOf(accounts: SolanaInstruction['accounts']): readonly Field[] {
  return accounts.map((account, index) => ({ name: `account ${index + 1}`, value: account ?? unnamed }))
}

export function dataViewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength)
}
