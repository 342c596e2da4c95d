/** Types are little-endian u32. Source: https://docs.rs/solana-stake-interface, `StakeInstruction` */
import { base58 } from '@scure/base'
import type { IntentStep } from '../../../intent/intent'
import { dataViewOf, fieldsOf, type NamedInstruction, ownerFieldOf } from './instruction'

export const stakeProgram = 'Stake11111111111111111111111111111111111111'

/**
 * Authorize 1 and AuthorizeWithSeed 8 (new authority in the data); AuthorizeChecked 10 and AuthorizeCheckedWithSeed 11
 * (fourth account). An authority withdraws the stake or chooses its validator.
 */
export function readStake({ program, data, accounts }: NamedInstruction, owner: string): readonly IntentStep[] | null {
  if (data.length < 4) return null
  const kind = dataViewOf(data).getUint32(0, true)
  const next =
    (kind === 1 || kind === 8) && data.length >= 36
      ? base58.encode(data.subarray(4, 36))
      : kind === 10 || kind === 11
        ? accounts[3]
        : undefined
  if (next === undefined) return null
  const fields = [ownerFieldOf(next, next !== owner), ...fieldsOf(accounts)]
  return [{ kind: 'instruction', program, name: 'Give the stake account to another owner', fields }]
}
