import { limits } from '@postern/protocol'
import { useQuery } from '@tanstack/react-query'
import type { BlockchainApi } from '../../snapshot/money'
import { useMoney } from '../../view-kit/use-money'
import { useRested } from '../../view-kit/use-rested'
import type { TypedName } from './name-rule'

export type Availability = {
  /** Null before a lookup. */
  readonly status: 'asking' | 'free' | 'taken' | 'failed' | null
  readonly suggestions: readonly string[]
  retry(): void
}

/** Max suggested names. */
const most = 3

/** Looked up once typing has paused for 500 ms (spec §9). */
export function useAvailability(typed: TypedName): Availability {
  const { api } = useMoney()
  const wanted = typed.kind === 'name' ? typed : null
  const rested = useRested(wanted?.label ?? '')
  const isRested = wanted !== null && rested === wanted.label
  const query = useQuery({
    queryKey: ['names', wanted?.name],
    queryFn: ({ signal }) => ask(api, wanted?.label ?? '', wanted?.name ?? '', signal),
    enabled: isRested,
    // Another user may take it meanwhile.
    staleTime: limits.portfolioCache,
  })
  if (wanted === null) return { status: null, suggestions: [], retry: () => undefined }
  return {
    status: query.data?.status ?? (query.isError && isRested ? 'failed' : 'asking'),
    suggestions: query.data?.suggestions ?? [],
    retry: () => void query.refetch(),
  }
}

async function ask(api: BlockchainApi, label: string, name: string, signal: AbortSignal) {
  const { suggestions } = await api.nameSuggestions(label, signal)
  const own = suggestions.find((one) => one.name.toLowerCase() === name)
  // A service may list only other names.
  const isTaken = own?.registered ?? (await api.name(name, signal)) !== null
  const free = suggestions.filter((one) => !one.registered && one.name.toLowerCase() !== name)
  return {
    status: isTaken ? ('taken' as const) : ('free' as const),
    suggestions: isTaken ? free.slice(0, most).map((one) => one.name) : [],
  }
}
