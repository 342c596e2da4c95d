import { configureNetworks } from '@postern/chains/networks'
import type { Account, Connection } from '@postern/protocol'
import { Failure, toLinkError } from '@postern/protocol/failure'
import { describe, expect, it } from 'vitest'
import { connectMethod } from './connect-method'

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const second = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const signature = `0x${'ab'.repeat(65)}`
const asked = { nonce: '12345678', chainId: '0x1' }
const text = (hex: unknown) => Buffer.from(String(hex).slice(2), 'hex').toString()

function setUp({ type = 'eoa' as Account['type'], isConnected = true, isDeclined = false } = {}) {
  const connection: Connection = isConnected
    ? {
        status: 'connected',
        connector: { id: 'w', name: 'Lantern', type: 'ANNOUNCED' },
        accounts: [address, second].map((each) => ({ namespace: 'eip155', address: each, type })),
        networkId: 'eip155:1',
      }
    : { status: 'disconnected' }
  const requests: { method: string; params?: unknown }[] = []
  const ask = (params?: unknown) =>
    connectMethod({ params }, new AbortController().signal, {
      sessions: { connection: () => connection, restored: async () => undefined },
      networks: configureNetworks(['ethereum', 'base'], {
        additional: [],
        gatewayEndpoint: () => 'https://gateway.example',
        imageUrl: () => '',
      }),
      origin: 'https://shop.example:8443',
      clock: { now: () => Date.parse('2026-03-01T12:00:00Z') },
      async rpc(request) {
        requests.push(request)
        if (isDeclined) throw new Failure('USER_REJECTED')
        return signature
      },
    })
  const signIn = (change: object = {}) =>
    ask([{ version: '1', capabilities: { signInWithEthereum: { ...asked, ...change } } }])
  return { ask, signIn, requests }
}

const linkError = (promise: Promise<unknown>) => promise.then(() => null, toLinkError)

describe('the accounts', () => {
  it.each([[undefined], [[]], [[{}]], [[{ version: '1' }]], [[{ capabilities: { other: { more: 1 } } }]]])(
    '5. without a sign-in, for the parameters %j',
    async (params) => {
      const { ask, requests } = setUp()
      const accounts = [address, second].map((each) => ({ address: each, capabilities: {} }))
      expect(await ask(params)).toEqual({ accounts })
      expect(requests).toEqual([])
    },
  )

  it('are UNAUTHORIZED if the connection has ended', async () => {
    expect(await linkError(setUp({ isConnected: false }).ask())).toMatchObject({ rpc: 4100 })
  })
})

it('4. the first account signs the message, which the result carries', async () => {
  const { signIn, requests } = setUp()
  const message = [
    'shop.example:8443 wants you to sign in with your Ethereum account:',
    address,
    '',
    '',
    'URI: https://shop.example:8443',
    'Version: 1',
    'Chain ID: 1',
    'Nonce: 12345678',
    'Issued At: 2026-03-01T12:00:00.000Z',
  ].join('\n')
  expect(await signIn()).toEqual({
    accounts: [
      { address, capabilities: { signInWithEthereum: { message, signature } } },
      { address: second, capabilities: {} },
    ],
  })
  const [request] = requests
  expect(request).toMatchObject({ namespace: 'eip155', networkId: 'eip155:1', method: 'personal_sign' })
  const [hex, signer] = Array.isArray(request?.params) ? request.params : []
  expect([text(hex), signer]).toEqual([message, address])
})

it('2. the message has exactly the given fields', async () => {
  const { signIn, requests } = setUp()
  await signIn({
    chainId: '0x2105',
    scheme: 'https',
    domain: 'shop.example:8443',
    uri: 'https://shop.example:8443/orders',
    statement: 'I accept the terms.',
    issuedAt: '2026-02-01T00:00:00Z',
    expirationTime: '2026-04-01T00:00:00Z',
    notBefore: '2026-01-01T00:00:00Z',
    requestId: 'r7',
    resources: ['https://shop.example:8443/terms'],
  })
  const [hex] = Array.isArray(requests[0]?.params) ? requests[0].params : []
  expect(text(hex)).toBe(
    [
      'https://shop.example:8443 wants you to sign in with your Ethereum account:',
      address,
      '',
      'I accept the terms.',
      '',
      'URI: https://shop.example:8443/orders',
      'Version: 1',
      'Chain ID: 8453',
      'Nonce: 12345678',
      'Issued At: 2026-02-01T00:00:00Z',
      'Expiration Time: 2026-04-01T00:00:00Z',
      'Not Before: 2026-01-01T00:00:00Z',
      'Request ID: r7',
      'Resources:',
      '- https://shop.example:8443/terms',
    ].join('\n'),
  )
})

describe('1. signs nothing', () => {
  it.each([
    [{ domain: 'bank.example' }],
    [{ domain: 'shop.example' }],
    [{ domain: 'shop.example:8443.bank.example' }],
    [{ domain: 'https://shop.example:8443' }],
    [{ domain: '' }],
    [{ scheme: 'http' }],
    [{ uri: 'https://bank.example' }],
    [{ uri: 'https://shop.example:8443@bank.example' }],
    [{ uri: 'https://shop.example' }],
    [{ uri: '/orders' }],
    [{ uri: '' }],
    [{ version: '2' }],
    [{ nonce: 'short' }],
    [{ nonce: '12345678\nIssued At: x' }],
    [{ nonce: undefined }],
    [{ chainId: 1 }],
    [{ chainId: '1' }],
    [{ chainId: undefined }],
    [{ statement: 'two\nlines' }],
    [{ issuedAt: 'now' }],
    [{ resources: 'https://shop.example:8443' }],
  ])('for %j', async (change) => {
    const { signIn, requests } = setUp()
    expect(await linkError(signIn(change))).toMatchObject({ code: 'INVALID_PARAMS', rpc: -32602 })
    expect(requests).toEqual([])
  })

  it.each([['x'], [{}], [[7]], [[{ capabilities: [] }]], [[{ capabilities: { signInWithEthereum: true } }]]])(
    'for the parameters %j',
    async (params) => {
      const { ask, requests } = setUp()
      expect(await linkError(ask(params))).toMatchObject({ code: 'INVALID_PARAMS' })
      expect(requests).toEqual([])
    },
  )

  it('and names the field', async () => {
    const { message } = (await linkError(setUp().signIn({ domain: 'bank.example' }))) ?? {}
    expect(message).toBe('Invalid method parameters: `domain` must be shop.example:8443')
  })
})

describe('3. the network', () => {
  it('must be configured', async () => {
    const { signIn, requests } = setUp()
    expect(await linkError(signIn({ chainId: '0x5' }))).toMatchObject({ code: 'NETWORK_NOT_FOUND' })
    expect(requests).toEqual([])
  })

  it('must be the current one of a smart account', async () => {
    const { signIn, requests } = setUp({ type: 'smartAccount' })
    expect(await linkError(signIn({ chainId: '0x2105' }))).toMatchObject({ code: 'CHAIN_DISCONNECTED' })
    expect(requests).toEqual([])
    await signIn()
    expect(requests).toHaveLength(1)
  })
})

it('4. the user’s refusal reaches the dapp', async () => {
  expect(await linkError(setUp({ isDeclined: true }).signIn())).toMatchObject({ rpc: 4001 })
})
