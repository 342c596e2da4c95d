import { blockchainAnswers } from '@postern/protocol'
import { type Address, concat, createTestClient, encodeAbiParameters, getAddress, numberToHex, size } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BlockchainTest, startBlockchain } from '../../../testing/blockchain'
import {
  accountAt,
  type DevnetAccount,
  deployHostileTokens,
  devnetContracts,
  freePorts,
  nodeAt,
} from '../../../testing/devnet'
import { RemoteError } from '../remote/public-fetch'
import { noMetadata, readMetadata } from './metadata'

const ports = await freePorts('evm', 'evmTwo')
const first = 'eip155:31337'
const [holder, victim] = [accountAt(0), accountAt(3)]

/** Fetchable content by URL; every other URL fails. */
const world = new Map<string, string | Promise<string>>()
const requests: string[] = []

let chains: BlockchainTest
beforeAll(async () => {
  const environment = { POSTERN_IPFS: 'https://ipfs.example/' }
  chains = await startBlockchain(ports, environment, {
    async fetchPublic(url) {
      requests.push(url)
      const response = world.get(url)
      if (response === undefined) throw new RemoteError('no connection')
      return new Uint8Array(Buffer.from(await response, 'latin1'))
    },
  })
})
afterAll(() => chains.stop())

const nftsOf = (address: string, query = `chainId=${first}`) =>
  chains.get(`/v1/account/${address}/nfts?${query}`, blockchainAnswers.nfts)

test('1 lists the account’s ERC-721 and ERC-1155 tokens with their metadata', async () => {
  const { nfts } = await nftsOf(holder.address)
  const collectible = nfts.find(({ contract }) => contract === `${first}:${devnetContracts.collectible}`)
  expect(collectible?.name).toBeTruthy()
  expect(collectible?.collection).toBe('Devnet Collectible')
  const items = nfts.filter(({ contract }) => contract === `${first}:${devnetContracts.items}`)
  expect(items.map(({ tokenId }) => tokenId).sort()).toEqual(['1', '2'])
  expect((await nftsOf('0x000000000000000000000000000000000000dEaD')).nfts).toEqual([])
  expect((await nftsOf('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', '')).nfts).toEqual([])
})

test('3 serves pictures that cannot run scripts or load anything', async () => {
  const own = (await nftsOf(holder.address)).nfts.find(({ imageUrl }) => imageUrl !== null)
  expect(own?.imageUrl).toMatch(/^\/v1\/nft-image\//)
  const picture = await chains.app.get(own?.imageUrl ?? '')
  expect(picture.headers.get('Content-Type')).toBe('image/svg+xml')
  expect(picture.headers.get('Content-Security-Policy')).toContain('sandbox')
  expect(picture.headers.get('X-Content-Type-Options')).toBe('nosniff')
  expect(await picture.text()).toMatch(/^<svg/)

  const { collectible, tokenIds } = await deployHostileTokens(`http://127.0.0.1:${ports.evm}`, victim.address)
  const { nfts } = await nftsOf(victim.address)
  const of = (token: keyof typeof tokenIds) =>
    nfts.find(({ contract, tokenId }) => contract === `${first}:${collectible}` && tokenId === `${tokenIds[token]}`)
  for (const token of [
    'scriptInPicture',
    'javascriptPicture',
    'markupName',
    'privateAddress',
    'loopback',
    'localFile',
    'notJson',
    'wrongTypes',
    'empty',
  ] as const) {
    expect(of(token)).toMatchObject({ imageUrl: null })
  }
  expect(of('privateAddress')).toMatchObject({ name: null, attributes: [], isSpam: true })
  for (const { name, description, collection } of nfts) {
    expect(`${name}${description}${collection}`).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    expect((name ?? '').length).toBeLessThanOrEqual(100)
  }
  const { attributes = [] } = of('hugeAttributes') ?? {}
  expect(attributes.length).toBeGreaterThan(0)
  expect(attributes.length).toBeLessThanOrEqual(50)
  for (const { value } of attributes) expect(value.length).toBeLessThanOrEqual(128)
  for (const key of ['x', `${first}:0x00:erc721:1`, `eip155:1:${devnetContracts.items}:erc721:1`]) {
    expect(await chains.status(`/v1/nft-image/${encodeURIComponent(key)}`)).toBe(404)
  }
})

test('ignores metadata in other formats', () => {
  for (const uri of ['https://example.com/1', 'ipfs://bafy/1', 'file:///etc/passwd', '', 'data:text/html,{}']) {
    expect(readMetadata(uri)).toEqual(noMetadata)
  }
  expect(readMetadata('data:application/json;utf8,{"name":"100% on chain"}').name).toBe('100% on chain')
})

const node = nodeAt(ports.evm)
const transferSingle = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'

/** Deploys an ERC-1155 that returns `uri` for every call, and mints item 1 to `owner` for a call without data. */
async function mintAt(address: Address, uri: string, owner: DevnetAccount): Promise<void> {
  const text = encodeAbiParameters([{ type: 'string' }], [uri])
  const length = numberToHex(size(text), { size: 2 })
  // mstore(0, 1), mstore(32, 1), log4(0, 64, TransferSingle, 0, 0, owner), stop.
  const send = concat(['0x6001600052600160205273', owner.address, '0x600060007f', transferSingle, '0x60406000a400'])
  const answer = (at: number) =>
    concat(['0x5b61', length, '0x61', numberToHex(at, { size: 2 }), '0x60003961', length, '0x6000f3'])
  const head = concat(['0x3660', numberToHex(4 + size(send), { size: 1 }), '0x57', send])
  const code = concat([head, answer(size(head) + size(answer(0))), text])
  await createTestClient({ mode: 'anvil', transport: node.transport }).setCode({ address, bytecode: code })
  expect((await node.send(owner, { to: address })).logs).toHaveLength(1)
}

describe('remote metadata', () => {
  const collector = accountAt(7)
  const collectionAt = (index: number): Address => getAddress(numberToHex(0xc0ffee00 + index, { size: 20 }))
  const png = '\x89PNG\r\n\x1a\npicture'
  const cid = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi'
  /** Its metadata never arrives; a separate account keeps other tests fast. */
  const patient = accountAt(8)
  const of = async (index: number, owner = collector) => {
    const { nfts } = await nftsOf(owner.address)
    return nfts.find(({ contract }) => contract === `${first}:${collectionAt(index)}`)
  }

  beforeAll(async () => {
    world.set(
      `https://meta.example/${'1'.padStart(64, '0')}.json`,
      JSON.stringify({ name: 'Far away', image: `ipfs://${cid}/1.png` }),
    )
    world.set(`https://ipfs.example/ipfs/${cid}/1.png`, png)
    world.set('https://meta.example/3', JSON.stringify({ name: 'Runs', image: 'https://meta.example/3.svg' }))
    world.set('https://meta.example/3.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')
    world.set('https://meta.example/5', JSON.stringify({ name: 'Inside', image: 'http://127.0.0.1:8545/' }))
    world.set('https://meta.example/6', new Promise(() => {}))
    for (const [index, uri] of [
      'https://meta.example/{id}.json',
      'https://gone.example/2',
      'https://meta.example/3',
      'http://169.254.169.254/latest/meta-data/',
      'https://meta.example/5',
    ].entries()) {
      await mintAt(collectionAt(index + 1), uri, collector)
    }
    await mintAt(collectionAt(6), 'https://meta.example/6', patient)
  })

  test('is fetched for the list, and its picture on request', async () => {
    const nft = await of(1)
    expect(nft?.name).toBe('Far away')
    expect(requests).not.toContain(`https://ipfs.example/ipfs/${cid}/1.png`)
    const picture = await chains.app.get(nft?.imageUrl ?? '')
    expect(picture.headers.get('Content-Type')).toBe('image/png')
    expect(picture.headers.get('Content-Security-Policy')).toContain('sandbox')
    expect(Buffer.from(await picture.arrayBuffer()).toString('latin1')).toBe(png)
  })

  test('that fails or times out leaves only its own fields empty', async () => {
    for (const index of [2, 4]) expect(await of(index)).toMatchObject({ name: null, imageUrl: null, tokenId: '1' })
    expect(await of(6, patient)).toMatchObject({ name: null, imageUrl: null, tokenId: '1' })
    expect(chains.app.log()).not.toContain('gone.example')
  })

  test('has no picture at a private address, or one that can run scripts', async () => {
    expect(await of(5)).toMatchObject({ name: 'Inside', imageUrl: null })
    const runs = await of(3)
    expect(runs?.name).toBe('Runs')
    expect((await chains.app.get(runs?.imageUrl ?? '')).status).toBe(404)
    for (const index of [2, 4, 5]) {
      expect(await chains.status(`/v1/nft-image/${first}:${collectionAt(index)}:erc1155:1`)).toBe(404)
    }
    expect(requests.filter((url) => !url.startsWith('https://'))).toEqual([])
  })
})
