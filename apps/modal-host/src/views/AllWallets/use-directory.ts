import { limits, type WalletEntry } from '@postern/protocol'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useHost, useSnapshot } from '../../view-kit/host-context'
import { searchFor } from '../../view-kit/wallets/wallet-rows'

export type DirectoryList = {
  readonly status: 'loading' | 'failed' | 'ready'
  readonly entries: readonly WalletEntry[]
  readonly hasCertified: boolean
  readonly isProvisional: boolean
  readonly hasMore: boolean
  loadMore(): void
  retry(): void
}

/**
 * `typed` filters at once; the directory is queried after 500 ms without typing (spec §9). `certified`: only wallets
 * with that badge.
 */
export function useDirectory(typed: string, certified: boolean): DirectoryList {
  const { directory } = useHost()
  // The host adds it to its queries.
  const namespace = useSnapshot((snapshot) => snapshot.wantedNamespace)
  const search = useDebouncedSearch(typed.trim(), limits.debounce)
  const badge = certified ? { certified } : {}

  const pages = useInfiniteQuery({
    queryKey: ['wallets', namespace, certified],
    queryFn: ({ pageParam, signal }) => directory.wallets({ page: pageParam, ...badge }, signal),
    initialPageParam: 1,
    getNextPageParam: (last, all) => (all.length * limits.walletPageEntries < last.count ? all.length + 1 : undefined),
  })
  const found = useQuery({
    queryKey: ['wallets', namespace, certified, search],
    queryFn: ({ signal }) => directory.wallets({ search, ...badge }, signal),
    enabled: search !== '',
    placeholderData: keepPreviousData,
  })

  const loaded = pages.data?.pages.flatMap(({ wallets }) => wallets) ?? []
  const hasCertified = loaded.some(isCertified)
  const query = typed.trim()
  if (query === '')
    return {
      status: pages.data !== undefined ? 'ready' : pages.isError ? 'failed' : 'loading',
      entries: loaded,
      hasCertified,
      isProvisional: false,
      hasMore: pages.hasNextPage && !pages.isFetchNextPageError,
      loadMore: () => void (pages.isFetchingNextPage || pages.fetchNextPage()),
      retry: () => void pages.refetch(),
    }
  const isAnswered = search === query && found.data !== undefined && !found.isPlaceholderData
  const matches = searchFor(query)
  const guesses = loaded.filter(({ name }) => matches(name))
  const failed = search === query && found.isError
  return {
    status: isAnswered || guesses.length > 0 ? 'ready' : failed ? 'failed' : 'loading',
    entries: isAnswered ? found.data.wallets : guesses,
    hasCertified,
    isProvisional: !isAnswered && !failed,
    hasMore: false,
    loadMore: () => undefined,
    retry: () => void found.refetch(),
  }
}

export function isCertified(entry: WalletEntry): boolean {
  return entry.badge_type === 'certified'
}

/** An empty text immediately. */
function useDebouncedSearch(value: string, delayMs: number): string {
  const [search, setSearch] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSearch(value), value === '' ? 0 : delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return search
}
