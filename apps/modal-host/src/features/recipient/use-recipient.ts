import { type CaipNetworkId, limits } from '@postern/protocol'
import { useQuery } from '@tanstack/react-query'
import { useMoney } from '../../view-kit/host-context'
import { useDebounced } from '../../view-kit/use-debounced'
import { readRecipient } from './read-recipient'
import type { RecipientFault } from './recipient-rules'
import { resolveName } from './resolve-name'

export type Recipient =
  | { readonly kind: 'empty' }
  | { readonly kind: 'looking'; readonly name: string | null }
  | { readonly kind: 'found'; readonly address: string; readonly name: string | null }
  | { readonly kind: 'invalid'; readonly reason: RecipientFault }
  | { readonly kind: 'unregistered' | 'noAddress'; readonly name: string }
  | { readonly kind: 'failed'; readonly name: string; retry(): void }

/** An address is parsed at once; a name is resolved once typing has paused. */
export function useRecipient(text: string, networkId: CaipNetworkId): Recipient {
  const money = useMoney()
  const read = useQuery({
    queryKey: ['recipient', networkId, text],
    queryFn: () => readRecipient(text, networkId),
    networkMode: 'always',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  const debounced = useDebounced(text)
  const name = read.data?.kind === 'name' ? read.data.name : null
  const resolved = useQuery({
    queryKey: ['name', networkId, name],
    queryFn: ({ signal }) => resolveName(money.api, name ?? '', networkId, signal),
    enabled: name !== null && debounced === text,
    networkMode: 'always',
    staleTime: limits.ensCache,
    retry: false,
    refetchOnWindowFocus: false,
  })
  if (text.trim() === '') return { kind: 'empty' }
  if (read.data === undefined) return { kind: 'looking', name: null }
  if (read.data.kind === 'address') return { kind: 'found', address: read.data.address, name: null }
  if (name === null) return read.data.kind === 'invalid' ? read.data : { kind: 'empty' }
  if (resolved.isFetching || (debounced !== text && resolved.data === undefined)) return { kind: 'looking', name }
  if (resolved.data === undefined)
    return resolved.isError ? { kind: 'failed', name, retry: () => void resolved.refetch() } : { kind: 'looking', name }
  const { data } = resolved
  return data.kind === 'found' ? { kind: 'found', address: data.address, name } : { kind: data.kind, name }
}
