import type { ChainClient } from '@postern/chains/chain-client'
import { decodeFunctionData, parseAbi, parseTransaction } from 'viem'
import { describe, expect, it } from 'vitest'
import { rollupFeeOfCall, rollupFeeOfSize } from './rollup-fee'

const abi = parseAbi([
  'function getL1Fee(bytes) view returns (uint256)',
  'function getL1FeeUpperBound(uint256) view returns (uint256)',
  'function getOperatorFee(uint256) view returns (uint256)',
])
const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** One wei for every oracle call. */
function rollup() {
  const requests: { readonly functionName: string; readonly args: readonly unknown[] }[] = []
  const client: ChainClient = {
    networkId: 'eip155:8453',
    rpc: {
      async request({ method, params }) {
        if (method === 'eth_getCode') return '0x6080'
        const [call] = Array.isArray(params) ? params : []
        requests.push(decodeFunctionData({ abi, data: call.data }))
        return `0x${'1'.padStart(64, '0')}`
      },
    },
    esplora: { get: async () => null, post: async () => '' },
  }
  return { client, requests }
}

describe('the rollup fee of a planned transaction', () => {
  it('is the fee of the future transaction, with a placeholder nonce', async () => {
    const { client, requests } = rollup()
    const call = { to, value: 7n, data: '0xa9059cbb', gas: 50_000n, price: 5n }
    expect(await rollupFeeOfCall(client, call)).toBe(2n)
    expect(requests.map(({ functionName }) => functionName).sort()).toEqual(['getL1Fee', 'getOperatorFee'])
    const [unsigned] = requests.find(({ functionName }) => functionName === 'getL1Fee')?.args ?? []
    expect(parseTransaction(`0x${String(unsigned).slice(2)}`)).toMatchObject({
      chainId: 8453,
      to: to.toLowerCase(),
      value: 7n,
      data: '0xa9059cbb',
      gas: 50_000n,
      maxFeePerGas: 10n,
      maxPriorityFeePerGas: 5n,
    })
    expect(requests.find(({ functionName }) => functionName === 'getOperatorFee')?.args).toEqual([50_000n])
  })

  it('is the fee for a size if the bytes are unknown', async () => {
    const { client, requests } = rollup()
    expect(await rollupFeeOfSize(client, 1_500, 9n)).toBe(2n)
    expect(requests).toMatchObject([{ functionName: 'getL1FeeUpperBound', args: [1_500n] }, { args: [9n] }])
  })
})
