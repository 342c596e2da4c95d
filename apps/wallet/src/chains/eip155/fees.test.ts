import { expect, it } from 'vitest'
import type { Ask } from './endpoints'
import { suggestFees } from './fees'

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
