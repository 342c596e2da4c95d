/** For display only: payments resolve names again (`recipient/resolve-name.ts`). */
import { limits } from '@postern/protocol'
import { plainText } from '@postern/ui/plain-text'
import { useQuery } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { createEntryCache } from '../../services/entry-cache'
import type { MoneyHost } from '../../snapshot/money'
import { useMoney } from '../../view-kit/host-context'

const maxNameLength = 255
/** The registry allows five per address; another service may differ. */
const maxNames = 20

const entries = createEntryCache(
  'ensCache',
  z.array(z.string().check(z.maxLength(maxNameLength))).check(z.maxLength(maxNames)),
  limits.ensCache,
)

/**
 * The names of an address, newest first, each on one line. Cached for 5 min (spec §9) across reloads. Rejects with the
 * service's failure.
 */
export async function loadOwnNames(
  { api, kept, clock }: Pick<MoneyHost, 'api' | 'kept' | 'clock'>,
  address: string,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const key = address.toLowerCase()
  const found = entries.find(kept, clock, key)
  if (found !== null) return found.value
  const profiles = await api.namesOf(address, signal)
  const names = profiles.map(({ name }) => plainText(name, maxNameLength)).filter((name) => name !== '')
  entries.keep(kept, key, clock.now(), names.slice(0, maxNames))
  return names.slice(0, maxNames)
}

export function forgetOwnNames({ kept }: Pick<MoneyHost, 'kept'>, address: string): void {
  entries.forget(kept, address.toLowerCase())
}

/** Empty until loaded, and after a failure. */
export function useOwnNames(address: string): readonly string[] {
  const money = useMoney()
  const { data } = useQuery({
    queryKey: ['names', 'of', address.toLowerCase()],
    queryFn: ({ signal }) => loadOwnNames(money, address, signal),
    staleTime: limits.ensCache,
    retry: false,
  })
  return data ?? []
}
