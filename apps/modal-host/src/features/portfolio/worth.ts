import type { TokenBalance } from '@postern/protocol'
import { centsOf } from '../../view-kit/fiat'

/**
 * Whole cents of all that has a known price, each rounded down; 0 of nothing. Null where there is something, and nobody knows a price of any of it.
 * What is on a test network is worth nothing.
 */
export function totalCents(balances: readonly TokenBalance[], isTest: (chainId: string) => boolean): bigint | null {
  const real = balances.filter(({ chainId }) => !isTest(chainId))
  const priced = real.filter(({ price }) => price > 0)
  if (real.length > 0 && priced.length === 0) return null
  return priced.reduce((total, { quantity, price }) => total + (centsOf(quantity.numeric, price) ?? 0n), 0n)
}
