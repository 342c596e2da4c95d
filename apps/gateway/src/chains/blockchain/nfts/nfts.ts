/**
 * An account's NFTs (`NftResponse`) on EVM and Solana, and their pictures.
 *
 * 1. One network, or all common ones. A failing network is left out; if all fail, that is an error.
 * 2. Holdings and metadata are cached.
 * 3. Pictures are served under the token's key, by any replica.
 * 4. A page waits 3 s for remote metadata. Slower metadata is cached for the next request.
 * 5. An NFT with an oversized response shows its token id and does not hide others.
 * 6. An NFT is spam if its name, or its collection's, is a lure (`phishing.ts`).
 * 7. Compressed NFTs of Solana come last. An unreachable node affects only them.
 */
import { type CaipNetworkId, isCaipNetworkId, type Nft, type NftResponse } from '@postern/protocol'
import { base58 } from '@scure/base'
import { type Address, getAddress } from 'viem'
import { problem } from '../../../platform/http/problem'
import type { Log } from '../../../platform/log/log'
import { UpstreamsFailedError } from '../../../platform/upstreams/attempt'
import type { Upstreams } from '../../../platform/upstreams/rpc'
import type { Account, KnownNetwork } from '../account'
import { type Chain, ChainError } from '../chain'
import { inTime } from '../in-time'
import type { AnyCollectible, NamespaceReader } from '../namespace-reader'
import { namespaceReaders } from '../namespaces'
import { isLure } from '../phishing'
import { plainText } from '../plain-text'
import { networksOf } from '../read-account'
import type { Remote } from '../remote/remote'
import { createTtlCache } from '../ttl-cache'
import { readCompressedOne } from './compressed'
import { filterOwned, pictureKey, readDescriptions } from './holdings'
import { fetchMetadata, type Metadata, noMetadata } from './metadata'
import { readMetadataAccounts, type SolanaCollectible } from './solana'

export type NftsOptions = {
  readonly networks: ReadonlyMap<CaipNetworkId, KnownNetwork>
  readonly upstreams: Upstreams
  /** Newest blocks to scan. */
  readonly logBlocks: number
  /** The URLs may contain keys. */
  readonly das: ReadonlyMap<CaipNetworkId, string>
  readonly remote: Remote
  readonly log: Pick<Log, 'warn'>
  /** Epoch milliseconds. */
  readonly now: () => number
}

export type Nfts = {
  of(
    account: Account,
    question: { readonly chainId?: string | undefined; readonly cursor?: string | undefined },
    imageUrl: (key: string) => string,
  ): Promise<NftResponse>
  picture(key: string): Promise<Picture | null>
  /** Null if `owner` does not own the NFT. @param key of an EVM network. */
  pictureOf(owner: Address, key: string): Promise<Picture | null>
}

export type Picture = { readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> }
type LocatedCollectible = AnyCollectible & { readonly network: KnownNetwork }
type Read = NonNullable<NamespaceReader['collectibles']>
type Readable = { readonly network: KnownNetwork; readonly read: Read }
/** `name` is empty unless it is on-chain. */
type Described = { readonly collection: string; readonly name: string; readonly uri: string }

const pageSize = 25
/** In ms. */
const patience = 3_000
const holdingsLifetimeMs = 30_000
const metadataLifetimeMs = 300_000
const maxCached = 2_000
const maxCachedUriLength = 4_096
const Key = /^(eip155:\d{1,16}):(0x[0-9a-fA-F]{40}):(erc721|erc1155):(\d{1,78})$/
const SolanaKey = /^(solana:[-_a-zA-Z0-9]{1,64}):([1-9A-HJ-NP-Za-km-z]{32,44}):(spl|compressed)$/

export function createNfts({ networks, upstreams, logBlocks, das, remote, log, now }: NftsOptions): Nfts {
  const holdings = createTtlCache<AnyCollectible[]>(holdingsLifetimeMs, maxCached, now)
  const descriptions = createTtlCache<Described>(
    metadataLifetimeMs,
    maxCached,
    now,
    ({ uri }) => uri.length <= maxCachedUriLength,
  )
  const metadatas = createTtlCache<Metadata>(metadataLifetimeMs, maxCached, now)
  const compressed = createTtlCache<SolanaCollectible | null>(
    metadataLifetimeMs,
    maxCached,
    now,
    (collectible) => collectible !== null,
  )

  async function describe(collectible: LocatedCollectible): Promise<Described> {
    if (isOfSolana(collectible)) return { collection: '', name: plainText(collectible.name, 100), uri: collectible.uri }
    return descriptions.get(keyOf(collectible), async () => {
      const [description] = await readDescriptions({ upstreams, urls: collectible.network.urls }, [collectible])
      const { uri = '', collection = '' } = description ?? {}
      return { collection: plainText(collection, 64), name: '', uri }
    })
  }

  const metadataOf = (collectible: LocatedCollectible, { uri }: Described): Promise<Metadata> =>
    metadatas.get(keyOf(collectible), () =>
      fetchMetadata(uri, isOfSolana(collectible) ? 0n : collectible.tokenId, remote),
    )

  async function holdingsOf({ network, read }: Readable, address: string): Promise<LocatedCollectible[]> {
    const sources = { chain: { upstreams, urls: network.urls }, logBlocks, readDas, now }
    const collectibles = await holdings.get(`${network.id} ${address}`, () => read(network, address, sources))
    return collectibles.map((collectible) => ({ ...collectible, network }))
  }

  /** Returns `otherwise` without a DAS node, or if it fails. */
  async function readDas<T>(id: CaipNetworkId, read: (node: Chain) => Promise<T>, otherwise: T): Promise<T> {
    const url = das.get(id)
    if (url === undefined) return otherwise
    try {
      return await read({ upstreams, urls: [url] })
    } catch (error) {
      if (!(error instanceof ChainError || error instanceof UpstreamsFailedError)) throw error
      log.warn({ chainId: id }, 'compressed collectibles left out')
      return otherwise
    }
  }

  /** Null for an invalid key, or without an NFT. */
  async function findByKey(key: string): Promise<LocatedCollectible | null> {
    const [, solanaId, mint = '', form] = SolanaKey.exec(key) ?? []
    const solana = isCaipNetworkId(solanaId) ? networks.get(solanaId) : undefined
    if (solana !== undefined) {
      if (base58.decode(mint).length !== 32) return null
      const collectible =
        form === 'compressed'
          ? await compressed.get(key, () => readDas(solana.id, (node) => readCompressedOne(node, mint), null))
          : (await readMetadataAccounts({ upstreams, urls: solana.urls }, [mint]))[0]
      return collectible == null ? null : { ...collectible, network: solana }
    }
    const [, id, contract, kind, tokenId] = Key.exec(key) ?? []
    const network = isCaipNetworkId(id) ? networks.get(id) : undefined
    if (network === undefined || contract === undefined || tokenId === undefined) return null
    return {
      network,
      kind: kind === 'erc1155' ? 'erc1155' : 'erc721',
      contract: addressOf(contract),
      tokenId: BigInt(tokenId),
    }
  }

  async function tell(collectible: LocatedCollectible, imageUrl: (key: string) => string): Promise<Nft> {
    const described = await describe(collectible).catch((error: unknown) => {
      if (error instanceof UpstreamsFailedError) return null
      throw error
    })
    const metadata =
      described === null ? noMetadata : await inTime(metadataOf(collectible, described), noMetadata, patience)
    const { name, description, attributes, picture, pictureUri } = metadata
    const shownName = collectible.kind === 'compressed' ? described?.name || null : (name ?? (described?.name || null))
    const collection = described?.collection || null
    const hasPicture = picture !== null || (pictureUri !== null && remote.isWithinReach(pictureUri))
    return {
      chainId: collectible.network.id,
      contract: `${collectible.network.id}:${isOfSolana(collectible) ? collectible.mint : collectible.contract}`,
      tokenId: isOfSolana(collectible) ? collectible.mint : `${collectible.tokenId}`,
      name: shownName,
      collection,
      description,
      imageUrl: hasPicture ? imageUrl(keyOf(collectible)) : null,
      attributes: [...attributes],
      ...(isLure({ name: shownName ?? '', symbol: collection ?? '' }) && { isSpam: true }),
    }
  }

  return {
    async of(account, { chainId, cursor }, imageUrl) {
      if (cursor !== undefined && !/^\d{1,6}$/.test(cursor)) throw problem(400, 'cursor', 'This is no cursor of ours')
      const queried = networksOf(networks, account, chainId).flatMap((network) => {
        const read = namespaceReaders[network.namespace].collectibles
        return read === null ? [] : [{ network, read }]
      })
      const outcomes = await Promise.allSettled(queried.map((readable) => holdingsOf(readable, account.address)))
      const failed = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome] : []))
      const [first] = failed
      if (first !== undefined && failed.length === outcomes.length) throw first.reason
      if (first !== undefined) log.warn({ networks: failed.length }, 'collectibles left out')
      const all = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []))
      const start = Number(cursor ?? '0')
      const page = all.slice(start, start + pageSize)
      const nfts = await Promise.all(page.map((collectible) => tell(collectible, imageUrl)))
      return { nfts, next: start + pageSize < all.length ? `${start + pageSize}` : null }
    },

    async picture(key) {
      const collectible = await findByKey(key)
      return collectible === null ? null : pictureIn(collectible)
    },

    async pictureOf(owner, key) {
      const collectible = await findByKey(key)
      if (collectible === null || isOfSolana(collectible)) return null
      const { network } = collectible
      const [own] = await filterOwned({ upstreams, urls: network.urls }, owner, [collectible])
      return own === undefined ? null : pictureIn(collectible)
    },
  }

  async function pictureIn(collectible: LocatedCollectible): Promise<Picture | null> {
    const { picture, pictureUri } = await metadataOf(collectible, await describe(collectible))
    return picture ?? (pictureUri === null ? null : remote.picture(pictureUri))
  }
}

function isOfSolana<T extends AnyCollectible>(collectible: T): collectible is T & SolanaCollectible {
  return 'mint' in collectible
}

function addressOf(text: string): Address {
  return getAddress(text.toLowerCase())
}

function keyOf(collectible: LocatedCollectible): string {
  if (isOfSolana(collectible)) return `${collectible.network.id}:${collectible.mint}:${collectible.kind}`
  return pictureKey(collectible.network.id, collectible)
}

export function pictureUrl(projectId: string, key: string): string {
  return `/v1/nft-image/${encodeURIComponent(key)}?projectId=${encodeURIComponent(projectId)}`
}
