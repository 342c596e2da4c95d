import type { CaipNetworkId } from '@postern/protocol'
import { type Address, encodeAbiParameters, encodeFunctionData, padHex, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { addressAt, type HostileChain, hostileChain, isOneOf } from '../../../testing/hostile-chain'
import type { KnownNetwork } from '../account'
import { createNfts } from './nfts'

const owner = `0x${'11'.repeat(20)}` as const
const honest = `0x${'22'.repeat(20)}` as const
const hostile = Array.from({ length: 20 }, (_, index) => addressAt(index + 1))
const id: CaipNetworkId = 'eip155:1'
const network: KnownNetwork = {
  id,
  namespace: 'eip155',
  urls: ['https://chain.example/'],
  definition: { id, name: 'Ethereum', nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 } },
  isCommon: true,
}
const abi = parseAbi(['function ownerOf(uint256) view returns (address)', 'function name() view returns (string)'])
const asksOwner = encodeFunctionData({ abi, functionName: 'ownerOf', args: [1n] })
const asksName = encodeFunctionData({ abi, functionName: 'name' })
const metadata = `data:application/json,${encodeURIComponent('{"name":"Honest"}')}`
const textOf = (text: string) => encodeAbiParameters([{ type: 'string' }], [text])

async function listOf(contract: HostileChain['contract'], sent: readonly Address[]) {
  const topics = ['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', padHex('0x0'), padHex(owner)]
  const logs = sent.map((address) => ({
    address,
    topics: [...topics, padHex('0x1')],
    data: '0x',
    blockNumber: '0x9',
  }))
  const results = {
    eth_blockNumber: () => '0x10',
    eth_getLogs: (params: unknown) => (JSON.stringify(params).includes('0xddf252ad') ? logs : []),
  }
  const nfts = createNfts({
    das: new Map(),
    networks: new Map([[id, network]]),
    upstreams: hostileChain({ contract, results }).upstreams,
    logBlocks: 100,
    remote: { isWithinReach: () => false, text: async () => null, picture: async () => null },
    log: { warn: () => {} },
    now: () => 0,
  })
  const listed = await nfts.of({ namespace: 'eip155', address: owner }, { chainId: id }, (key) => key)
  return listed.nfts.map(({ contract: of, name }) => [of, name])
}

function answerOf(data: string) {
  if (data === asksOwner) return padHex(owner)
  return textOf(data === asksName ? 'Honest things' : metadata)
}

test('5 oversized metadata of one contract does not hide other NFTs', async () => {
  const contract: HostileChain['contract'] = (to, data) =>
    isOneOf(hostile, to) && data !== asksOwner ? 'flood' : answerOf(data)
  const listed = await listOf(contract, [hostile[0] ?? honest, honest])
  expect(listed).toEqual([
    [`${id}:${hostile[0]}`, null],
    [`${id}:${honest}`, 'Honest'],
  ])
})

test('5 an oversized ownership response does not confirm, and does not hide other NFTs', async () => {
  const contract: HostileChain['contract'] = (to, data) => (isOneOf(hostile, to) ? 'flood' : answerOf(data))
  expect(await listOf(contract, [...hostile, honest])).toEqual([[`${id}:${honest}`, 'Honest']])
})
