/**
 * Compressed NFTs of Solana (leaves of a tree), from the operator's Digital Asset Standard node (`POSTERN_DAS`).
 * Source: https://github.com/metaplex-foundation/digital-asset-standard-api (`searchAssets`, `getAsset`).
 *
 * 1. Newest first, until 200 are accepted, 1,000 read or 5 s over: rejected assets do not hide others.
 * 2. Assets that are not compressed (the chain lists those), burnt, owned by others or invalid are left out.
 * 3. So are those whose name or symbol is a lure: sending an asset costs almost nothing.
 * 4. The name is the tree's, so that remote metadata cannot replace it.
 */
import { base58 } from '@scure/base'
import * as z from 'zod/mini'
import { ask, type Chain } from '../chain'
import { isLure } from '../phishing'
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
const maxPages = 10
const maxCollectibles = 200
/** In ms. */
const patience = 5_000

/** @param now epoch ms. @throws {ChainError | UpstreamsFailedError} */
export async function readCompressed(node: Chain, owner: string, now: () => number): Promise<SolanaCollectible[]> {
  const byMint = new Map<string, SolanaCollectible>()
  const until = now() + patience
  for (let page = 1; page <= maxPages && byMint.size < maxCollectibles; page += 1) {
    const sortBy = { sortBy: 'created', sortDirection: 'desc' }
    const params = { ownerAddress: owner, compressed: true, burnt: false, sortBy, page, limit: pageSize }
    const { items } = await ask(node, { method: 'searchAssets', params }, Page)
    for (const asset of items.slice(0, pageSize)) {
      const collectible = asset?.ownership.owner === owner ? collectibleOf(asset) : null
      if (collectible !== null) byMint.set(collectible.mint, collectible)
    }
    if (items.length < pageSize || now() >= until) break
  }
  return [...byMint.values()].slice(0, maxCollectibles)
}

/** Null if not found. @throws {ChainError | UpstreamsFailedError} */
export async function readCompressedOne(node: Chain, id: string): Promise<SolanaCollectible | null> {
  const asset = await ask(node, { method: 'getAsset', params: { id } }, z.catch(z.nullable(Asset), null))
  return asset?.id === id ? collectibleOf(asset) : null
}

function collectibleOf({ id, burnt, compression, content }: Asset): SolanaCollectible | null {
  if (!compression.compressed || burnt || base58.decode(id).length !== 32 || isLure(content.metadata)) return null
  return { kind: 'compressed', mint: id, name: content.metadata.name, uri: content.json_uri }
}
