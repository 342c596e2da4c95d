import type { CaipNetworkId } from '@postern/protocol'
import { type Scope, scopeKey } from '../portfolio/load-portfolio'

/** Where each scope goes on, by its key: '' from its beginning. One that is not in it has no more. */
export type Cursor = ReadonlyMap<string, string>
export type Page<T> = { readonly items: readonly T[]; readonly next: Cursor | null }

type Asked<T> = {
  /** A page of one account, from `cursor` on. */
  readonly ask: (query: {
    readonly address: string
    readonly chainId?: CaipNetworkId
    readonly cursor?: string
  }) => Promise<{ readonly items: readonly T[]; readonly next: string | null }>
  /** CAIP-2; undefined where nobody said. */
  readonly networkOf: (item: T) => string | undefined
}

/**
 * A page of what accounts have or did: of each one page, without a cursor the first.
 *
 * 1. Of one network that alone is asked for; of several all that the service knows, less those that are not meant.
 * 2. An account that does not answer is left out, and goes on where it stood; where nobody answers that is a failure.
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
