import { adapter } from '@postern/chains/eip155'
import { configureNetworks } from '@postern/chains/networks'
import type { Connection } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import { createRequestRouter } from './request-router'

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const connected: Connection = {
  status: 'connected',
  connector: { id: 'w', name: 'Lantern', type: 'WALLET_CONNECT' },
  accounts: [{ namespace: 'eip155', address, type: 'eoa' }],
  networkId: 'eip155:1',
}

describe('createRequestRouter', () => {
  it('3. returns the current state once its code has loaded, not that of the request time', async () => {
    let connection: Connection = connected
    let arrive = () => {}
    const arrival = new Promise<void>((resolve) => {
      arrive = resolve
    })
    const nothing = () => undefined
    const rpc = createRequestRouter({
      networks: configureNetworks(['ethereum', 'base'], {
        additional: [],
        gatewayEndpoint: () => 'https://gateway.example',
        imageUrl: () => '',
      }),
      sessions: { connector: () => null, connection: () => connection, restored: async () => undefined },
      loadAdapter: async () => {
        await arrival
        return adapter
      },
      clientOf: () => {
        throw new Error('No endpoint is asked')
      },
      activeNetworkId: () => 'eip155:8453',
      onRequested: nothing,
      onApproved: nothing,
      onRefused: nothing,
      onStandardAccountNeeded: nothing,
    })
    const { signal } = new AbortController()
    const ask = (method: string) => rpc({ namespace: 'eip155', method, params: [] }, signal)
    const [accounts, chainId] = [ask('eth_accounts'), ask('eth_chainId')]
    connection = { status: 'disconnected' }
    arrive()
    expect(await accounts).toEqual([])
    expect(await chainId).toBe('0x2105')
  })
})
