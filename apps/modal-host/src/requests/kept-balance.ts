import { limits } from '@postern/protocol'
import type { Clock } from '@postern/protocol/clock'
import * as z from 'zod/mini'
import { type EntryMemory, keptEntries } from '../services/kept-entries'

const Balance = z.object({
  formatted: z.string().check(z.regex(/^\d{1,90}\.\d{3}$/)),
  symbol: z.string().check(z.maxLength(64)),
})
const entries = keptEntries('nativeBalanceCache', Balance, limits.nativeBalanceCache)

export type BalanceMemory = EntryMemory
type KeptBalance = { readonly at: number; readonly formatted: string; readonly symbol: string }

/** Read less than 30 s ago (spec §9), even before a reload. */
export function keptBalance(memory: BalanceMemory, clock: Clock, account: string): KeptBalance | null {
  const found = entries.find(memory, clock, account)
  return found && { at: found.at, ...found.value }
}

export function keepBalance(memory: BalanceMemory, account: string, { at, formatted, symbol }: KeptBalance): void {
  entries.keep(memory, account, at, { formatted, symbol })
}
