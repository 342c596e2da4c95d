import { type Address, encodeAbiParameters, getAddress, type Hex, padHex } from 'viem'
import { expect, test } from 'vitest'
import { addressAt, hostileChain } from '../../../testing/hostile-chain'
import { transferBatchTopic, transferTopic } from '../transfer-logs'
import { readCollectibles } from './holdings'

const owner: Address = `0x${'11'.repeat(20)}`
const honest = getAddress(`0x${'22'.repeat(20)}`)
const numbers = [{ type: 'uint256[]' }, { type: 'uint256[]' }] as const

/** Newest first; the chain's contracts confirm every owner. */
function holdingsIn(
  logs: readonly { readonly address: Address; readonly topics: readonly Hex[]; readonly data: Hex }[],
) {
  const results = {
    eth_blockNumber: () => '0x10',
    eth_getLogs: (params: unknown) =>
      logs
        .filter(({ topics: [signature = '0x'] }) => JSON.stringify(params).includes(signature))
        .map((log) => ({ ...log, blockNumber: '0x9' })),
  }
  return readCollectibles(hostileChain({ contract: () => padHex(owner), results }), owner, 100)
}

const single = (address: Address, tokenId: bigint) => ({
  address,
  topics: [transferTopic, padHex('0x0'), padHex(owner), padHex(`0x${tokenId.toString(16)}`)] as const,
  data: '0x' as const,
})
const batch = (address: Address, data: Hex) => ({
  address,
  topics: [transferBatchTopic, padHex('0x0'), padHex('0x0'), padHex(owner)] as const,
  data,
})
const some = (count: number) => Array.from({ length: count }, (_, index) => BigInt(index + 1))

test('1 a contract that sends thousands does not displace others', async () => {
  const flood = some(1_000).map((tokenId) => single(addressAt(1), tokenId))
  const holdings = await holdingsIn([...flood, single(honest, 7n), single(honest, 8n)])
  expect(holdings).toHaveLength(200)
  expect(holdings.slice(-3)).toEqual([
    { kind: 'erc721', contract: addressAt(1), tokenId: 198n },
    { kind: 'erc721', contract: honest, tokenId: 7n },
    { kind: 'erc721', contract: honest, tokenId: 8n },
  ])
  // Alone, it may fill the list.
  expect(await holdingsIn(flood)).toHaveLength(200)
})

test('1 reads only the first two hundred of a batch', async () => {
  const many = encodeAbiParameters(numbers, [some(3_000), some(3_000)])
  expect((await holdingsIn([batch(honest, many)])).map((each) => each.tokenId)).toEqual(some(200))
  // The rest of the data may be anything.
  const cut = many.slice(0, 2 + 64 * 500)
  expect(await holdingsIn([batch(honest, `0x${cut.slice(2)}`)])).toHaveLength(200)
})

test.each<[string, Hex]>([
  ['nothing', '0x'],
  ['no numbers', padHex('0x40', { size: 32 })],
  ['numbers far outside', `0x${'ff'.repeat(64)}`],
  ['fewer than it says', `0x${[64n, 0n, 5n, 1n].map((word) => word.toString(16).padStart(64, '0')).join('')}`],
])('1 an event with %s brings nothing, and hides nothing', async (_, data) => {
  expect(await holdingsIn([batch(addressAt(1), data), single(honest, 7n)])).toEqual([
    { kind: 'erc721', contract: honest, tokenId: 7n },
  ])
})
