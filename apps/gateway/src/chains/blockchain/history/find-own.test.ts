import { type Hex, padHex } from 'viem'
import { entryPoint07Address } from 'viem/account-abstraction'
import { expect, test } from 'vitest'
import { findOwn } from './find-own'

const first = 'eip155:31337'
const account = `0x${'11'.repeat(20)}` as const
const lookalike = `0x${'12'.repeat(20)}` as const

test('2 is the account’s own only if an entry point, or the Safe itself, emits the event', async () => {
  const moves = [{ from: account, to: lookalike, amount: 1n, decimals: 6, symbol: 'X', contract: '0x1', name: 'X' }]
  const item = { chainId: first, status: 'confirmed', at: 0, from: '0x2', to: '0x3', otherwise: 'execute' } as const
  const read = async (log: { address: string; topics: readonly Hex[] }) => {
    const receipt = { from: '0x2', logs: [log] }
    const upstreams = { exchange: async () => [{ result: receipt }] }
    const page = { landed: [{ ...item, hash: '0x4', isOwn: false, moves }], next: null }
    const { landed } = await findOwn({ upstreams, urls: [] }, account, page)
    return landed[0]?.isOwn
  }
  const ran = '0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f'
  const operation = (of: Hex) => [ran, '0x05', padHex(of), '0x06'] as const
  const executed = '0x442e715f626346e8c54381002da614f62bee8d27386535b2521ec8540898556e'
  expect(await read({ address: entryPoint07Address, topics: operation(account) })).toBe(true)
  expect(await read({ address: entryPoint07Address, topics: operation(lookalike) })).toBe(false)
  expect(await read({ address: lookalike, topics: operation(account) })).toBe(false)
  expect(await read({ address: account, topics: [executed] })).toBe(true)
  expect(await read({ address: lookalike, topics: [executed] })).toBe(false)
  expect(await read({ address: account, topics: ['0x07'] })).toBe(false)
})
