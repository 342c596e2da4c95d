import { describe, expect, test } from 'vitest'
import { failureOf } from '../errors'
import { linkFailure } from '../link/failures'
import { emptySnapshot } from '../state'
import type { Snapshot } from '../types'
import { answerForHost } from './host-rpc'

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const connected: Snapshot = {
  ...emptySnapshot,
  connections: {
    eip155: {
      status: 'connected',
      connector: { id: 'wc', name: 'Phone', type: 'WALLET_CONNECT' },
      accounts: [{ namespace: 'eip155', address, type: 'eoa' }],
      networkId: 'eip155:1',
    },
  },
}

function ask(method: string, params?: unknown, snapshot = connected, error?: unknown) {
  const switched: string[] = []
  const answer = answerForHost(method, params, {
    getSnapshot: () => snapshot,
    async switchNetwork(network) {
      switched.push(network)
      if (error !== undefined) throw error
    },
  })
  return { answer, switched }
}

describe('1. a wallet connected through the host', () => {
  test.each([
    ['wallet_switchEthereumChain', [{ chainId: '0xa' }]],
    ['wallet_addEthereumChain', [{ chainId: '0xa', chainName: 'Optimism', rpcUrls: ['https://x.example'] }]],
  ])('%s switches the network through the host', async (method, params) => {
    const { answer, switched } = ask(method, params)
    expect(await answer).toBeNull()
    expect(switched).toEqual(['eip155:10'])
  })

  test.each([undefined, [], ['0x1'], [{ chainId: 1 }], [{ chainId: '0x01' }], [{ chainId: '0x' }]])(
    'rejects parameters that name no chain: %j',
    (params) => {
      expect(() => ask('wallet_addEthereumChain', params)).toThrow(expect.objectContaining({ rpc: -32602 }))
    },
  )

  test('a network that is not configured is 4902 to switch to, and -32602 to add', async () => {
    const unknown = failureOf('SWITCH_NETWORK_NOT_FOUND', ['The network isn’t configured', 'Add it.', 4902])
    const params = [{ chainId: '0xdead' }]
    await expect(ask('wallet_switchEthereumChain', params, connected, unknown).answer).rejects.toBe(unknown)
    await expect(ask('wallet_addEthereumChain', params, connected, unknown).answer).rejects.toMatchObject({
      rpc: -32602,
      message: 'eip155:57005 can’t be added: it isn’t one of the app’s configured networks',
    })
  })

  test('passes the host’s error to the dapp', async () => {
    const no = linkFailure('USER_REJECTED')
    await expect(ask('wallet_switchEthereumChain', [{ chainId: '0xa' }], connected, no).answer).rejects.toBe(no)
  })
})

test('2. permissions list the connected accounts', async () => {
  for (const method of ['wallet_requestPermissions', 'wallet_getPermissions']) {
    expect(await ask(method).answer).toEqual([
      { parentCapability: 'eth_accounts', caveats: [{ type: 'restrictReturnedAccounts', value: [address] }] },
    ])
  }
  expect(await ask('wallet_getPermissions', undefined, emptySnapshot).answer).toEqual([])
})

test.each(['eth_call', 'personal_sign', 'constructor', '__proto__'])('leaves %s to the host', (method) => {
  expect(ask(method).answer).toBeUndefined()
})
