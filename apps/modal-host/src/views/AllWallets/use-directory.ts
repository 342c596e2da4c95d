/** Pages that load on scroll, or search results. */
import { limits, type WalletEntry } from '@postern/protocol'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useHost, useSnapshot } from '../../view-kit/host-context'
import { searchFor } from '../../view-kit/wallet-rows'

export type DirectoryList = {
  readonly status: 'loading' | 'failed' | 'ready'
  readonly entries: readonly WalletEntry[]
  /** Only those loaded so far. */
  readonly isProvisional: boolean
  readonly hasMore: boolean
  loadMore(): void
  retry(): void
}

/** `typed` filters at once; the directory is queried after 500 ms without typing (spec §9). */
export function useDirectory(typed: string): DirectoryList {
  const { directory } = useHost()
  // The host adds it to its queries.
  const wanted = useSnapshot((snapshot) => snapshot.wantedNamespace)
  const search = useRested(typed.trim(), limits.debounce)

  const pages = useInfiniteQuery({
    queryKey: ['wallets', wanted],
    queryFn: ({ pageParam, signal }) => directory.wallets({ page: pageParam }, signal),
    initialPageParam: 1,
    getNextPageParam: (last, all) => (all.length * limits.walletPageEntries < last.count ? all.length + 1 : undefined),
  })
  const found = useQuery({
    queryKey: ['wallets', wanted, search],
    queryFn: ({ signal }) => directory.wallets({ search }, signal),
    enabled: search !== '',
    placeholderData: keepPreviousData,
  })

  const known = pages.data?.pages.flatMap(({ wallets }) => wallets) ?? []
  const asked = typed.trim()
  if (asked === '')
    return {
      status: pages.data !== undefined ? 'ready' : pages.isError ? 'failed' : 'loading',
      entries: known,
      isProvisional: false,
      hasMore: pages.hasNextPage && !pages.isFetchNextPageError,
      loadMore: () => void (pages.isFetchingNextPage || pages.fetchNextPage()),
      retry: () => void pages.refetch(),
    }
  const isAnswered = search === asked && found.data !== undefined && !found.isPlaceholderData
  const isMeant = searchFor(asked)
  const guesses = known.filter(({ name }) => isMeant(name))
  const failed = search === asked && found.isError
  return {
    status: isAnswered || guesses.length > 0 ? 'ready' : failed ? 'failed' : 'loading',
    entries: isAnswered ? found.data.wallets : guesses,
    isProvisional: !isAnswered && !failed,
    hasMore: false,
    loadMore: () => undefined,
    retry: () => void found.refetch(),
  }
}

/** After `rest` ms without a change; empty at once. */
function useRested(value: string, rest: number): string {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), value === '' ? 0 : rest)
    return () => clearTimeout(timer)
  }, [value, rest])
  return rested
}
