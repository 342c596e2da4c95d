import type { Connection } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { describe, expect, test } from 'vitest'
import { createConnectionMethods } from './connection-methods'

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const connected: Connection = {
  status: 'connected',
  connector: { id: 'wc', name: 'Phone', type: 'WALLET_CONNECT' },
  accounts: [{ namespace: 'eip155', address, type: 'eoa' }],
  networkId: 'eip155:1',
}

function setUp({ connection = connected, error }: { connection?: Connection; error?: unknown } = {}) {
  const switched: string[] = []
  const ask = createConnectionMethods({
    sessions: { connection: () => connection },
    async switchTo(network) {
      switched.push(network)
      if (error !== undefined) throw error
    },
  })
  const { signal } = new AbortController()
  return { switched, ask: (method: string, params?: unknown) => ask({ namespace: 'eip155', method, params }, signal) }
}

describe('1. networks', () => {
  test.each([
    ['wallet_switchEthereumChain', [{ chainId: '0xA' }]],
    ['wallet_addEthereumChain', [{ chainId: '0xa', chainName: 'Optimism', rpcUrls: ['https://x.example'] }]],
  ])('%s switches', async (method, params) => {
    const { ask, switched } = setUp()
    expect(await ask(method, params)).toBeNull()
    expect(switched).toEqual(['eip155:10'])
  })

  test.each([undefined, [], ['0x1'], [{ chainId: 1 }], [{ chainId: '1' }], [{ chainId: '0x01' }], [{ chainId: '0x' }]])(
    'parameters that name no chain are rejected: %j',
    async (params) => {
      const { ask, switched } = setUp()
      for (const method of ['wallet_switchEthereumChain', 'wallet_addEthereumChain'])
        await expect(ask(method, params)).rejects.toMatchObject({ code: 'INVALID_PARAMS', rpc: -32602 })
      expect(switched).toEqual([])
    },
  )

  test('a network that is not configured is 4902 to switch to, and -32602 to add', async () => {
    const { ask } = setUp({ error: new Failure('SWITCH_NETWORK_NOT_FOUND') })
    const params = [{ chainId: '0xdead' }]
    await expect(ask('wallet_switchEthereumChain', params)).rejects.toMatchObject({ rpc: 4902 })
    await expect(ask('wallet_addEthereumChain', params)).rejects.toMatchObject({
      rpc: -32602,
      message: 'eip155:57005 can’t be added: it isn’t one of the app’s configured networks',
    })
  })

  test('the wallet’s refusal reaches the dapp', async () => {
    const { ask } = setUp({ error: new Failure('USER_REJECTED') })
    const params = [{ chainId: '0xa' }]
    await expect(ask('wallet_addEthereumChain', params)).rejects.toMatchObject({ code: 'USER_REJECTED' })
  })
})

test('2. permissions list the connected accounts', async () => {
  for (const method of ['wallet_requestPermissions', 'wallet_getPermissions']) {
    expect(await setUp().ask(method)).toEqual([
      { parentCapability: 'eth_accounts', caveats: [{ type: 'restrictReturnedAccounts', value: [address] }] },
    ])
  }
  expect(await setUp({ connection: { status: 'disconnected' } }).ask('wallet_getPermissions')).toEqual([])
})

test.each(['eth_call', 'personal_sign', 'constructor', '__proto__'])(
  'leaves %s to the wallet or the chain',
  (method) => {
    expect(setUp().ask(method)).toBeUndefined()
  },
)
