import { limits, TokenBalance } from '@postern/protocol'
import * as z from 'zod/mini'
import { keptEntries } from '../../services/kept-entries'
import type { MoneyHost } from '../../snapshot/money'
import type { Portfolio } from './load-portfolio'

/** Tokens of one account; more are read anew. */
const mostTokens = 200

const entries = keptEntries(
  'portfolioCache',
  z.array(TokenBalance).check(z.maxLength(mostTokens)),
  limits.portfolioCache,
)

type Cache = Pick<MoneyHost, 'kept' | 'clock'>

/** What was known a moment ago (30 s, spec §9), so that a reload shows it at once. `account` names networks and address. */
export function keptPortfolio({ kept, clock }: Cache, account: string): { at: number; portfolio: Portfolio } | null {
  const found = entries.find(kept, clock, account)
  return found && { at: found.at, portfolio: { balances: found.value, partial: false } }
}

/** A part is not kept: it would stand for the whole. */
export function keepPortfolio({ kept, clock }: Cache, account: string, { balances, partial }: Portfolio): void {
  if (!partial && balances.length <= mostTokens) entries.keep(kept, account, clock.now(), [...balances])
}
