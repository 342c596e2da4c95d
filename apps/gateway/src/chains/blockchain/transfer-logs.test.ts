import { expect, it } from 'vitest'
import { newestBlocks } from './transfer-logs'

const chainAt = (block: string) => ({
  upstreams: { exchange: async () => [{ result: block }] },
  urls: ['http://node.example'],
})

it.each([
  [
    'as many blocks as are asked for, for nodes refuse a range of one more than they let through',
    10,
    '0x64',
    91n,
    100n,
  ],
  ['the newest alone', 1, '0x64', 100n, 100n],
  ['all of a young chain', 10, '0x3', 0n, 3n],
])('scans %s', async (_, count, head, first, last) => {
  expect(await newestBlocks(chainAt(head), count)).toEqual({ first, last })
})
