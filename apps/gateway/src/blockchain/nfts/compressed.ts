/**
 * Compressed collectibles of Solana, which are in no account but leaves of a tree: told by a node that speaks the Digital Asset Standard's API, where whoever runs this
 * gateway names one (`POSTERN_DAS`). Source: https://github.com/metaplex-foundation/digital-asset-standard-api (`searchAssets`, `getAsset`).
 *
 * 1. It is asked for those that the account has, the newest first, 100 at a time, until there are 200, of a thousand at most and for 5 s: those that are left
 *    out hide none of the others before that.
 * 2. What is not compressed (the chain itself tells that), burnt, somebody else's or no asset at all is left out, whatever was asked for.
 * 3. Anybody sends them to anybody for next to nothing: one whose name or symbol lures is left out.
 * 4. Its name is the one that the tree holds, so that what is fetched from elsewhere names it no other way. Words and picture are fetched as every stranger's are.
 */
import { base58 } from '@scure/base'
import * as z from 'zod/mini'
import { ask, type Chain } from '../chain'
import { lures } from '../lures'
import type { SolanaCollectible } from './solana'

const Text = z.catch(z.string(), '')
const Asset = z.object({
  id: z.string().check(z.regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)),
  burnt: z.catch(z.boolean(), false),
  compression: z.object({ compressed: z.boolean() }),
  ownership: z.object({ owner: z.string() }),
  content: z.object({
    json_uri: Text,
    metadata: z.catch(z.object({ name: Text, symbol: Text }), { name: '', symbol: '' }),
  }),
})
type Asset = z.infer<typeof Asset>
const Page = z.object({ items: z.array(z.catch(z.nullable(Asset), null)) })

const pageSize = 100
const mostPages = 10
const mostFound = 200
/** Milliseconds after which no further page is asked for. */
const patience = 5_000

/** @param node its upstreams. @param now epoch milliseconds. @throws {ChainError} and {UpstreamsFailedError} */
export async function readCompressed(node: Chain, owner: string, now: () => number): Promise<SolanaCollectible[]> {
  const found = new Map<string, SolanaCollectible>()
  const until = now() + patience
  for (let page = 1; page <= mostPages && found.size < mostFound; page += 1) {
    const sortBy = { sortBy: 'created', sortDirection: 'desc' }
    const params = { ownerAddress: owner, compressed: true, burnt: false, sortBy, page, limit: pageSize }
    const { items } = await ask(node, { method: 'searchAssets', params }, Page)
    for (const asset of items.slice(0, pageSize)) {
      const collectible = asset?.ownership.owner === owner ? collectibleOf(asset) : null
      if (collectible !== null) found.set(collectible.mint, collectible)
    }
    if (items.length < pageSize || now() >= until) break
  }
  return [...found.values()].slice(0, mostFound)
}

/** Null where there is none. @throws {ChainError} and {UpstreamsFailedError} */
export async function readCompressedOne(node: Chain, id: string): Promise<SolanaCollectible | null> {
  const asset = await ask(node, { method: 'getAsset', params: { id } }, z.catch(z.nullable(Asset), null))
  return asset?.id === id ? collectibleOf(asset) : null
}

function collectibleOf({ id, burnt, compression, content }: Asset): SolanaCollectible | null {
  const { name, symbol } = content.metadata
  if (!compression.compressed || burnt || base58.decode(id).length !== 32 || lures(name) || lures(symbol)) return null
  return { kind: 'compressed', mint: id, name, uri: content.json_uri }
}
