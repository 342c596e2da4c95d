import { type Address, encodeAbiParameters, encodeFunctionData, getAddress, numberToHex, padHex, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { UpstreamsFailedError } from '../../../platform/upstreams/attempt'
import { addressAt, type HostileChain, hostileChain, isOneOf } from '../../../testing/hostile-chain'
import type { KnownNetwork } from '../account'
import { ChainError } from '../chain'
import { createTokenList } from '../tokens'
import { readEvmBalances } from './eip155'

const owner = getAddress(`0x${'11'.repeat(20)}`)
const listed = getAddress(`0x${'22'.repeat(20)}`)
const honest = getAddress(`0x${'33'.repeat(20)}`)
const network: KnownNetwork = {
  id: 'eip155:1',
  namespace: 'eip155',
  urls: ['https://chain.example/'],
  definition: { id: 'eip155:1', name: 'Ethereum', nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 } },
  isCommon: true,
}
const tokens = createTokenList([{ chainId: 'eip155:1', address: listed, name: 'Listed', symbol: 'LIST', decimals: 6 }])
const balanceOf = encodeFunctionData({
  abi: parseAbi(['function balanceOf(address owner) view returns (uint256)']),
  args: [owner],
})
const decimals = encodeFunctionData({ abi: parseAbi(['function decimals() view returns (uint8)']) })
const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** @param sent received tokens, oldest first. */
function readFrom(contract: HostileChain['contract'], sent: readonly Address[], more: Partial<HostileChain> = {}) {
  const results = {
    eth_getBalance: () => '0x5',
    eth_blockNumber: () => '0x10',
    eth_getLogs: () => sent.map((address) => ({ address, topics: [transfer, padHex('0x'), padHex(owner)] })),
  }
  const chain = hostileChain({ contract, results, ...more })
  return readEvmBalances(network, owner, { chain, tokens, scanBlocks: 100 })
}

function answerOf(data: string) {
  if (data === balanceOf) return numberToHex(7, { size: 32 })
  return data === decimals ? numberToHex(6, { size: 32 }) : encodeAbiParameters([{ type: 'string' }], ['Honest'])
}

test('3 leaves out tokens with an oversized balance response, and only those', async () => {
  for (const count of [1, 20]) {
    const hostile = Array.from({ length: count }, (_, index) => addressAt(index + 1))
    const holdings = await readFrom(
      (to, data) => (isOneOf(hostile, to) ? 'flood' : answerOf(data)),
      [honest, ...hostile],
    )
    expect(holdings.map(({ symbol, amount }) => [symbol, amount])).toEqual([
      ['ETH', 5n],
      ['LIST', 7n],
      ['Honest', 7n],
    ])
  }
})

test('4 an unreadable listed token is an error, never a zero balance', async () => {
  const flooding = readFrom((to, data) => (to === listed ? 'flood' : answerOf(data)), [])
  await expect(flooding).rejects.toThrow(UpstreamsFailedError)
  await expect(readFrom((_, data) => answerOf(data), [], { exchanges: 1 })).rejects.toThrow(UpstreamsFailedError)
  await expect(readFrom(() => 'limit', [])).rejects.toThrow(ChainError)
})
