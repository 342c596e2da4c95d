import { expect, test } from 'vitest'
import { gatewayEnvironment } from './gateway-environment'

test('tells of every service that has a port', () => {
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

test('tells of no service that is not there', () => {
  expect(gatewayEnvironment({ evm: 8545, evmTwo: 8546 })).toEqual({})
})
