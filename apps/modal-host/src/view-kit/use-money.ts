import { use } from 'react'
import type { MoneyHost } from '../snapshot/money'
import { useHost } from './host-context'

/** Suspends until the features' code has loaded. */
export function useMoney(): MoneyHost {
  return use(useHost().money())
}
