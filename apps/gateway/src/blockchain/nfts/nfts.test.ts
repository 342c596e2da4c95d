import { blockchainAnswers } from '@postern/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BlockchainTest, startBlockchain } from '../../testing/blockchain'
import { deployHostileTokens, devnetAccounts, devnetContracts } from '../../testing/devnet'
import { readMetadata } from './metadata'

const ports = { evm: 21_320, evmTwo: 21_321 }
const first = 'eip155:31337'
const [holder, , , victim] = devnetAccounts
if (holder === undefined || victim === undefined) throw new Error('The devnet has no accounts.')

let chains: BlockchainTest
beforeAll(async () => {
  chains = await startBlockchain(ports)
})
afterAll(() => chains.stop())

const nftsOf = (address: string, query = `chainId=${first}`) =>
  chains.get(`/v1/account/${address}/nfts?${query}`, blockchainAnswers.nfts)

test('1 collectibles are what the account has now, of both kinds, with what their contracts say of them', async () => {
  const { nfts } = await nftsOf(holder.address)
  const collectible = nfts.find(({ contract }) => contract === `${first}:${devnetContracts.collectible}`)
  expect(collectible?.name).toBeTruthy()
  expect(collectible?.collection).toBe('Devnet Collectible')
  const items = nfts.filter(({ contract }) => contract === `${first}:${devnetContracts.items}`)
  expect(items.map(({ tokenId }) => tokenId).sort()).toEqual(['1', '2'])
  expect((await nftsOf('0x000000000000000000000000000000000000dEaD')).nfts).toEqual([])
  expect((await nftsOf('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', '')).nfts).toEqual([])
})

test('3 their pictures are the gateway’s own copies, and can neither run nor load anything', async () => {
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
  expect(of('privateAddress')).toMatchObject({ name: null, attributes: [] })
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

test('metadata that is not in the chain itself is not asked for', () => {
  for (const uri of ['https://example.com/1', 'ipfs://bafy/1', 'file:///etc/passwd', '', 'data:text/html,{}']) {
    expect(readMetadata(uri)).toEqual({ name: null, description: null, attributes: [], picture: null })
  }
  expect(readMetadata('data:application/json;utf8,{"name":"100% on chain"}').name).toBe('100% on chain')
})
