import { limits, TokenBalance } from '@postern/protocol'
import * as z from 'zod/mini'
import { createEntryCache } from '../../services/entry-cache'
import type { MoneyHost } from '../../snapshot/money'
import type { Portfolio } from './load-portfolio'

/** Larger portfolios are not cached. */
const maxTokens = 200

const entries = createEntryCache(
  'portfolioCache',
  z.array(TokenBalance).check(z.maxLength(maxTokens)),
  limits.portfolioCache,
)

type Cache = Pick<MoneyHost, 'kept' | 'clock'>

/** At most 30 s old (spec §9). `account` names networks and address. */
export function cachedPortfolio({ kept, clock }: Cache, account: string): { at: number; portfolio: Portfolio } | null {
  const found = entries.find(kept, clock, account)
  return found && { at: found.at, portfolio: { balances: found.value, partial: false } }
}

/** A partial result would pass for the whole. */
export function cachePortfolio({ kept, clock }: Cache, account: string, { balances, partial }: Portfolio): void {
  if (!partial && balances.length <= maxTokens) entries.keep(kept, account, clock.now(), [...balances])
}
