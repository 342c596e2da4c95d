import { limits, readStored, TokenBalance } from '@postern/protocol'
import * as z from 'zod/mini'
import type { MoneyHost } from '../contract'
import type { Portfolio } from './load-portfolio'

const Kept = z.record(
  z.string(),
  z.object({ timestamp: z.number(), value: z.array(TokenBalance).check(z.maxLength(200)) }),
)

const name = 'portfolioCache'
/** Accounts that are remembered; the oldest goes first. */
const remembered = 8

type Cache = Pick<MoneyHost, 'kept' | 'clock'>

/** What was known a moment ago (30 s, spec §9), so that a reload shows it at once. `account` is CAIP-10. */
export function keptPortfolio({ kept, clock }: Cache, account: string): { at: number; portfolio: Portfolio } | null {
  const found = readStored(Kept, kept.get(name))?.[account]
  if (found === undefined || clock.now() - found.timestamp >= limits.portfolioCache) return null
  return { at: found.timestamp, portfolio: { balances: found.value, partial: false } }
}

/** A part is not kept: it would stand for the whole. */
export function keepPortfolio({ kept, clock }: Cache, account: string, { balances, partial }: Portfolio): void {
  if (partial) return
  const others = Object.entries(readStored(Kept, kept.get(name)) ?? {})
    .filter(([other]) => other !== account)
    .sort(([, one], [, other]) => other.timestamp - one.timestamp)
    .slice(0, remembered - 1)
  const value = { timestamp: clock.now(), value: balances.slice(0, 200) }
  kept.set(name, JSON.stringify(Object.fromEntries([[account, value], ...others])))
}
