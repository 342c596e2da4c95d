import { CaipNetworkId, nativeTokenAddress } from '@postern/protocol'
import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import { readBlockchain } from '../config'
import { createTokenList } from '../tokens'
import { assetKey } from './price'
import { createPriceSource } from './source'

const [ethereum, base] = [CaipNetworkId.parse('eip155:1'), CaipNetworkId.parse('eip155:8453')]
const { prices: config } = readBlockchain({}, [])
const dollarOf = (id: CaipNetworkId) => config.uniswapV2.get(id)?.dollar ?? ''
const usdc = { name: 'USD Coin', symbol: 'USDC', decimals: 6 }
const tokens = createTokenList([ethereum, base].map((chainId) => ({ chainId, address: dollarOf(chainId), ...usdc })))

function setUp(isDead: (url: string) => boolean) {
  const requests: string[] = []
  const networks = new Map(
    [ethereum, base].map((id) => {
      const definition = { id, name: id, nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 } }
      return [id, { id, namespace: 'eip155', urls: [id], definition, isCommon: true } as const]
    }),
  )
  const upstreams = {
    async exchange(urls: readonly string[], calls: readonly unknown[]) {
      requests.push(...urls)
      if (urls.some(isDead)) throw new Error('dead')
      return calls.map(() => ({ result: '0x' }))
    },
  }
  return { requests, prices: createPriceSource({ config, networks, upstreams, tokens, fetch, now: () => 0 }) }
}

test('3 built-in pools do not price unlisted tokens, and send no request for them', async () => {
  const { requests, prices } = setUp(() => false)
  const unknown = { chainId: ethereum, address: getAddress('0x1111111111111111111111111111111111111111') }
  expect(await prices([unknown], 'usd')).toEqual(new Map())
  expect(requests).toEqual([])
  await prices([{ chainId: ethereum, address: nativeTokenAddress }], 'usd')
  expect(requests).toContain(ethereum)
})

test('2 a failing network affects only its own prices', async () => {
  const { prices } = setUp((url) => url === ethereum)
  const [lost, known] = [ethereum, base].map((chainId) => ({ chainId, address: dollarOf(chainId) }))
  if (lost === undefined || known === undefined) throw new Error('There are two.')
  expect(await prices([lost, known], 'usd')).toEqual(new Map([[assetKey(known), 1]]))
  await expect(setUp(() => true).prices([lost], 'usd')).rejects.toThrow('dead')
})
