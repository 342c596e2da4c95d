/**
 * Types are little-endian u32. Accepts extra bytes, as the program does. Source:
 * https://docs.rs/solana-system-interface/latest/solana_system_interface/instruction/enum.SystemInstruction.html
 */

import { base58 } from '@scure/base'
import type { Field, IntentStep } from '../../../intent/intent'
import { native, system } from './accounts'
import { dataViewOf, fieldsOf, type NamedInstruction, ownerField } from './instruction'

/** The first instruction of a durable nonce, valid until sent. */
export const advanceNonce = 'Advance nonce'

/**
 * CreateAccount 0, Assign 1, Transfer 2, CreateAccountWithSeed 3, AdvanceNonceAccount 4, AuthorizeNonceAccount 7,
 * AssignWithSeed 10.
 */
export function readSystem({ data, accounts }: NamedInstruction, owner: string): readonly IntentStep[] | null {
  if (data.length < 4) return null
  const view = dataViewOf(data)
  const kind = view.getUint32(0, true)
  const [first, second] = accounts
  const step = (name: string, ...fields: readonly Field[]) => stepOf(name, accounts, fields)
  switch (kind) {
    case 0:
      return data.length < 52 ? null : readCreation(data, 4, accounts, owner)
    case 1:
      if (data.length < 36) return null
      return [step('Assign account to a program', ownerField(data.subarray(4, 36), first === owner))]
    case 2:
      if (data.length < 12 || first !== owner || second === undefined) return null
      return [{ kind: 'transfer', to: second, amount: { raw: `${view.getBigUint64(4, true)}`, ...native } }]
    case 3: {
      const end = endOfSeed(data)
      return end === null || end + 48 > data.length ? null : readCreation(data, end, accounts, owner)
    }
    case 4:
      // `neverExpires` says what it does.
      return [{ ...step(advanceNonce), isHarmless: true }]
    case 7:
      if (data.length < 36) return null
      return [step('Give the nonce account to another owner', ownerField(data.subarray(4, 36), second === owner))]
    case 10: {
      const end = endOfSeed(data)
      if (end === null || end + 32 > data.length) return null
      const isLoss = base58.encode(data.subarray(4, 36)) === owner
      return [step('Assign account to a program', ownerField(data.subarray(end, end + 32), isLoss))]
    }
    default:
      return null
  }
}

/** After the base and the seed with its length. */
function endOfSeed(data: Uint8Array): number | null {
  if (data.length < 44) return null
  const end = 44n + dataViewOf(data).getBigUint64(36, true)
  return end > BigInt(data.length) ? null : Number(end)
}

/**
 * Lamports, bytes of data and program. The owner's payment is a transfer. Unless it makes a plain account of the system
 * program, the creation is a step too: its program decides who gets the contents.
 */
function readCreation(
  data: Uint8Array,
  at: number,
  accounts: readonly string[],
  owner: string,
): readonly IntentStep[] | null {
  const [payer, created] = accounts
  if (created === undefined) return null
  const view = dataViewOf(data)
  const lamports = `${view.getBigUint64(at, true)}`
  const size = view.getBigUint64(at + 8, true)
  const program = data.subarray(at + 16, at + 48)
  const isPaid = payer === owner
  // May be the owner's account, if another address pays and it was empty.
  const isOwn = created === owner
  const paid: IntentStep = { kind: 'transfer', to: created, amount: { raw: lamports, ...native } }
  if (isPaid && !isOwn && size === 0n && base58.encode(program) === system) return [paid]
  const facts = [
    isOwn ? ownerField(program, true) : { name: 'program of the account', value: base58.encode(program) },
    { name: 'bytes of data', value: `${size}` },
    ...(isPaid ? [] : [{ name: 'lamports', value: lamports }]),
  ]
  return [...(isPaid ? [paid] : []), stepOf('Create account', accounts, facts)]
}

function stepOf(name: string, accounts: readonly string[], fields: readonly Field[]) {
  return { kind: 'instruction', program: system, name, fields: [...fields, ...fieldsOf(accounts)] } as const
}
