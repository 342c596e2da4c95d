import type { CaipNetworkId } from '@postern/protocol'
import { type Scope, scopeKey } from '../portfolio/load-portfolio'

/** Next pages by scope key; '' is the start. A missing scope has no more pages. */
export type Cursor = ReadonlyMap<string, string>
export type Page<T> = { readonly items: readonly T[]; readonly next: Cursor | null }

type PageSource<T> = {
  readonly fetchPage: (query: {
    readonly address: string
    readonly chainId?: CaipNetworkId
    readonly cursor?: string
  }) => Promise<{ readonly items: readonly T[]; readonly next: string | null }>
  /** CAIP-2; undefined if unknown. */
  readonly networkOf: (item: T) => string | undefined
}

/**
 * One page of each account; without a cursor the first.
 *
 * 1. A single network is queried alone; for several, all are queried and others dropped.
 * 2. A failed account is left out and resumes at its cursor; if all fail, it rejects.
 */
export async function loadPage<T>(
  { fetchPage, networkOf }: PageSource<T>,
  scopes: readonly Scope[],
  cursor: Cursor | null,
  signal?: AbortSignal,
): Promise<Page<T>> {
  const pending = scopes.filter((scope) => cursor === null || cursor.has(scopeKey(scope)))
  const outcomes = await Promise.allSettled(
    pending.map(async (scope) => {
      const { address, networks } = scope
      const [only, ...more] = networks
      const from = cursor?.get(scopeKey(scope)) ?? ''
      const chainIds = new Set<string | undefined>(networks.map(({ caipNetworkId }) => caipNetworkId))
      const { items, next } = await fetchPage({
        address,
        ...(only !== undefined && more.length === 0 && { chainId: only.caipNetworkId }),
        ...(from !== '' && { cursor: from }),
      })
      return { next, items: items.filter((item) => networkOf(item) === undefined || chainIds.has(networkOf(item))) }
    }),
  )
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  const hasSucceeded = outcomes.some((outcome) => outcome.status === 'fulfilled')
  if (failed !== undefined && (!hasSucceeded || signal?.aborted)) throw failed.reason
  const next = new Map(
    pending.flatMap((scope, index) => {
      const outcome = outcomes[index]
      const key = scopeKey(scope)
      const from = outcome?.status === 'fulfilled' ? outcome.value.next : (cursor?.get(key) ?? '')
      return from === null ? [] : [[key, from] as const]
    }),
  )
  return {
    items: outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value.items : [])),
    next: next.size === 0 ? null : next,
  }
}
