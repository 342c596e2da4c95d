/** Finds changes of control, which balances do not show. */

import { readMint, readTokenAccount, token2022Program, tokenProgram } from '@postern/chains/solana/token-account'
import { base58 } from '@scure/base'
import type * as z from 'zod/mini'
import { bytesIn, type SolanaAccountData, system } from './accounts'
import { dataViewOf } from './instruction'
import { stakeProgram } from './stake'

type AccountData = z.infer<typeof SolanaAccountData>
type AccountStates = ReadonlyMap<string, AccountData>
export type States = { readonly before: AccountStates; readonly after: AccountStates }

export type Allowance = { readonly account: string; readonly delegate: string; readonly amount: bigint }

/** Whether the program is the same, and there is no data, with which the account could not send. */
export function isSameAccount(owner: string, { before, after }: States): boolean {
  const [was, now] = [before.get(owner) ?? null, after.get(owner) ?? null]
  return programOf(was) === programOf(now) && sizeOf(was) === sizeOf(now)
}

/**
 * Addresses that would gain control over something of the owner's, without duplicates.
 *
 * 1. The new program of the owner's own account.
 * 2. Of a token account that is the owner's before or after: its new owner, a new close authority, and a delegate whose
 *    allowance exceeds the previous one and the step's.
 * 3. New authorities of a stake, vote or nonce account, and of a mint.
 */
export function newControllers(
  keys: readonly string[],
  owner: string,
  { before, after }: States,
  allowances: readonly Allowance[],
): readonly string[] {
  const controllers = keys.flatMap((key) => {
    const [was, now] = [before.get(key) ?? null, after.get(key) ?? null]
    if (key === owner) return programOf(was) === programOf(now) ? [] : [programOf(now)]
    return [...newTokenControllers(key, owner, was, now, allowances), ...newAuthorities(owner, was, now)]
  })
  return [...new Set(controllers)]
}

function newTokenControllers(
  key: string,
  owner: string,
  before: AccountData,
  after: AccountData,
  allowances: readonly Allowance[],
): string[] {
  const [was, now] = [tokensIn(before), tokensIn(after)]
  if (now === null || (now.owner !== owner && was?.owner !== owner)) return []
  if (now.owner !== owner) return [now.owner]
  const closer = now.closeAuthority !== was?.closeAuthority && now.closeAuthority !== owner ? now.closeAuthority : null
  const { delegate, delegated } = now
  const isNews = delegate !== null && (delegate !== was?.delegate || delegated > was.delegated)
  const isStated = allowances.some((one) => one.account === key && one.delegate === delegate && one.amount >= delegated)
  return [...(closer === null ? [] : [closer]), ...(isNews && delegate !== owner && !isStated ? [delegate] : [])]
}

function newAuthorities(owner: string, before: AccountData, after: AccountData): readonly string[] {
  const now = authoritiesIn(after)
  return authoritiesIn(before).flatMap((authority, at) => {
    const next = now[at]
    return authority === owner && next !== undefined && next !== '' && next !== owner ? [next] : []
  })
}

/**
 * Lamports that leave accounts from which only the owner withdraws. Omits new accounts, because when they pay out is
 * unknown.
 */
export function withdrawn(keys: readonly string[], owner: string, { before, after }: States): bigint {
  const heldIn = (found: AccountData) => (authoritiesIn(found)[0] === owner ? BigInt(found?.lamports ?? 0) : 0n)
  const left = keys.reduce((sum, key) => {
    const had = heldIn(before.get(key) ?? null)
    return had === 0n ? sum : sum + had - heldIn(after.get(key) ?? null)
  }, 0n)
  return left > 0n ? left : 0n
}

const voteProgram = 'Vote111111111111111111111111111111111111111'

/**
 * By account, the withdrawing authority first; empty text for none.
 *
 * - Stake: withdrawer, staker, custodian (without one, the withdrawer sets it).
 * - Vote: withdrawer, node. Nonce: authority.
 * - Mint, after a gap: issuer, freezer.
 *
 * Sources: https://docs.rs/solana-stake-interface, https://docs.rs/solana-vote-interface and
 * https://docs.rs/solana-nonce, `state`; https://docs.rs/spl-token-interface, `state::Mint`.
 */
function authoritiesIn(found: AccountData): readonly string[] {
  const data = bytesIn(found)
  if (found === null || data === null) return []
  const keyAt = (offset: number) => base58.encode(data.subarray(offset, offset + 32))
  const kindAt = (offset: number) => dataViewOf(data).getUint32(offset, true)
  if (found.owner === stakeProgram && data.length >= 124 && (kindAt(0) === 1 || kindAt(0) === 2)) {
    const [staker, withdrawer, custodian] = [keyAt(12), keyAt(44), keyAt(92)]
    return [withdrawer, staker, custodian === system ? withdrawer : custodian]
  }
  if (found.owner === voteProgram && data.length >= 68 && kindAt(0) > 0) return [keyAt(36), keyAt(4)]
  if (found.owner === system) return data.length === 80 && kindAt(4) === 1 ? [keyAt(8)] : []
  if (readMint(found.owner, data) === null) return []
  return ['', ...[0, 46].map((offset) => (kindAt(offset) === 1 ? keyAt(offset + 4) : ''))]
}

const controlledPrograms: ReadonlySet<string> = new Set([
  system,
  stakeProgram,
  voteProgram,
  tokenProgram,
  token2022Program,
])

/** Skips other accounts, which may be large. */
export function isControlled(found: AccountData): boolean {
  return found === null || controlledPrograms.has(found.owner)
}

export function tokensIn(found: AccountData) {
  const data = bytesIn(found)
  return found === null || data === null ? null : readTokenAccount(found.owner, data)
}

function programOf(found: AccountData): string {
  return found?.owner ?? system
}

function sizeOf(found: AccountData): number {
  return bytesIn(found)?.length ?? 0
}
