import { use } from 'react'
import type { MoneyHost } from '../snapshot/money'
import { useHost } from './host-context'

/** What a feature stands on; the view waits for its code. The host keeps one promise of it, so that nothing is asked for twice. */
export function useMoney(): MoneyHost {
  return use(useHost().money())
}
