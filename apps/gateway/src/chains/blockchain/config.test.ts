import { expect, test } from 'vitest'
import { gatewayEnvironment } from '../../testing/devnet'
import { noBlockchain } from '../../testing/no-blockchain'
import { readBlockchain } from './config'

test('defaults to no additional tokens, no indexers and the ENS of Ethereum', () => {
  const problems: string[] = []
  expect(readBlockchain({}, problems)).toMatchObject({
    tokens: [],
    ens: { network: 'eip155:1', universalResolver: '0xeEeEEEeE14D718C2B47D9923Deab1335E144EeEe' },
    logBlocks: 10_000,
  })
  expect(problems).toEqual([])
})

test('accepts the devnet’s variables', () => {
  const problems: string[] = []
  const { tokens, prices, ens, indexers } = readBlockchain(gatewayEnvironment(), problems)
  expect(problems).toEqual([])
  expect(tokens.map(({ symbol }) => symbol)).toContain('DUSD')
  expect(prices.coingecko?.ids.get('eip155:1')).toBe('ethereum')
  expect(prices.coingecko?.ids.get('eip155:31337')).toBe('ethereum')
  expect([...prices.uniswapV2.keys(), ...indexers.keys()]).toContain('eip155:31338')
  expect(ens.network).toBe('eip155:31337')
})

test('uses Uniswap’s pools for swaps and prices, unless configured otherwise', () => {
  const swaps = (env: Record<string, string>) => readBlockchain(env, []).swaps
  const [first, second] = ['0x1111111111111111111111111111111111111111', '0x2222222222222222222222222222222222222222']
  const own = { router: first, factory: second, wrapped: second }
  const routerOf = (env: Record<string, string>) => swaps(env).routers.get('eip155:1')?.router
  expect(routerOf({})).toBe('0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D')
  expect(routerOf({ POSTERN_SWAPS: JSON.stringify({ 'eip155:1': own }) })).toBe(first)
  expect(routerOf({ POSTERN_SWAPS: JSON.stringify({ 'eip155:10': own }) })).toBeDefined()
  expect(routerOf({ POSTERN_SWAPS: '{"eip155:1":null}' })).toBeUndefined()
  const api = JSON.stringify({ url: 'https://swaps.example', key: 'x', networks: ['eip155:1'] })
  expect(routerOf({ POSTERN_SWAP_API: api })).toBeUndefined()
  expect(swaps({ POSTERN_SWAP_API: api, POSTERN_SWAPS: '{"eip155:1":null}' }).aggregator?.networks).toEqual([])

  const pools = (env: Record<string, string>) => readBlockchain(env, []).prices.uniswapV2.get('eip155:1')
  expect(pools({})).toMatchObject({ dollar: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', isListedOnly: true })
  const named = { factory: first, wrapped: first, dollar: second }
  expect(pools({ POSTERN_PRICES: JSON.stringify({ uniswapV2: { 'eip155:1': named } }) })).toEqual(named)
  expect(pools({ POSTERN_PRICES: '{"uniswapV2":{"eip155:1":null}}' })).toBeUndefined()
})

test('resolves off-chain names by default, through the operator’s server if configured, and not at all if disabled', () => {
  const { network, universalResolver } = noBlockchain.ens
  const serversOf = (servers?: string | null) => {
    const problems: string[] = []
    const { ens } = readBlockchain({ POSTERN_ENS: JSON.stringify({ network, universalResolver, servers }) }, problems)
    expect(problems).toEqual([])
    return ens.servers
  }
  expect(noBlockchain.ens.servers).toEqual({ own: null })
  expect(serversOf()).toEqual({ own: null })
  expect(serversOf('http://names.internal/ens')).toEqual({ own: 'http://names.internal/ens/' })
  expect(serversOf(null)).toBeNull()
})

test('takes tokens whose address fits their network, and names the others', () => {
  const tokensIn = (...tokens: readonly (readonly [chainId: string, address: string])[]) => {
    const problems: string[] = []
    const text = { name: 'Token', symbol: 'TKN', decimals: 18 }
    const setting = tokens.map(([chainId, address]) => ({ chainId, address, ...text }))
    return { read: readBlockchain({ POSTERN_TOKENS: JSON.stringify(setting) }, problems).tokens, problems }
  }
  const [evm, solana] = [
    '0xabcdef1111111111111111111111111111111111',
    'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  ] as const
  const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
  const right = [
    ['eip155:1', evm],
    ['eip155:1', evm.toUpperCase().replace('0X', '0x')],
    [solana, mint],
  ] as const
  expect(tokensIn(...right).problems).toEqual([])
  expect(tokensIn(...right).read.map(({ address }) => address)).toEqual(right.map(([, address]) => address))
  expect(tokensIn(['eip155:1', 'hush'], ['eip155:1', mint], [solana, evm], ['ethereum', evm]).problems).toEqual([
    'POSTERN_TOKENS[0].address: must be an address on that network',
    'POSTERN_TOKENS[1].address: must be an address on that network',
    'POSTERN_TOKENS[2].address: must be an address on that network',
    'POSTERN_TOKENS[3].chainId: must be the id of a network, such as eip155:1',
  ])
})

test.each([
  ['POSTERN_TOKENS', '{"hush":1}'],
  ['POSTERN_TOKENS', '[{"chainId":"eip155:1","address":"hush"}]'],
  ['POSTERN_PRICES', '{"coingecko":{"url":"ftp://hush"}}'],
  ['POSTERN_PRICES', '{"uniswapV2":{"eip155:1":{"factory":"hush"}}}'],
  ['POSTERN_ENS', '{"network":"hush"}'],
  ['POSTERN_ENS', JSON.stringify({ ...noBlockchain.ens, servers: 'ftp://hush' })],
  ['POSTERN_INDEXERS', '{"eip155:1":"https://user:hush@example.com/api"}'],
  ['POSTERN_INDEXERS', 'hush'],
  ['POSTERN_INDEXERS', '{"eip155:1":"hush"}'],
  ['POSTERN_DAS', '{"solana:x":"https://user:hush@example.com/"}'],
  ['POSTERN_DAS', '{"eip155:1":"https://example.com/?api-key=hush"}'],
  ['POSTERN_SWAPS', '{"eip155:1":{"router":"hush"}}'],
  ['POSTERN_SWAP_API', '{"url":"hush","key":"hush"}'],
  ['POSTERN_SWAP_API', '{"url":"https://user:hush@example.com","key":"x"}'],
  ['POSTERN_SWAP_API', '{"url":"https://example.com","key":"two hush"}'],
  ['POSTERN_IPFS', 'https://user:hush@ipfs.example'],
  ['POSTERN_LOG_BLOCKS', '-1'],
])('names the invalid %s without repeating its value', (name, value) => {
  const problems: string[] = []
  readBlockchain({ [name]: value }, problems)
  expect(problems).not.toEqual([])
  for (const problem of problems) expect(problem.replace("'hush'", '')).toMatch(new RegExp(`^${name}(?!.*hush)`))
})
