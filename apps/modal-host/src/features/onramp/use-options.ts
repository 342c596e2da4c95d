import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMoney } from '../../view-kit/host-context'
import { useDebounced } from '../../view-kit/use-debounced'
import type { Offer } from './offers'

const quoteLifetimeMs = 30_000

export function useOptions() {
  const { api } = useMoney()
  return useQuery({
    queryKey: ['onramp'],
    queryFn: ({ signal }) => api.onRampOptions(signal),
    staleTime: 5 * 60_000,
    retry: false,
  })
}

/** Requested once typing has paused (spec §9). */
export function useQuote(
  request: { readonly offer: Offer; readonly amount: string; readonly currency: string } | null,
) {
  const { api } = useMoney()
  const debounced = useDebounced(request?.amount ?? '')
  const debouncedRequest = request !== null && debounced === request.amount ? request : null
  const { offer, amount, currency } = debouncedRequest ?? request ?? {}
  const query = useQuery({
    queryKey: ['onramp-quote', offer?.id, offer?.network, amount, currency],
    queryFn: ({ signal }) =>
      api.onRampQuote(
        {
          purchaseCurrency: offer?.id ?? '',
          paymentCurrency: currency ?? '',
          amount: amount ?? '',
          network: offer?.network ?? '',
        },
        signal,
      ),
    enabled: debouncedRequest !== null,
    staleTime: quoteLifetimeMs,
    refetchInterval: quoteLifetimeMs,
    retry: false,
    placeholderData: keepPreviousData,
  })
  const isOld = debouncedRequest === null || query.isPlaceholderData
  return {
    quote: request === null || (isOld && query.data === undefined) ? null : (query.data ?? null),
    isOld,
    failed: debouncedRequest !== null && query.isError && !query.isFetching ? query.error : null,
    retry: () => void query.refetch(),
  }
}
