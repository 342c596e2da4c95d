/** The names that an address has in the gateway's registry. They are for the eye: where money goes is looked up anew each time (`recipient/resolve-name.ts`). */
import { limits } from '@postern/protocol'
import { plainText } from '@postern/ui/plain-text'
import { useQuery } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { keptEntries } from '../../services/kept-entries'
import type { MoneyHost } from '../../snapshot/money'
import { useMoney } from '../../view-kit/use-money'

const longestName = 255
/** A registry lets an address have five; another service may count otherwise. */
const mostNames = 20

const entries = keptEntries(
  'ensCache',
  z.array(z.string().check(z.maxLength(longestName))).check(z.maxLength(mostNames)),
  limits.ensCache,
)

/** The newest first, each in one line. What was found is kept for 5 min (spec §9), over a reload too. Rejects with what the service fails with. */
export async function loadOwnNames(
  { api, kept, clock }: Pick<MoneyHost, 'api' | 'kept' | 'clock'>,
  address: string,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const key = address.toLowerCase()
  const found = entries.find(kept, clock, key)
  if (found !== null) return found.value
  const profiles = await api.namesOf(address, signal)
  const names = profiles.map(({ name }) => plainText(name, longestName)).filter((name) => name !== '')
  entries.keep(kept, key, clock.now(), names.slice(0, mostNames))
  return names.slice(0, mostNames)
}

/** For an address that may have another name by now. */
export function forgetOwnNames({ kept }: Pick<MoneyHost, 'kept'>, address: string): void {
  entries.forget(kept, address.toLowerCase())
}

/** None until they are known, and where nobody answers. */
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
