import { CaipNetworkId, nativeTokenAddress } from '@postern/protocol'
import { expect, test } from 'vitest'
import { UpstreamsFailedError } from '../../../platform/upstreams/attempt'
import { createCoinGecko } from './coingecko'
import { worthOf } from './price'

const chainId = CaipNetworkId.parse('eip155:1')
const ether = { chainId, address: nativeTokenAddress }

function priced(price: string) {
  const config = { url: 'https://prices.example/api/v3', ids: new Map([[chainId, 'ethereum']]), platforms: new Map() }
  return createCoinGecko(config, async () => new Response(`{"ethereum":{"usd":${price}}}`))([ether], 'usd')
}

test.each(['1e400', '1e300', '1e16', '-1', '"1"', '[1]', '{}'])('rejects %s as a price', async (price) => {
  await expect(priced(price)).rejects.toThrow(UpstreamsFailedError)
})

test.each(['0', '1e-30', '3241.2', '1e15'])('accepts %s as a price', async (price) => {
  const [value = Number.NaN] = [...(await priced(price)).values()]
  expect(Number.isFinite(worthOf(2n ** 256n - 1n, 18, value))).toBe(true)
})
