import type { CaipNetworkId } from '@postern/protocol'
import { type Scope, scopeKey } from '../portfolio/load-portfolio'

/** By scope key; '' is the start. A missing scope has no more pages. */
export type Cursor = ReadonlyMap<string, string>
export type Page<T> = { readonly items: readonly T[]; readonly next: Cursor | null }

type Asked<T> = {
  readonly ask: (query: {
    readonly address: string
    readonly chainId?: CaipNetworkId
    readonly cursor?: string
  }) => Promise<{ readonly items: readonly T[]; readonly next: string | null }>
  /** CAIP-2; undefined if unknown. */
  readonly networkOf: (item: T) => string | undefined
}

/**
 * One page of each account, without a cursor the first.
 *
 * 1. A single network is queried alone; for several, everything is queried and other networks are dropped.
 * 2. A failed account is left out and resumes at its cursor; if all fail, it rejects.
 */
export async function loadPage<T>(
  { ask, networkOf }: Asked<T>,
  scopes: readonly Scope[],
  cursor: Cursor | null,
  signal?: AbortSignal,
): Promise<Page<T>> {
  const asked = scopes.filter((scope) => cursor === null || cursor.has(scopeKey(scope)))
  const outcomes = await Promise.allSettled(
    asked.map(async (scope) => {
      const { address, networks } = scope
      const [only, ...more] = networks
      const from = cursor?.get(scopeKey(scope)) ?? ''
      const meant = new Set<string | undefined>(networks.map(({ caipNetworkId }) => caipNetworkId))
      const { items, next } = await ask({
        address,
        ...(only !== undefined && more.length === 0 && { chainId: only.caipNetworkId }),
        ...(from !== '' && { cursor: from }),
      })
      return { next, items: items.filter((item) => networkOf(item) === undefined || meant.has(networkOf(item))) }
    }),
  )
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  const isAnswered = outcomes.some((outcome) => outcome.status === 'fulfilled')
  if (failed !== undefined && (!isAnswered || signal?.aborted)) throw failed.reason
  const next = new Map(
    asked.flatMap((scope, index) => {
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
