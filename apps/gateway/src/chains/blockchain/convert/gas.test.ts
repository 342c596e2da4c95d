import { expect, test } from 'vitest'
import type { RpcCall } from '../../../platform/upstreams/rpc'
import { createGasPrices } from './gas'

test('reads gas prices once per five seconds and network', async () => {
  const methods: string[] = []
  const history = { baseFeePerGas: ['0x1', '0x2'], reward: [['0x1', '0x2', '0x3']] }
  const upstreams = {
    async exchange(urls: readonly string[], calls: readonly RpcCall[]) {
      methods.push(`${urls} ${calls.map(({ method }) => method)}`)
      return calls.map(() => ({ result: history }))
    },
  }
  let at = 0
  const gasPrices = createGasPrices(() => at)
  const of = (reference: number) => gasPrices(`eip155:${reference}`, { upstreams, urls: [`chain ${reference}`] })
  expect(await Promise.all([of(1), of(1)])).toEqual(Array(2).fill({ standard: '3', fast: '4', instant: '5' }))
  await of(2)
  at = 4_999
  await of(1)
  expect(methods).toEqual(['chain 1 eth_feeHistory', 'chain 2 eth_feeHistory'])
  at = 5_000
  await of(1)
  expect(methods).toHaveLength(3)
})
