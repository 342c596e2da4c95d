/** Finds changes of control, which balances do not show. */

import { readTokenAccount } from '@postern/chains/solana/token-account'
import { base58 } from '@scure/base'
import type * as z from 'zod/mini'
import { bytesIn, type SolanaAccountData, system } from './accounts'
import { dataViewOf } from './instruction'
import { stakeProgram } from './stake'

type AccountData = z.infer<typeof SolanaAccountData>
type AccountStates = ReadonlyMap<string, AccountData>
export type States = { readonly before: AccountStates; readonly after: AccountStates }

/** As stated by a step. */
export type Allowance = { readonly account: string; readonly delegate: string; readonly amount: bigint }

/** Only lamports changed: same program, and no data, with which it could not send. */
export function isSameAccount(owner: string, { before, after }: States): boolean {
  const [was, now] = [before.get(owner) ?? null, after.get(owner) ?? null]
  return programOf(was) === programOf(now) && sizeOf(was) === sizeOf(now)
}

/**
 * Addresses that would gain control over something of the owner's; without duplicates.
 *
 * 1. The new program of the owner's own account.
 * 2. For a token account that is the owner's before or after: its new owner, a new close authority, and a delegate
 *    whose allowance exceeds both the previous allowance and the step's.
 * 3. New authorities of a stake or nonce account.
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
    return authority === owner && next !== undefined && next !== owner ? [next] : []
  })
}

/**
 * Staker and withdrawer, or a nonce account's authority.
 * Sources: https://docs.rs/solana-stake-interface and https://docs.rs/solana-nonce, `state`.
 */
function authoritiesIn(found: AccountData): readonly string[] {
  const data = bytesIn(found)
  if (found === null || data === null) return []
  const keyAt = (offset: number) => base58.encode(data.subarray(offset, offset + 32))
  if (found.owner === stakeProgram && data.length >= 76) {
    const kind = dataViewOf(data).getUint32(0, true)
    return kind === 1 || kind === 2 ? [keyAt(12), keyAt(44)] : []
  }
  return found.owner === system && data.length === 80 && dataViewOf(data).getUint32(4, true) === 1 ? [keyAt(8)] : []
}

/** Now or once it exists. Skips others, which may be large. */
export function isControlled(found: AccountData): boolean {
  return found === null || found.owner === system || found.owner === stakeProgram || tokensIn(found) !== null
}

export function tokensIn(found: AccountData) {
  const data = bytesIn(found)
  return found === null || data === null ? null : readTokenAccount(found.owner, data)
}

/** The system program owns missing accounts. */
function programOf(found: AccountData): string {
  return found?.owner ?? system
}

function sizeOf(found: AccountData): number {
  return bytesIn(found)?.length ?? 0
}
