import type { Clock } from '@postern/base/clock'
import { limits } from '@postern/protocol'
import * as z from 'zod/mini'
import { createEntryCache, type EntryMemory } from '../services/entry-cache'

const Balance = z.object({
  formatted: z.string().check(z.regex(/^\d{1,90}\.\d{3}$/)),
  symbol: z.string().check(z.maxLength(64)),
})
const entries = createEntryCache('nativeBalanceCache', Balance, limits.nativeBalanceCache)

export type BalanceMemory = EntryMemory
type CachedBalance = { readonly at: number; readonly formatted: string; readonly symbol: string }

/** A balance read less than 30 s ago (spec §9), even before a reload. */
export function cachedBalance(memory: BalanceMemory, clock: Clock, account: string): CachedBalance | null {
  const entry = entries.find(memory, clock, account)
  return entry && { at: entry.at, ...entry.value }
}

export function cacheBalance(memory: BalanceMemory, account: string, { at, formatted, symbol }: CachedBalance): void {
  entries.keep(memory, account, at, { formatted, symbol })
}
