/** Compressed NFTs from a DAS node, through the gateway. */
import { blockchainAnswers, type NftResponse } from '@postern/protocol'
import { base58 } from '@scure/base'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type BlockchainTest, startBlockchain } from '../../../testing/blockchain'
import { type DasNode, startDas } from '../../../testing/das'
import { freePorts, devnetSolanaId as solanaId } from '../../../testing/devnet'
import { RemoteError } from '../remote/public-fetch'
import { readCompressed } from './compressed'

const ports = await freePorts('evm', 'evmTwo', 'solana', 'das')
/** This devnet account has a regular NFT. */
const holder = 'oeYf6KAJkLYhBuR8CiGc6L4D4Xtfepr85fuDgA9kq96'
const keyOf = (seed: number) => base58.encode(new Uint8Array(32).fill(seed))
const idOf = (number: number) =>
  base58.encode(Uint8Array.from({ length: 32 }, (_, at) => (at < 2 ? (number >> (8 * at)) & 255 : 7)))

type Changes = { readonly name?: string; readonly symbol?: string; readonly owner?: string } & Record<string, unknown>

function asset(id: string, { name = 'Leaf', symbol = 'LEAF', owner = holder, ...rest }: Changes = {}) {
  return {
    interface: 'V1_NFT',
    id,
    content: {
      $schema: 'https://schema.metaplex.com/nft1.0.json',
      json_uri: 'https://meta.example/leaf.json',
      files: [],
      metadata: { name, symbol, token_standard: 'NonFungible' },
      links: { image: 'https://stranger.example/not-asked.png' },
    },
    compression: { eligible: false, compressed: true, tree: keyOf(8), leaf_id: 1 },
    grouping: [],
    ownership: { frozen: false, owner, ownership_model: 'single' },
    mutable: true,
    burnt: false,
    ...rest,
  }
}

let das: DasNode
let chains: BlockchainTest
const fetched: string[] = []
beforeAll(async () => {
  das = await startDas(ports.das)
  const { evm, evmTwo, solana } = ports
  chains = await startBlockchain(
    { evm, evmTwo, solana },
    { POSTERN_DAS: JSON.stringify({ [solanaId]: das.url }) },
    {
      async fetchPublic(url) {
        fetched.push(url)
        if (url === 'https://meta.example/leaf.json')
          return new Uint8Array(
            Buffer.from(
              '{"name":"Claim at leaf.xyz","description":"Of a tree","image":"https://meta.example/leaf.gif"}',
            ),
          )
        if (url === 'https://meta.example/leaf.gif') return new Uint8Array(Buffer.from('GIF89a'))
        throw new RemoteError('no connection')
      },
    },
  )
})
afterAll(() => Promise.all([chains.stop(), das.stop()]))
beforeEach(() => das.setUp(true))

const nftsOf = (owner: string, cursor = ''): Promise<NftResponse> =>
  chains.get(`/v1/account/${owner}/nfts?chainId=${solanaId}${cursor}`, blockchainAnswers.nfts)

test('1, 4 follow the regular NFTs, with a picture that the gateway serves', async () => {
  das.tell([asset(keyOf(50))])
  const { nfts } = await nftsOf(holder)
  expect(nfts).toMatchObject([
    { name: 'Devnet Stamp' },
    { name: 'Leaf', description: 'Of a tree', contract: `${solanaId}:${keyOf(50)}`, tokenId: keyOf(50) },
  ])
  const picture = await chains.app.get(nfts[1]?.imageUrl ?? '')
  expect(picture.headers.get('Content-Type')).toBe('image/gif')
  expect(fetched).not.toContain('https://stranger.example/not-asked.png')
})

test('2, 3 leaves out lures, NFTs of others and invalid assets, and keeps the rest', async () => {
  const owner = keyOf(61)
  const of = (id: string, changes: Changes = {}) => asset(id, { owner, ...changes })
  das.tell([
    null,
    'asset',
    { ...of(keyOf(50)), content: 7 },
    asset(keyOf(51)),
    of(keyOf(52), { burnt: true }),
    of(keyOf(53), { compression: { compressed: false } }),
    of(keyOf(54), { name: '1000 USDC at drop.xyz' }),
    of(keyOf(55), { symbol: 'ＣＬＡＩＭ' }),
    of('0'.repeat(40)),
    of('1'.repeat(40)),
    of(keyOf(56), { name: 'Ho\u202enest\nleaf' }),
    of(keyOf(57), { content: { json_uri: 'http://127.0.0.1/inside' } }),
  ])
  const { nfts } = await nftsOf(owner)
  expect(nfts.map(({ name }) => name)).toEqual(['Honest leaf', null])
  expect(fetched.some((url) => url.includes('127.0.0.1'))).toBe(false)
})

test('1 pages through at most two hundred', async () => {
  const owner = keyOf(62)
  das.tell(Array.from({ length: 250 }, (_, number) => asset(idOf(number), { owner, name: `Leaf ${number}` })))
  const names: (string | null)[] = []
  for (let next: string | null = '', pages = 0; next !== null; pages += 1) {
    const page: NftResponse = await nftsOf(owner, next === '' ? '' : `&cursor=${next}`)
    names.push(...page.nfts.map(({ name }) => name))
    next = page.next
    expect(pages).toBeLessThan(9)
  }
  expect(names).toEqual(Array.from({ length: 200 }, (_, number) => `Leaf ${number}`))
  expect(das.requests.filter((method) => method === 'searchAssets').length).toBeLessThanOrEqual(4)
})

test('1, 3 finds an NFT behind 900 lures, but not behind a thousand', async () => {
  const luring = (count: number, owner: string) =>
    Array.from({ length: count }, (_, number) => asset(idOf(number), { owner, name: 'Claim at drop.xyz' }))
  for (const [seed, count, names] of [
    [64, 900, ['Leaf']],
    [65, 1_000, []],
  ] as const) {
    const owner = keyOf(seed)
    das.tell([...luring(count, owner), asset(keyOf(50), { owner })])
    expect((await nftsOf(owner)).nfts.map(({ name }) => name)).toEqual(names)
  }
})

test('1 requests no further page after 5 s', async () => {
  let now = 0
  let pages = 0
  const page = { items: Array.from({ length: 100 }, () => null) }
  const upstreams = {
    exchange: async () => {
      now += 2_000
      pages += 1
      return [{ result: page }]
    },
  }
  expect(await readCompressed({ upstreams, urls: [] }, holder, () => now)).toEqual([])
  expect(pages).toBe(3)
})

test('an unreachable node affects only compressed NFTs', async () => {
  das.setUp(false)
  const { nfts } = await nftsOf(keyOf(63))
  expect(nfts).toEqual([])
  expect(await chains.status(`/v1/account/${keyOf(63)}/nfts?chainId=${solanaId}`)).toBe(200)
})

test('has no picture of unknown or uncompressed NFTs, or on a network without a node', async () => {
  das.tell([asset(keyOf(70), { compression: { compressed: false } }), asset(keyOf(71), { name: 'visit leaf.com' })])
  const keys = [
    `${solanaId}:${keyOf(69)}`,
    `${solanaId}:${keyOf(70)}`,
    `${solanaId}:${keyOf(71)}`,
    `solana:none:${keyOf(71)}`,
  ]
  for (const key of keys)
    expect(await chains.status(`/v1/nft-image/${encodeURIComponent(`${key}:compressed`)}`)).toBe(404)
})
