import { encodeFunctionData, getAddress, numberToHex, padHex, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { hostileChain } from '../../../testing/hostile-chain'
import { readPoolPrices } from './uniswap'

const [factory, wrapped, dollar, token, hostile, pair] = ['f1', 'e1', 'd1', 'a1', 'b1', 'c1'].map((byte) =>
  getAddress(`0x${byte.repeat(20)}`),
)

test('a token with an oversized response does not affect other prices', async () => {
  if (!factory || !wrapped || !dollar || !token || !hostile || !pair) throw new RangeError('six addresses')
  const decimals = encodeFunctionData({ abi: parseAbi(['function decimals() view returns (uint8)']) })
  const chain = hostileChain({
    contract(to, data) {
      if (to === factory) return padHex(pair)
      if (to === hostile) return 'flood'
      if (data === decimals) return numberToHex(0, { size: 32 })
      return numberToHex(to === dollar ? 20_000 : 5_000, { size: 32 })
    },
  })
  const assets = [token, hostile].map((address) => ({ chainId: 'eip155:1' as const, address }))
  const prices = await readPoolPrices(chain, { factory, wrapped, dollar }, assets)
  expect([...prices.values()]).toEqual([4])
})
