import { describe, expect, it } from 'vitest'
import type { Connector, ConnectorEvent, WalletSession } from './connector'
import { connectorOnceLoaded } from './page-connector'

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
