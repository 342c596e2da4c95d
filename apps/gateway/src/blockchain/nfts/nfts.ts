/**
 * An account's collectibles (`NftResponse`), and their pictures.
 *
 * 1. One network, or every common one at once, as balances are: one that fails is logged and left out; where all fail that is an error.
 * 2. What an account has is kept for 30 s, a collectible's metadata for 5 min. Only EVM networks are covered.
 * 3. A picture is the gateway's own copy, named by its token, so that any replica can give it; one that cannot be read is none.
 */
import { CaipNetworkId, type Nft, type NftResponse } from '@postern/protocol'
import { type Address, getAddress } from 'viem'
import type { Icon } from '../../directory/icon'
import { problem } from '../../http/problem'
import type { Log } from '../../log'
import type { Upstreams } from '../../rpc/upstream'
import { type Account, type KnownNetwork, networksOf } from '../account'
import { createKept } from '../kept'
import { plainText } from '../plain-text'
import { type Collectible, readCollectibles, readDescriptions } from './holdings'
import { type Metadata, readMetadata } from './metadata'

export type NftsOptions = {
  readonly networks: ReadonlyMap<CaipNetworkId, KnownNetwork>
  readonly upstreams: Upstreams
  /** Of the newest blocks that are looked through. */
  readonly logBlocks: number
  readonly log: Pick<Log, 'warn'>
  /** Epoch milliseconds. */
  readonly now: () => number
}

export type Nfts = {
  /** @param imageUrl the path of a picture, by its key. */
  of(
    account: Account,
    question: { readonly chainId?: string | undefined; readonly cursor?: string | undefined },
    imageUrl: (key: string) => string,
  ): Promise<NftResponse>
  /** Null where there is none. */
  picture(key: string): Promise<Icon | null>
}

type Held = Collectible & { readonly network: KnownNetwork }
type Described = { readonly collection: string; readonly metadata: Metadata }

const pageSize = 25
const holdingsKept = 30_000
const metadataKept = 300_000
const mostKept = 2_000
const Key = /^(eip155:\d{1,16}):(0x[0-9a-fA-F]{40}):(erc721|erc1155):(\d{1,78})$/

export function createNfts({ networks, upstreams, logBlocks, log, now }: NftsOptions): Nfts {
  const holdings = createKept<Collectible[]>(holdingsKept, mostKept, now)
  const descriptions = createKept<Described>(metadataKept, mostKept, now)

  async function describe({ network, ...collectible }: Held): Promise<Described> {
    return descriptions.get(keyOf(network, collectible), async () => {
      const [found] = await readDescriptions({ upstreams, urls: network.urls }, [collectible])
      const { uri = '', collection = '' } = found ?? {}
      return { collection: plainText(collection, 64), metadata: readMetadata(uri) }
    })
  }

  return {
    async of(account, { chainId, cursor }, imageUrl) {
      if (cursor !== undefined && !/^\d{1,6}$/.test(cursor)) throw problem(400, 'cursor', 'This is no cursor of ours')
      const asked = networksOf(networks, account, chainId).filter(({ namespace }) => namespace === 'eip155')
      const outcomes = await Promise.allSettled(
        asked.map(async (network) => {
          const chain = { upstreams, urls: network.urls }
          const read = () => readCollectibles(chain, getAddress(account.address), logBlocks)
          const found = await holdings.get(`${network.id} ${account.address}`, read)
          return found.map((collectible): Held => ({ ...collectible, network }))
        }),
      )
      const failed = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome] : []))
      const [first] = failed
      if (first !== undefined && failed.length === outcomes.length) throw first.reason
      if (first !== undefined) log.warn({ networks: failed.length }, 'collectibles left out')
      const all = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []))
      const start = Number(cursor ?? '0')
      const page = all.slice(start, start + pageSize)
      const nfts = await Promise.all(page.map(async (held) => toNft(held, await describe(held), imageUrl)))
      return { nfts, next: start + pageSize < all.length ? `${start + pageSize}` : null }
    },

    async picture(key) {
      const [, id, contract, kind, tokenId] = Key.exec(key) ?? []
      const network = id === undefined ? undefined : networks.get(CaipNetworkId.parse(id))
      if (network === undefined || contract === undefined || tokenId === undefined) return null
      const { metadata } = await describe({
        network,
        kind: kind === 'erc1155' ? 'erc1155' : 'erc721',
        contract: addressOf(contract),
        tokenId: BigInt(tokenId),
      })
      return metadata.picture
    },
  }
}

function addressOf(text: string): Address {
  return getAddress(text.toLowerCase())
}

function keyOf({ id }: KnownNetwork, { contract, kind, tokenId }: Collectible): string {
  return `${id}:${contract}:${kind}:${tokenId}`
}

function toNft(held: Held, { collection, metadata }: Described, imageUrl: (key: string) => string): Nft {
  const { name, description, attributes, picture } = metadata
  return {
    chainId: held.network.id,
    contract: `${held.network.id}:${held.contract}`,
    tokenId: `${held.tokenId}`,
    name,
    collection: collection || null,
    description,
    imageUrl: picture === null ? null : imageUrl(keyOf(held.network, held)),
    attributes: [...attributes],
  }
}
