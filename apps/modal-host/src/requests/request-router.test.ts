import { adapter } from '@postern/chains/eip155/adapter'
import { configureNetworks } from '@postern/chains/networks'
import type { Connection } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import { createRequestRouter } from './request-router'

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const connected: Extract<Connection, { status: 'connected' }> = {
  status: 'connected',
  connector: { id: 'w', name: 'Lantern', type: 'WALLET_CONNECT' },
  accounts: [{ namespace: 'eip155', address, type: 'eoa' }],
  networkId: 'eip155:1',
}

type RouterOptions = Parameters<typeof createRequestRouter>[0]

function routerOf(options: Pick<RouterOptions, 'sessions' | 'loadAdapter' | 'activeNetworkId'>) {
  const nothing = () => undefined
  return createRequestRouter({
    networks: configureNetworks(['ethereum', 'base'], {
      additional: [],
      gatewayEndpoint: () => 'https://gateway.example',
      imageUrl: () => '',
    }),
    clientOf: () => {
      throw new Error('No endpoint is asked')
    },
    onRequested: nothing,
    duringRequest: (_, signal, ask) => ask(signal),
    onApproved: nothing,
    onRefused: nothing,
    onStandardAccountNeeded: nothing,
    ...options,
  })
}

describe('createRequestRouter', () => {
  it('3. returns the current state once its code has loaded, not that of the request time', async () => {
    let connection: Connection = connected
    let arrive = () => {}
    const arrival = new Promise<void>((resolve) => {
      arrive = resolve
    })
    const rpc = routerOf({
      sessions: { connector: () => null, connection: () => connection, restored: async () => undefined },
      loadAdapter: async () => {
        await arrival
        return adapter
      },
      activeNetworkId: () => 'eip155:8453',
    })
    const { signal } = new AbortController()
    const ask = (method: string) => rpc({ namespace: 'eip155', method, params: [] }, signal)
    const [accounts, chainId] = [ask('eth_accounts'), ask('eth_chainId')]
    connection = { status: 'disconnected' }
    arrive()
    expect(await accounts).toEqual([])
    expect(await chainId).toBe('0x2105')
  })

  describe('2. while a session is being restored', () => {
    const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    const { accounts, networkId, connector: summary } = connected
    const restoring: Connection = { status: 'connecting', connector: summary, accounts, networkId }

    /** `personal_sign`, made while the session is being restored, which ends as `outcome`. */
    function signed(outcome: Connection, before: Connection = restoring) {
      let connection = before
      const asked: string[] = []
      const wallet = {
        ...summary,
        namespace: 'eip155',
        stableId: 'w',
        request: async (method: string) => {
          asked.push(method)
          return '0xsigned'
        },
      } as const
      const rpc = routerOf({
        sessions: {
          connector: () => (connection.status === 'connected' ? (wallet as never) : null),
          connection: () => connection,
          async restored() {
            await Promise.resolve()
            connection = outcome
          },
        },
        loadAdapter: async () => adapter,
        activeNetworkId: () => 'eip155:1',
      })
      const { signal } = new AbortController()
      const ask = (method: string) => rpc({ namespace: 'eip155', method, params: [] }, signal)
      return { asked, ask }
    }

    it.each(['personal_sign', 'wallet_getCapabilities'])('%s waits and goes on', async (method) => {
      const { ask, asked } = signed(connected)
      expect(await ask(method)).toBe('0xsigned')
      expect(asked).toEqual([method])
    })

    it.each(['personal_sign', 'wallet_getCapabilities'])('%s is DISCONNECTED without an answer', async (method) => {
      for (const before of [restoring, { ...restoring, status: 'reconnecting' } as const]) {
        const { ask } = signed({ ...restoring, status: 'reconnecting' }, before)
        await expect(ask(method)).rejects.toMatchObject({ code: 'DISCONNECTED' })
      }
    })

    it('it is UNAUTHORIZED once the session has ended, and if another account is restored', async () => {
      const others: Connection = { ...connected, accounts: [{ namespace: 'eip155', address: other, type: 'eoa' }] }
      for (const outcome of [{ status: 'disconnected' } as const, others]) {
        const { ask, asked } = signed(outcome)
        await expect(ask('personal_sign')).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
        expect(asked).toEqual([])
      }
    })

    it('it goes on if no account was on show', async () => {
      const { ask } = signed(connected, { status: 'connecting', connector: summary })
      expect(await ask('personal_sign')).toBe('0xsigned')
    })
  })
})
