/**
 * The system program; types are little-endian u32.
 * Source:
 * https://docs.rs/solana-system-interface/latest/solana_system_interface/instruction/enum.SystemInstruction.html
 */

import type { SolanaInstruction } from '@postern/chains/solana/transaction'
import { base58 } from '@scure/base'
import type { Field, IntentStep } from './intent'
import { system } from './solana-accounts'
import { dataViewOf, fieldsOf, ownerField, unnamed } from './solana-instruction'

/** First in a transaction with a durable nonce, which stays valid until it is sent. */
export const advanceNonce = 'Advance nonce'

const native = { symbol: 'SOL', decimals: 9 }

/**
 * CreateAccount 0, Assign 1, Transfer 2, AdvanceNonceAccount 4, AuthorizeNonceAccount 7, AssignWithSeed 10; null for
 * others. Decoded with extra bytes too, because the program accepts them.
 */
export function readSystem({ data, accounts }: SolanaInstruction, owner: string): IntentStep | null {
  if (data.length < 4) return null
  const view = dataViewOf(data)
  const kind = view.getUint32(0, true)
  const [first, second] = accounts
  const step = (name: string, ...fields: readonly Field[]): IntentStep => ({
    kind: 'instruction',
    program: system,
    name,
    fields: [...fields, ...fieldsOf(accounts)],
  })
  if (kind === 2 && data.length === 12) {
    if (first !== owner || second === undefined) return null
    return { kind: 'transfer', to: second ?? unnamed, amount: { raw: `${view.getBigUint64(4, true)}`, ...native } }
  }
  if (kind === 0 && data.length === 52) {
    const amount = { name: 'lamports', value: `${view.getBigUint64(4, true)}` }
    // May be the owner's, if another address pays and it was empty.
    return step('Create account', ...(second === owner ? [ownerField(data.subarray(20, 52), true)] : []), amount)
  }
  if (kind === 1 && data.length >= 36)
    return step('Assign account to a program', ownerField(data.subarray(4, 36), first === owner))
  if (kind === 4 && data.length === 4) return step(advanceNonce)
  if (kind === 7 && data.length >= 36)
    return step('Give the nonce account to another owner', ownerField(data.subarray(4, 36), second === owner))
  if (kind === 10 && data.length >= 76) {
    // Base, seed length, seed, program.
    const end = 44n + view.getBigUint64(36, true)
    if (end + 32n > BigInt(data.length)) return null
    const next = data.subarray(Number(end), Number(end) + 32)
    return step('Assign account to a program', ownerField(next, base58.encode(data.subarray(4, 36)) === owner))
  }
  return null
}
