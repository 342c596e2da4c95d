import { limits } from '@postern/protocol'
import { useQuery } from '@tanstack/react-query'
import type { BlockchainApi } from '../../snapshot/money'
import { useMoney } from '../../view-kit/host-context'
import { useDebounced } from '../../view-kit/use-debounced'
import type { ParsedName } from './name-rule'

export type Availability = {
  readonly status: 'asking' | 'free' | 'taken' | 'failed' | null
  readonly suggestions: readonly string[]
  retry(): void
}

const maxSuggestions = 3

/** Looks a name up once typing has paused for 500 ms (spec §9). */
export function useAvailability(typed: ParsedName): Availability {
  const { api } = useMoney()
  const parsed = typed.kind === 'name' ? typed : null
  const debounced = useDebounced(parsed?.label ?? '')
  const isDebounced = parsed !== null && debounced === parsed.label
  const query = useQuery({
    queryKey: ['names', parsed?.name],
    queryFn: ({ signal }) => fetchAvailability(api, parsed?.label ?? '', parsed?.name ?? '', signal),
    enabled: isDebounced,
    // Another user may register the name meanwhile.
    staleTime: limits.portfolioCache,
  })
  if (parsed === null) return { status: null, suggestions: [], retry: () => undefined }
  return {
    status: query.data?.status ?? (query.isError && isDebounced ? 'failed' : 'asking'),
    suggestions: query.data?.suggestions ?? [],
    retry: () => void query.refetch(),
  }
}

async function fetchAvailability(api: BlockchainApi, label: string, name: string, signal: AbortSignal) {
  const { suggestions } = await api.nameSuggestions(label, signal)
  const suggestion = suggestions.find((one) => one.name.toLowerCase() === name)
  // A service may list only other names.
  const isTaken = suggestion?.registered ?? (await api.name({ name }, signal)) !== null
  const free = suggestions.filter((one) => !one.registered && one.name.toLowerCase() !== name)
  return {
    status: isTaken ? ('taken' as const) : ('free' as const),
    suggestions: isTaken ? free.slice(0, maxSuggestions).map((one) => one.name) : [],
  }
}
