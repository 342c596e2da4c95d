import type { Connection } from '@postern/protocol'
import { Failure, toLinkError } from '@postern/protocol/failure'
import { base58 } from '@scure/base'
import { createSignInMessageText, parseSignInMessageText } from '@solana/wallet-standard-util'
import { describe, expect, it } from 'vitest'
import { solanaSignIn } from './solana-sign-in'

const address = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'
const second = '7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv'
const other = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'
const signature = base58.encode(new Uint8Array(64).fill(7))
const networkId = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

function setUp({ isConnected = true, isDeclined = false, signedMessage = '' } = {}) {
  const connection: Connection = isConnected
    ? {
        status: 'connected',
        connector: { id: 'w', name: 'Lantern', type: 'ANNOUNCED' },
        accounts: [address, second].map((each) => ({ namespace: 'solana', address: each, type: 'eoa' })),
        networkId,
      }
    : { status: 'disconnected' }
  const requests: { method: string; params?: unknown }[] = []
  const signIn = (params?: unknown) =>
    solanaSignIn({ params, networkId }, new AbortController().signal, {
      sessions: { connection: () => connection, restored: async () => undefined },
      origin: 'https://shop.example:8443',
      async rpc(request) {
        requests.push(request)
        if (isDeclined) throw new Failure('USER_REJECTED')
        return { signature, ...(signedMessage !== '' && { signedMessage }) }
      },
    })
  return { signIn, requests }
}

const textOf = ({ message }: { readonly message: string }) => new TextDecoder().decode(base58.decode(message))
const linkError = (promise: Promise<unknown>) => promise.then(() => null, toLinkError)

it('2. the message has only the page’s domain and the first account by default', async () => {
  const result = await setUp().signIn()
  expect(textOf(result)).toBe(`shop.example:8443 wants you to sign in with your Solana account:\n${address}`)
  expect(result).toMatchObject({ address, signature })
})

it('2. the standard reads every given field from the message, and nothing else', async () => {
  const fields = {
    domain: 'shop.example:8443',
    address: second,
    statement: 'I accept the terms.',
    uri: 'https://shop.example:8443/orders',
    version: '1',
    chainId: 'solana:mainnet',
    nonce: 'a1b2c3d4',
    issuedAt: '2026-02-01T00:00:00Z',
    expirationTime: '2026-04-01T00:00:00Z',
    notBefore: '2026-01-01T00:00:00Z',
    requestId: 'r7',
    resources: ['https://shop.example:8443/terms'],
  }
  const { signIn } = setUp()
  expect(parseSignInMessageText(textOf(await signIn(fields)))).toEqual(fields)
  const few = { address, domain: 'shop.example:8443', nonce: 'a1b2c3d4' }
  expect(JSON.parse(JSON.stringify(parseSignInMessageText(textOf(await signIn({ nonce: 'a1b2c3d4' })))))).toEqual(few)
})

it('2. empty fields count as absent, as in the standard', async () => {
  const { signIn } = setUp()
  const names = [
    'statement',
    'uri',
    'version',
    'chainId',
    'nonce',
    'issuedAt',
    'expirationTime',
    'notBefore',
    'requestId',
  ]
  const empty = Object.fromEntries(names.map((name) => [name, '']))
  const input = { domain: 'shop.example:8443', address, ...empty }
  const text = textOf(await signIn(input))
  expect(text).toBe(textOf(await signIn()))
  expect(text).toBe(createSignInMessageText(input))
})

it('3. the wallet of the account signs the message as bytes', async () => {
  const { signIn, requests } = setUp()
  const result = await signIn({ pubkey: second, network: networkId })
  expect(requests).toEqual([
    {
      namespace: 'solana',
      networkId,
      method: 'solana_signMessage',
      params: { message: result.message, pubkey: second },
    },
  ])
})

it('3. a wallet that signs a changed message cannot sign in, and the failure says why', async () => {
  const { signIn } = setUp({ signedMessage: base58.encode(Uint8Array.of(255, 1)) })
  expect(await linkError(signIn())).toMatchObject({
    rpc: -32603,
    message: 'The wallet changed the message before it signed it',
  })
})

describe('1. signs nothing', () => {
  it.each([
    [{ domain: 'bank.example' }],
    [{ domain: 'shop.example' }],
    [{ domain: '' }],
    [{ uri: 'https://bank.example' }],
    [{ uri: 'https://shop.example:8443@bank.example' }],
    [{ uri: '/orders' }],
    [{ statement: 'two\nlines' }],
    [{ nonce: 'a\nIssued At: x' }],
    [{ requestId: 'a\u2028b' }],
    [{ resources: ['a\n- b'] }],
    [{ address: 'not an address' }],
    [{ version: 1 }],
    ['text'],
    [[]],
  ])('for %j', async (input) => {
    const { signIn, requests } = setUp()
    expect(await linkError(signIn(input))).toMatchObject({ code: 'INVALID_PARAMS', rpc: -32602 })
    expect(requests).toEqual([])
  })

  it('with an account that is not connected', async () => {
    const { signIn, requests } = setUp()
    expect(await linkError(signIn({ address: other }))).toMatchObject({ code: 'UNAUTHORIZED' })
    expect(await linkError(setUp({ isConnected: false }).signIn())).toMatchObject({ code: 'UNAUTHORIZED' })
    expect(requests).toEqual([])
  })
})

it('3. the user’s refusal reaches the dapp', async () => {
  expect(await linkError(setUp({ isDeclined: true }).signIn())).toMatchObject({ rpc: 4001 })
})
