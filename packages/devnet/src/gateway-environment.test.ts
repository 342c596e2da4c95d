import { expect, test } from 'vitest'
import { devnetSolanaId } from './chain-ids'
import { gatewayEnvironment } from './gateway-environment'
import { devnetContracts, ensContracts } from './networks'

test('lists every service that has a port', () => {
  expect(gatewayEnvironment()).toMatchObject({
    SMTP_URL: 'smtp://127.0.0.1:8552',
    SOCIAL_ENDPOINTS: 'http://127.0.0.1:8554',
    GOOGLE_CLIENT_ID: 'devnet.google',
    APPLE_PRIVATE_KEY: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/),
    FARCASTER_RELAY_URL: 'http://127.0.0.1:8555',
    FARCASTER_NETWORK: 'eip155:31337',
    POSTERN_BUNDLERS: '{"eip155:31337":"http://127.0.0.1:8556/31337","eip155:31338":"http://127.0.0.1:8556/31338"}',
    POSTERN_PAYMASTERS:
      '{"eip155:31337":"http://127.0.0.1:8556/paymaster/31337","eip155:31338":"http://127.0.0.1:8556/paymaster/31338"}',
  })
})

test('lists tokens, pools, names, prices and the on-ramp', () => {
  const environment = gatewayEnvironment()
  const parsed = (name: string): unknown => JSON.parse(environment[name] ?? 'null')
  const { dollar, swapFactory, swapRouter, wrapped } = devnetContracts
  expect(parsed('POSTERN_TOKENS')).toEqual(
    expect.arrayContaining([
      { chainId: 'eip155:31338', address: dollar, name: 'Devnet Dollar', symbol: 'DUSD', decimals: 6 },
      expect.objectContaining({ chainId: devnetSolanaId, symbol: 'SDUSD', decimals: 6 }),
    ]),
  )
  expect(parsed('POSTERN_SWAPS')).toMatchObject({
    'eip155:31337': { router: swapRouter, factory: swapFactory, wrapped, tokens: [{ symbol: 'DUSD' }, {}, {}] },
    'eip155:31338': { router: swapRouter },
  })
  expect(parsed('POSTERN_PRICES')).toMatchObject({
    coingecko: { url: 'http://127.0.0.1:8558/coingecko/api/v3', ids: { 'eip155:31337': 'ethereum' } },
    uniswapV2: { 'eip155:31338': { factory: swapFactory, wrapped, dollar } },
  })
  expect(parsed('POSTERN_ENS')).toEqual({
    network: 'eip155:31337',
    registry: ensContracts.registry,
    universalResolver: ensContracts.universalResolver,
    servers: 'http://127.0.0.1:8559/',
  })
  expect(parsed('POSTERN_INDEXERS')).toEqual({
    'eip155:31337': 'http://127.0.0.1:8558/31337/api',
    'eip155:31338': 'http://127.0.0.1:8558/31338/api',
  })
  expect(parsed('POSTERN_ONRAMP')).toMatchObject({
    api: 'http://127.0.0.1:8557/onramp/v1',
    page: 'http://onramp.localhost:8557/buy',
    keyId: 'postern-devnet-onramp',
  })
  expect(environment.POSTERN_NAMES).toBe('.postern')
})

test('omits services without a port', () => {
  const environment = gatewayEnvironment({ evm: 8545, evmTwo: 8546 })
  expect(Object.keys(environment)).toEqual([
    'POSTERN_TOKENS',
    'POSTERN_SWAPS',
    'POSTERN_PRICES',
    'POSTERN_ENS',
    'POSTERN_NAMES',
  ])
  expect(JSON.stringify(environment)).not.toMatch(/undefined|http:/)
})
