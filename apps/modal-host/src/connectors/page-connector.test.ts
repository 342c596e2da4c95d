import { configureNetworks } from '@postern/chains/networks'
import type { PageWallet } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import { metaMask } from '../testing/test-page'
import type { Connector, ConnectorEvent, PageConnectorDependencies, WalletSession } from './connector'
import { pageSide } from './page/testing/page-side'
import { connectorOnceLoaded, createPageConnector } from './page-connector'

const summary = { id: 'w', name: 'Fox', type: 'ANNOUNCED', namespace: 'solana', stableId: 'standard:Fox' } as const
const session: WalletSession = {
  accounts: [{ namespace: 'solana', address: 'a', type: 'eoa' }],
  networkId: 'solana:1',
}
const { signal } = new AbortController()

function setUp() {
  const listeners = new Set<(event: ConnectorEvent) => void>()
  const calls: string[] = []
  const behind: Connector = {
    ...summary,
    async connect() {
      calls.push('connect')
      for (const listener of listeners) listener({ kind: 'disconnected' })
      return session
    },
    reconnect: async () => ({ kind: 'ended' }),
    disconnect: async () => void calls.push('disconnect'),
    switchNetwork: async ({ caipNetworkId }) => caipNetworkId,
    request: async (method) => method,
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  let loads = 0
  let isOffline = false
  const connector = connectorOnceLoaded(summary, async () => {
    loads += 1
    if (isOffline) throw new Error('offline')
    return behind
  })
  return {
    connector,
    calls,
    listeners,
    loads: () => loads,
    setOffline(offline: boolean) {
      isOffline = offline
    },
  }
}

describe('connectorOnceLoaded', () => {
  it('has its summary at once, and loads nothing before the first use', () => {
    const { connector, loads } = setUp()
    expect(connector).toMatchObject(summary)
    expect(loads()).toBe(0)
  })

  it('1. loads once, and retries after a failure', async () => {
    const { connector, loads, setOffline, calls } = setUp()
    setOffline(true)
    await expect(connector.connect(signal)).rejects.toThrow('offline')
    setOffline(false)
    expect(await connector.connect(signal)).toBe(session)
    expect(await connector.reconnect(signal)).toEqual({ kind: 'ended' })
    expect(await connector.request('m', {}, signal)).toBe('m')
    await connector.disconnect()
    expect(calls).toEqual(['connect', 'disconnect'])
    expect(loads()).toBe(2)
  })

  it('2. delivers the events of a call to a listener that subscribed before it', async () => {
    const { connector } = setUp()
    const heard: ConnectorEvent[] = []
    connector.listen((event) => heard.push(event))
    await connector.connect(signal)
    expect(heard).toEqual([{ kind: 'disconnected' }])
  })

  it('3. removes every listener, whether it left before or after the code loaded', async () => {
    const { connector, listeners } = setUp()
    const heard: ConnectorEvent[] = []
    connector.listen((event) => heard.push(event))()
    const leave = connector.listen(() => {})
    await connector.reconnect(signal)
    expect(listeners.size).toBe(1)
    leave()
    expect(listeners.size).toBe(0)
    await connector.connect(signal)
    expect(heard).toEqual([])
  })

  it('3. reports a load failure to the caller, not to listeners', async () => {
    const { connector, setOffline } = setUp()
    setOffline(true)
    const leave = connector.listen(() => {})
    await expect(connector.reconnect(signal)).rejects.toThrow('offline')
    leave()
  })
})

describe('createPageConnector', () => {
  const signer: PageWallet = {
    id: 'w1',
    namespace: 'solana',
    type: 'ANNOUNCED',
    name: 'Signer',
    key: 'standard:Signer',
  }

  function connectorOf(wallet: PageWallet, isMulti = false) {
    const page = pageSide(() => [])
    const deps: PageConnectorDependencies = {
      ...page,
      networks: configureNetworks(['ethereum', 'solana', 'bitcoin'], {
        additional: [],
        gatewayEndpoint: () => 'https://gateway.example/',
        imageUrl: () => '',
      }),
      preferredNetwork: () => 'bip122:000000000019d6689c085ae165831e93',
      clientOf: () => {
        throw new Error('no chain')
      },
    }
    return { ...page, connector: createPageConnector(wallet, isMulti, deps) }
  }

  it('has the wallet’s summary: its key is its stable id', () => {
    const expected = { stableId: 'standard:Signer', namespace: 'solana', pageWallet: 'w1', type: 'ANNOUNCED' }
    expect(connectorOf(signer).connector).toMatchObject(expected)
    expect(connectorOf(signer, true).connector.type).toBe('MULTI_CHAIN')
  })

  it.each<[PageWallet, string[]]>([
    [metaMask, ['eth_requestAccounts', 'eth_accounts']],
    [signer, ['solana_requestAccounts', 'solana_getAccounts']],
    [{ ...signer, namespace: 'bip122' }, ['bip122_requestAccounts', 'bip122_getAccountAddresses']],
  ])('asks the wallet in the dialect of its namespace: %o', async (wallet, expected) => {
    const { connector, methods } = connectorOf(wallet)
    expect(await connector.connect(signal)).toBeNull()
    expect(await connector.reconnect(signal)).toEqual({ kind: 'ended' })
    expect(methods()).toEqual(expected)
  })
})
