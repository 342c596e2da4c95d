import type { Nft } from '@postern/protocol'
import { useText } from '@postern/ui/locales/text'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useActions, useMoney, useSnapshot } from '../../view-kit/host-context'
import { newestData } from '../../view-kit/loading/query-client'
import { type SpamChoice, useScopes, useSpam } from '../account/account-state'
import type { Cursor } from '../account/load-page'
import { scopeKey } from '../portfolio/load-portfolio'
import { loadNfts } from './load-nfts'

const newest: Cursor | null = null

export type ShownNfts = {
  readonly status: 'loading' | 'ready' | 'failed'
  readonly nfts: readonly Nft[]
  readonly hidden: number
  readonly spam: SpamChoice
  readonly hasMore: boolean
  readonly isCut: boolean
  /** Epoch ms. */
  readonly failedAt: number
  more(): void
  retry(): void
}

/**
 * Loads only while the modal is open, and again after money moved. The NFTs on screen stay meanwhile, and after a
 * failure.
 */
export function useNfts(): ShownNfts {
  const t = useText()
  const money = useMoney()
  const { notify } = useActions()
  const { scopes } = useScopes()
  const open = useSnapshot((snapshot) => snapshot.open)
  const moves = useSnapshot((snapshot) => snapshot.moves)
  const key = scopes.map(scopeKey).join(' ')
  const client = useQueryClient()
  const pages = useInfiniteQuery({
    queryKey: ['nfts', key, moves],
    async queryFn({ pageParam, signal }) {
      try {
        return await loadNfts(money.api, scopes, pageParam, signal)
      } catch (thrown) {
        if (!signal.aborted) notify(t('nfts.failed'), 'bad')
        throw thrown
      }
    },
    initialPageParam: newest,
    getNextPageParam: ({ next }) => next,
    enabled: open,
    networkMode: 'always',
    staleTime: 60_000,
    retry: false,
    retryOnMount: false,
    refetchOnWindowFocus: false,
  })
  const spam = useSpam('nfts')
  const data = pages.data ?? newestData<typeof pages.data>(client, ['nfts', key])
  const all = data?.pages.flatMap((page) => page.items) ?? []
  const nfts = spam.isShown ? all : all.filter(({ isSpam }) => isSpam !== true)
  return {
    status: data !== undefined ? 'ready' : pages.isError && !pages.isFetching ? 'failed' : 'loading',
    nfts,
    hidden: all.length - nfts.length,
    spam,
    hasMore: pages.hasNextPage,
    isCut: pages.isFetchNextPageError,
    failedAt: pages.errorUpdatedAt,
    more: () => void (pages.isFetching || pages.fetchNextPage()),
    retry: () => void pages.refetch(),
  }
}
