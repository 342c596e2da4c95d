import { expect, test } from 'vitest'
import { gatewayEnvironment } from '../testing/devnet'
import { noBlockchain, readBlockchain } from './config'

test('nothing set is no tokens, prices and indexers, and the names of Ethereum', () => {
  const problems: string[] = []
  expect(readBlockchain({}, problems)).toMatchObject({ tokens: [], ens: noBlockchain.ens, logBlocks: 10_000 })
  expect(problems).toEqual([])
})

test('the devnet’s own variables are taken as they are', () => {
  const problems: string[] = []
  const { tokens, prices, ens, indexers } = readBlockchain(gatewayEnvironment(), problems)
  expect(problems).toEqual([])
  expect(tokens.map(({ symbol }) => symbol)).toContain('DUSD')
  expect(prices.coingecko?.ids.get('eip155:1')).toBe('ethereum')
  expect(prices.coingecko?.ids.get('eip155:31337')).toBe('ethereum')
  expect([...prices.uniswapV2.keys(), ...indexers.keys()]).toContain('eip155:31338')
  expect(ens.network).toBe('eip155:31337')
})

test.each([
  ['POSTERN_TOKENS', '{"hush":1}'],
  ['POSTERN_TOKENS', '[{"chainId":"eip155:1","address":"hush"}]'],
  ['POSTERN_PRICES', '{"coingecko":{"url":"ftp://hush"}}'],
  ['POSTERN_PRICES', '{"uniswapV2":{"eip155:1":{"factory":"hush"}}}'],
  ['POSTERN_ENS', '{"network":"hush"}'],
  ['POSTERN_INDEXERS', '{"eip155:1":"https://user:hush@example.com/api"}'],
  ['POSTERN_INDEXERS', 'hush'],
  ['POSTERN_LOG_BLOCKS', '-1'],
])('what is wrong with %s is named, and nothing of what it holds is repeated', (name, value) => {
  const problems: string[] = []
  readBlockchain({ [name]: value }, problems)
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain(name)
  expect(problems[0]).not.toContain('hush')
})
