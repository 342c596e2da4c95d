/**
 * The history of an account (interop §3).
 *
 * 1. One network: newest first, in pages.
 * 2. No network named: all common ones (EVM: with an indexer). A page merges one page of each, by time. A failing
 *    network is left out, and retried from its position with the next page; if all fail, that is an error.
 * 3. A cursor holds the position of each network.
 */
import { CaipNetworkId, type HistoryResponse } from '@postern/protocol'
import * as z from 'zod/mini'
import { problem } from '../../../platform/http/problem'
import type { Log } from '../../../platform/log/log'
import type { Upstreams } from '../../../platform/upstreams/rpc'
import type { Esplora } from '../../esplora/upstream'
import type { Account, KnownNetwork } from '../account'
import { namespaceReaders } from '../namespaces'
import { networksOf } from '../read-account'
import type { TokenList } from '../tokens'
import { describe, type Page } from './landed'

export type HistoryOptions = {
  readonly networks: ReadonlyMap<CaipNetworkId, KnownNetwork>
  readonly indexers: ReadonlyMap<CaipNetworkId, string>
  readonly upstreams: Upstreams
  readonly esplora: Esplora
  readonly fetch: typeof globalThis.fetch
  readonly tokens: TokenList
  /** Blocks to scan without an indexer. */
  readonly logBlocks: number
  readonly hasTokenImage: (symbol: string) => boolean
  readonly log: Pick<Log, 'warn'>
  /** Epoch milliseconds. */
  readonly now: () => number
}

export type HistoryQuestion = { readonly chainId?: string | undefined; readonly cursor?: string | undefined }
/** @param imageUrl path of an NFT's picture, by key. */
export type History = (
  account: Account,
  question: HistoryQuestion,
  imageUrl: (key: string) => string,
) => Promise<HistoryResponse>

/** Position per network: a block, signature or id; empty: the beginning. */
const Cursor = z.record(CaipNetworkId, z.string().check(z.regex(/^[0-9a-zA-Z-]{0,128}$/)))
const maxCursorLength = 8_192

export function createHistory(options: HistoryOptions): History {
  const { networks, indexers, upstreams, log } = options

  const read = (network: KnownNetwork, address: string, cursor: string | null): Promise<Page> =>
    namespaceReaders[network.namespace].history(network, address, cursor, {
      ...options,
      chain: { upstreams, urls: network.urls },
    })

  return async (account, { chainId, cursor }, imageUrl) => {
    const describing = { ...options, imageUrl }
    const from = cursor === undefined ? null : readCursor(cursor)
    const queried = networksOf(networks, account, chainId).filter(
      ({ id, namespace }) =>
        (from === null || from.has(id)) &&
        (chainId !== undefined || !namespaceReaders[namespace].historyNeedsIndexer || indexers.has(id)),
    )
    const positions = queried.map(({ id }) => from?.get(id) ?? '')
    const outcomes = await Promise.allSettled(
      queried.map((network, index) => read(network, account.address, positions[index] || null)),
    )
    const next: Record<string, string> = {}
    const data: HistoryResponse['data'] = []
    const failed: PromiseRejectedResult[] = []
    for (const [index, { id }] of queried.entries()) {
      const outcome = outcomes[index]
      if (outcome?.status === 'fulfilled') {
        data.push(...outcome.value.landed.flatMap((landed) => describe(landed, account.address, describing) ?? []))
        if (outcome.value.next !== null) next[id] = outcome.value.next
      } else if (outcome !== undefined) {
        failed.push(outcome)
        next[id] = positions[index] ?? ''
        log.warn({ chainId: id }, 'history left out')
      }
    }
    const [first] = failed
    if (first !== undefined && failed.length === outcomes.length) throw first.reason
    data.sort((a, b) => b.metadata.minedAt.localeCompare(a.metadata.minedAt))
    return { data, next: Object.keys(next).length === 0 ? null : writeCursor(next) }
  }
}

function writeCursor(positions: Readonly<Record<string, string>>): string {
  return Buffer.from(JSON.stringify(positions)).toString('base64url')
}

/** @throws {Problem} 400 */
function readCursor(text: string): ReadonlyMap<string, string> {
  try {
    if (text.length > maxCursorLength) throw new RangeError('too long')
    return new Map(Object.entries(Cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))))
  } catch {
    throw problem(400, 'cursor', 'This is no cursor of ours')
  }
}
