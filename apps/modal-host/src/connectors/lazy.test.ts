import { describe, expect, it } from 'vitest'
import type { Connector, ConnectorEvent, WalletSession } from './connector'
import { lazyConnector } from './lazy'

const summary = { id: 'w', name: 'Fox', type: 'ANNOUNCED', namespace: 'solana', stableId: 'standard:Fox' } as const
const session: WalletSession = {
  accounts: [{ namespace: 'solana', address: 'a', type: 'eoa' }],
  networkId: 'solana:1',
}
const { signal } = new AbortController()

/** The connector behind: it says what it is asked, and speaks when it connects. */
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
    reconnect: async () => null,
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
  const connector = lazyConnector(summary, async () => {
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

describe('lazyConnector', () => {
  it('is what it is at once, and loads nothing before it is used', () => {
    const { connector, loads } = setUp()
    expect(connector).toMatchObject(summary)
    expect(loads()).toBe(0)
  })

  it('1. loads once, and again after a failure', async () => {
    const { connector, loads, setOffline, calls } = setUp()
    setOffline(true)
    await expect(connector.connect(signal)).rejects.toThrow('offline')
    setOffline(false)
    expect(await connector.connect(signal)).toBe(session)
    expect(await connector.reconnect(signal)).toBeNull()
    expect(await connector.request('m', {}, signal)).toBe('m')
    await connector.disconnect()
    expect(calls).toEqual(['connect', 'disconnect'])
    expect(loads()).toBe(2)
  })

  it('2. lets a listener that came before a call hear what the call brings about', async () => {
    const { connector } = setUp()
    const heard: ConnectorEvent[] = []
    connector.listen((event) => heard.push(event))
    await connector.connect(signal)
    expect(heard).toEqual([{ kind: 'disconnected' }])
  })

  it('3. leaves no listener behind, whether it left before the code arrived or after', async () => {
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

  it('3. says nothing of a failure to a listener: the call that needs the code says it', async () => {
    const { connector, setOffline } = setUp()
    setOffline(true)
    const leave = connector.listen(() => {})
    await expect(connector.reconnect(signal)).rejects.toThrow('offline')
    leave()
  })
})
