import { expect, it } from 'vitest'
import type { Ask } from './endpoints'
import { raiseFees, suggestFees } from './fees'

const answers: Readonly<Record<string, unknown>> = {
  eth_getBlockByNumber: { baseFeePerGas: '0x3b9aca00', timestamp: '0x65000000' },
  eth_maxPriorityFeePerGas: '0x0',
  eth_feeHistory: { reward: [['0x3b9aca00'], ['0x3b9aca00'], ['0x0']], gasUsedRatio: [0.4, 0.5, 0] },
  eth_gasPrice: '0x3b9aca00',
}

it('pays the tip that blocks were paid, if the node suggests none', async () => {
  const ask: Ask = async (method, _, schema) => schema.parse(answers[method])
  const { fees } = await suggestFees(ask)
  expect(fees).toEqual({
    kind: 'eip1559',
    maxFeePerGas: 3_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
  })
})

const fees = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint) =>
  ({ kind: 'eip1559', maxFeePerGas, maxPriorityFeePerGas }) as const

it('raises both fees by an eighth, or to the suggestion, and a tip of nothing above it', () => {
  expect(raiseFees(fees(800n, 80n), fees(100n, 10n))).toEqual(fees(901n, 91n))
  expect(raiseFees(fees(800n, 80n), fees(2_000n, 100n))).toEqual(fees(2_000n, 100n))
  expect(raiseFees(fees(800n, 0n), fees(100n, 0n))).toEqual(fees(901n, 1n))
  expect(raiseFees({ kind: 'legacy', gasPrice: 8n }, fees(20n, 1n))).toEqual({ kind: 'legacy', gasPrice: 20n })
  expect(raiseFees(fees(800n, 800n), { kind: 'legacy', gasPrice: 1_000n })).toEqual(fees(1_000n, 901n))
})
