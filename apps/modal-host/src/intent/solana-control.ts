/** Who decides over the accounts that a transaction names: what no balance shows. */

import { readTokenAccount } from '@postern/chains/solana/token-account'
import { base58 } from '@scure/base'
import type * as z from 'zod/mini'
import { bytesIn, type SolanaAccountData, system } from './solana-accounts'
import { viewOf } from './solana-instruction'

type Found = z.infer<typeof SolanaAccountData>
type Known = ReadonlyMap<string, Found>
export type States = { readonly before: Known; readonly after: Known }

/** What a step says that somebody may take of a token account. */
export type Allowance = { readonly account: string; readonly delegate: string; readonly amount: bigint }

const stakeProgram = 'Stake11111111111111111111111111111111111111'

/** Whether the owner's own account is as it was but for its lamports: nobody else's, and with no data, which would keep it from sending anything. */
export function isAccountKept(owner: string, { before, after }: States): boolean {
  const [was, now] = [before.get(owner) ?? null, after.get(owner) ?? null]
  return programOf(was) === programOf(now) && sizeOf(was) === sizeOf(now)
}

/**
 * Who would decide over something of the owner's, and did not before; each once.
 *
 * 1. The program of the owner's own account.
 * 2. Of a token account that is theirs before or after: its next owner, who may close it, and whom it allows more than before and more than a step says.
 * 3. The authorities of a stake account, and that of a nonce.
 */
export function controlGiven(
  keys: readonly string[],
  owner: string,
  { before, after }: States,
  said: readonly Allowance[],
): readonly string[] {
  const given = keys.flatMap((key) => {
    const [was, now] = [before.get(key) ?? null, after.get(key) ?? null]
    if (key === owner) return programOf(was) === programOf(now) ? [] : [programOf(now)]
    return [...tokensGiven(key, owner, was, now, said), ...authorityGiven(owner, was, now)]
  })
  return [...new Set(given)]
}

function tokensGiven(key: string, owner: string, before: Found, after: Found, said: readonly Allowance[]): string[] {
  const [was, now] = [tokensIn(before), tokensIn(after)]
  if (now === null || (now.owner !== owner && was?.owner !== owner)) return []
  if (now.owner !== owner) return [now.owner]
  const closer = now.closeAuthority !== was?.closeAuthority && now.closeAuthority !== owner ? now.closeAuthority : null
  const { delegate, delegated } = now
  const isNews = delegate !== null && (delegate !== was?.delegate || delegated > was.delegated)
  const isSaid = said.some((one) => one.account === key && one.delegate === delegate && one.amount >= delegated)
  return [...(closer === null ? [] : [closer]), ...(isNews && delegate !== owner && !isSaid ? [delegate] : [])]
}

function authorityGiven(owner: string, before: Found, after: Found): readonly string[] {
  const now = authoritiesIn(after)
  return authoritiesIn(before).flatMap((held, at) => {
    const next = now[at]
    return held === owner && next !== undefined && next !== owner ? [next] : []
  })
}

/**
 * Staker and withdrawer of a stake account, the authority of a nonce; in their order.
 * Sources: https://docs.rs/solana-stake-interface and https://docs.rs/solana-nonce, `state`.
 */
function authoritiesIn(found: Found): readonly string[] {
  const data = bytesIn(found)
  if (found === null || data === null) return []
  const keyAt = (offset: number) => base58.encode(data.subarray(offset, offset + 32))
  if (found.owner === stakeProgram && data.length >= 76) {
    const kind = viewOf(data).getUint32(0, true)
    return kind === 1 || kind === 2 ? [keyAt(12), keyAt(44)] : []
  }
  return found.owner === system && data.length === 80 && viewOf(data).getUint32(4, true) === 1 ? [keyAt(8)] : []
}

/** Whether an account may be something that somebody decides over: now, or once it is opened. Others may be large, and are none of it. */
export function isControlled(found: Found): boolean {
  return found === null || found.owner === system || found.owner === stakeProgram || tokensIn(found) !== null
}

export function tokensIn(found: Found) {
  const data = bytesIn(found)
  return found === null || data === null ? null : readTokenAccount(found.owner, data)
}

/** Of an account that is not there, who would have it. */
function programOf(found: Found): string {
  return found?.owner ?? system
}

function sizeOf(found: Found): number {
  return bytesIn(found)?.length ?? 0
}
