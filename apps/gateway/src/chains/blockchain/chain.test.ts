import { decodeFunctionData, encodeFunctionResult, type Hex, numberToHex, parseAbi, size } from 'viem'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { RpcCall } from '../../platform/upstreams/rpc'
import { addressAt, hostileChain } from '../../testing/hostile-chain'
import { readContracts, readUntrusted } from './chain'

const abi = parseAbi([
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call3[] calls) payable returns (Result[] results)',
])
const Params = z.tuple([z.object({ data: z.custom<Hex>((value) => typeof value === 'string') })], z.unknown())
const to = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

/** Every contract returns its call data; `batches` has the call sizes of each multicall, in bytes. */
function echo() {
  const batches: number[][] = []
  const exchange = async (_: readonly string[], calls: readonly RpcCall[]) =>
    calls.map(({ params }) => {
      const [{ data }] = Params.parse(params)
      const [requested] = decodeFunctionData({ abi, data }).args
      batches.push(requested.map(({ callData }) => size(callData)))
      const result = requested.map(({ callData }) => ({ success: true, returnData: callData }))
      return { result: encodeFunctionResult({ abi, functionName: 'aggregate3', result }) }
    })
  return { chain: { upstreams: { exchange }, urls: [] }, batches }
}

const question = (bytes: number, value = 1) => ({ to, data: numberToHex(value, { size: bytes }) }) as const

describe('readContracts', () => {
  test('sends at most 1024 bytes of call data per batch, and keeps every response in order', async () => {
    const { chain, batches } = echo()
    const calls = Array.from({ length: 65 }, (_, index) => question(32, index))
    expect(await readContracts(chain, calls)).toEqual(calls.map(({ data }) => data))
    expect(batches.map(({ length }) => length)).toEqual([32, 32, 1])
  })

  test('fills a batch to exactly 1024 bytes, and sends a longer call alone (spec §9)', async () => {
    const { chain, batches } = echo()
    await readContracts(chain, [question(1_000), question(24), question(1), question(2_000), question(1)])
    expect(batches).toEqual([[1_000, 24], [1], [2_000], [1]])
  })

  test('sends no request without calls', async () => {
    const { chain, batches } = echo()
    expect(await readContracts(chain, [])).toEqual([])
    expect(batches).toEqual([])
  })
})

describe('readUntrusted', () => {
  const countOf = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ to: addressAt(index + 1), data: '0x01' as const }))

  test('keeps at most the wanted bytes of each response, even if many contracts return megabytes', async () => {
    const floods = await readUntrusted(hostileChain({ contract: () => 'flood' }), countOf(100), 32)
    expect(floods).toEqual(countOf(100).map(() => `0x${'ff'.repeat(32)}`))
  })

  test('returns null for empty and missing responses', async () => {
    const said = ['0x', numberToHex(5, { size: 32 }), `0x${'ab'.repeat(4_000)}`] as const
    const contract = (to: Hex) => said[Number(to) - 1] ?? null
    expect(await readUntrusted(hostileChain({ contract }), countOf(4), 32)).toEqual([
      null,
      said[1],
      `0x${'ab'.repeat(32)}`,
      null,
    ])
  })
})
