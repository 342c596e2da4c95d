import { isSpam, type TokenBalance } from '@postern/protocol'
import { centsOf } from '../../view-kit/format/fiat'

/** Rounds each balance down; 0 if empty, null if no balance has a price. Testnet balances and spam are ignored. */
export function totalCents(balances: readonly TokenBalance[], isTest: (chainId: string) => boolean): bigint | null {
  const real = balances.filter((balance) => !isTest(balance.chainId) && !isSpam(balance))
  const priced = real.filter(({ price }) => price > 0)
  if (real.length > 0 && priced.length === 0) return null
  return priced.reduce((total, { quantity, price }) => total + (centsOf(quantity.numeric, price) ?? 0n), 0n)
}
