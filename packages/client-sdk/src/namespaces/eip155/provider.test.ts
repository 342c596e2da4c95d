import { methodsThat } from '@postern/protocol'
import { describe, expect, test } from 'vitest'
import type { WalletProvider } from '../../discovery/wallet-provider'
import { failure, PosternError } from '../../shared/errors'
import { emptySnapshot, isBeingAsked } from '../../state/state'
import type { Connection, Network, Snapshot } from '../../types/index'
import { createEip155Provider } from './provider'

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const network = (id: number): Network => ({
  id,
  name: `Network ${id}`,
  chainNamespace: 'eip155',
  caipNetworkId: `eip155:${id}`,
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: [],
  blockExplorers: [],
  testnet: false,
})
const ready: Snapshot = {
  ...emptySnapshot,
  phase: 'ready',
  networks: [network(1), network(10)],
  activeNetworkId: 'eip155:1',
}

function connected(more: Partial<Extract<Connection, { status: 'connected' }>> = {}): Connection {
  return {
    status: 'connected',
    connector: { id: 'io.rabbit', name: 'Rabbit', type: 'ANNOUNCED', pageWallet: 'w' },
    accounts: [{ namespace: 'eip155', address, type: 'eoa' }],
    networkId: 'eip155:1',
    ...more,
  }
}
const restoring: Connection = {
  status: 'connecting',
  connector: { id: 'io.rabbit', name: 'Rabbit', type: 'ANNOUNCED' },
  accounts: [{ namespace: 'eip155', address, type: 'eoa' }],
  networkId: 'eip155:1',
}

function setUp(first: Snapshot = ready) {
  let snapshot = first
  const listeners = new Set<() => void>()
  const asked = {
    wallet: [] as unknown[],
    host: [] as unknown[],
    connects: 0,
    disconnects: 0,
  }
  const ends: (() => void)[] = []
  let hostError: unknown
  let walletAnswer = async (): Promise<unknown> => 'from the wallet'
  const walletListeners = new Map<string, (data: unknown) => void>()
  const wallet: WalletProvider = {
    request: (args) => {
      asked.wallet.push(args)
      return walletAnswer()
    },
    on(event, listener) {
      walletListeners.set(event, listener)
      return () => walletListeners.delete(event)
    },
  }
  const set = (change: Partial<Snapshot>) => {
    snapshot = { ...snapshot, ...change }
    for (const listener of [...listeners]) listener()
  }
  const { provider, stop } = createEip155Provider({
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    connect: () =>
      new Promise((resolve) => {
        asked.connects++
        ends.push(() => {
          set({ connections: { eip155: connected() } })
          resolve(connected())
        })
      }),
    disconnect: async () => {
      asked.disconnects++
    },
    switchNetwork: async () => {},
    async rpc(request) {
      asked.host.push(request)
      if (hostError !== undefined) throw hostError
      return 'from the host'
    },
    wallet: (id) => (id === 'w' ? wallet : undefined),
    settled: (namespace) =>
      new Promise((resolve) => {
        const check = () => {
          const isPending = snapshot.networks.length === 0 || isBeingAsked(snapshot.connections[namespace])
          if (!isPending) resolve(null)
        }
        listeners.add(check)
        check()
      }),
  })
  const events: [string, unknown][] = []
  for (const name of ['connect', 'disconnect', 'chainChanged', 'accountsChanged', 'message'] as const)
    provider.on(name, (data: unknown) => events.push([name, data]))
  return {
    provider,
    stop,
    set,
    asked,
    ends,
    events,
    listeners,
    walletListeners,
    failHost: (error: unknown) => {
      hostError = error
    },
    answer: (with_: () => Promise<unknown>) => {
      walletAnswer = with_
    },
  }
}

const isConnected = { ...ready, connections: { eip155: connected() } }

describe('1. connected to a wallet of the page', () => {
  test('a request goes to it unchanged and never to the host', async () => {
    const { provider, asked } = setUp(isConnected)
    const params = ['0x68', address]
    expect(await provider.request({ method: 'personal_sign', params })).toBe('from the wallet')
    expect(await provider.request({ method: 'eth_chainId' })).toBe('from the wallet')
    expect(asked).toMatchObject({ wallet: [{ method: 'personal_sign', params }, { method: 'eth_chainId' }], host: [] })
  })

  test.each(['eth_sendTransactionSync', 'wallet_connect'])('the host composes %s', async (method) => {
    const { provider, asked } = setUp(isConnected)
    const params = [{ from: address }]
    expect(await provider.request({ method, params })).toBe('from the host')
    expect(asked).toMatchObject({ wallet: [], host: [{ method, params, networkId: 'eip155:1' }] })
  })

  test('methods with such names are the wallet’s own', async () => {
    const { provider, asked } = setUp(isConnected)
    for (const method of ['eth_sendRawTransactionSync', 'wallet_connectMore', 'wallet_disconnectAll'])
      expect(await provider.request({ method })).toBe('from the wallet')
    expect(asked).toMatchObject({ disconnects: 0, host: [] })
  })

  test('passes the wallet’s errors on unchanged', async () => {
    const { provider, answer } = setUp(isConnected)
    const error = { code: 4001, message: 'no', data: { more: 1 } }
    answer(() => Promise.reject(error))
    await expect(provider.request({ method: 'personal_sign' })).rejects.toBe(error)
  })

  test('a request is rejected with 4900 if the wallet is gone', async () => {
    const gone = connected({ connector: { id: 'x', name: 'X', type: 'ANNOUNCED', pageWallet: 'gone' } })
    const { provider } = setUp({ ...ready, connections: { eip155: gone } })
    await expect(provider.request({ method: 'personal_sign' })).rejects.toMatchObject({
      code: 4900,
      reason: 'DISCONNECTED',
    })
  })

  test('relays its subscription messages until it disconnects', () => {
    const { set, events, walletListeners } = setUp(isConnected)
    const message = { type: 'eth_subscription', data: { subscription: '0x1', result: {} } }
    walletListeners.get('message')?.(message)
    walletListeners.get('message')?.('not a message')
    set({ connections: {} })
    expect(walletListeners.size).toBe(0)
    expect(events[0]).toEqual(['message', message])
    expect(events.filter(([name]) => name === 'message')).toHaveLength(1)
  })
})

test('connected to a wallet behind the host, requests go to the host with its network', async () => {
  const behind = connected({ connector: { id: 'wc', name: 'W', type: 'WALLET_CONNECT' }, networkId: 'eip155:10' })
  const { provider, asked } = setUp({ ...ready, connections: { eip155: behind } })
  expect(await provider.request({ method: 'personal_sign', params: ['0x'] })).toBe('from the host')
  expect(await provider.request({ method: 'eth_chainId' })).toBe('0xa')
  expect(asked.host).toEqual([{ namespace: 'eip155', method: 'personal_sign', params: ['0x'], networkId: 'eip155:10' }])
})

describe('2. eth_requestAccounts', () => {
  test('connects once for concurrent requests', async () => {
    const { provider, asked, ends } = setUp()
    const both = Promise.all([1, 2].map(() => provider.request({ method: 'eth_requestAccounts' })))
    await Promise.resolve()
    for (const end of ends) end()
    expect(await both).toEqual([[address], [address]])
    expect(asked.connects).toBe(1)
    expect(await provider.request({ method: 'eth_requestAccounts' })).toEqual([address])
    expect(asked.connects).toBe(1)
  })

  test('wallet_requestPermissions connects, and does not ask the wallet again', async () => {
    const { provider, asked, ends } = setUp()
    const answer = provider.request({ method: 'wallet_requestPermissions', params: [{ eth_accounts: {} }] })
    await Promise.resolve()
    ends[0]?.()
    expect(await answer).toBe('from the host')
    expect(asked).toMatchObject({ connects: 1, wallet: [], host: [{ method: 'wallet_requestPermissions' }] })
  })
})

test('2. wallet_connect connects, then the host answers', async () => {
  const { provider, asked, ends } = setUp()
  const params = [{ version: '1' }]
  const answer = provider.request({ method: 'wallet_connect', params })
  await Promise.resolve()
  expect(asked.host).toEqual([])
  ends[0]?.()
  expect(await answer).toBe('from the host')
  expect(asked).toMatchObject({ connects: 1, wallet: [], host: [{ method: 'wallet_connect', params }] })
})

describe('3. eth_accounts', () => {
  test('is empty without a connection, and asks neither wallet nor host', async () => {
    const { provider, asked } = setUp()
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([])
    expect(asked).toMatchObject({ connects: 0, host: [], wallet: [] })
  })

  test('waits for a session that is being restored', async () => {
    const { provider, set } = setUp({ ...ready, connections: { eip155: restoring } })
    const answer = provider.request({ method: 'eth_accounts' })
    set({ connections: { eip155: connected() } })
    expect(await answer).toEqual([address])
  })
})

describe('3. while a session is being restored', () => {
  const reconnecting: Connection = { ...restoring, status: 'reconnecting' }
  const sign = { method: 'personal_sign', params: ['0x00', address] }
  const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

  test.each(['personal_sign', 'eth_sendTransaction', 'wallet_getCapabilities', 'eth_sendTransactionSync'])(
    '%s waits for it, then goes to its wallet',
    async (method) => {
      const { provider, set, asked } = setUp({ ...ready, connections: { eip155: restoring } })
      const answer = provider.request({ method, params: [] })
      expect(asked).toMatchObject({ host: [], wallet: [] })
      set({ connections: { eip155: connected() } })
      await answer
      expect([...asked.host, ...asked.wallet]).toMatchObject([{ method }])
    },
  )

  test('a request is rejected with 4100 once the session has ended, or if another account is restored', async () => {
    const others = connected({ accounts: [{ namespace: 'eip155', address: other, type: 'eoa' }] })
    for (const outcome of [{ status: 'disconnected' } as const, others]) {
      const { provider, set, asked } = setUp({ ...ready, connections: { eip155: restoring } })
      const answer = provider.request(sign)
      set({ connections: { eip155: outcome } })
      await expect(answer).rejects.toMatchObject({ code: 4100 })
      expect(asked).toMatchObject({ host: [], wallet: [] })
    }
  })

  test('a request goes to the host if the wallet could not be asked: the host asks again', async () => {
    const { provider, set, asked } = setUp({ ...ready, connections: { eip155: restoring } })
    const answer = provider.request(sign)
    set({ connections: { eip155: reconnecting } })
    expect(await answer).toBe('from the host')
    expect(asked).toMatchObject({ host: [sign], wallet: [], connects: 0 })
  })

  test('eth_accounts and eth_requestAccounts return the account on show if its wallet could not be asked', async () => {
    const { provider, asked } = setUp({ ...ready, connections: { eip155: reconnecting } })
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([address])
    expect(await provider.request({ method: 'eth_requestAccounts' })).toEqual([address])
    expect(asked).toMatchObject({ host: [], wallet: [], connects: 0 })
  })

  test('reads do not wait', async () => {
    const { provider } = setUp({ ...ready, connections: { eip155: restoring } })
    expect(await provider.request({ method: 'eth_blockNumber' })).toBe('from the host')
  })
})

test('4. reads go to the host for the active network, but the chain id is known locally', async () => {
  const { provider, asked, set } = setUp()
  expect(await provider.request({ method: 'eth_chainId' })).toBe('0x1')
  expect(await provider.request({ method: 'net_version' })).toBe('1')
  set({ activeNetworkId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' })
  expect(await provider.request({ method: 'eth_blockNumber' })).toBe('from the host')
  expect(asked.host).toEqual([
    { namespace: 'eip155', method: 'eth_blockNumber', params: undefined, networkId: 'eip155:1' },
  ])
})

describe('5. without an account', () => {
  test('there is no permission (EIP-2255)', async () => {
    const { provider, asked } = setUp()
    expect(await provider.request({ method: 'wallet_getPermissions' })).toEqual([])
    expect(asked).toMatchObject({ host: [], wallet: [], connects: 0 })
  })

  test.each(
    methodsThat(({ namespace, risk }) => namespace === 'eip155' && (risk === 'notSafe' || risk === 'refused')).filter(
      (method) => method !== 'wallet_revokePermissions',
    ),
  )('%s is rejected with 4100', async (method) => {
    const { provider, asked } = setUp()
    await expect(provider.request({ method, params: [] })).rejects.toMatchObject({ code: 4100, reason: 'UNAUTHORIZED' })
    expect(asked).toMatchObject({ host: [], wallet: [], connects: 0 })
  })

  test.each(['wallet_switchEthereumChain', 'wallet_addEthereumChain'])(
    '%s goes to the host, which switches',
    async (method) => {
      const { provider, asked } = setUp()
      expect(await provider.request({ method, params: [{ chainId: '0xa' }] })).toBe('from the host')
      expect(asked.host).toMatchObject([{ method }])
    },
  )

  test.each(methodsThat(({ namespace, node, pageWallet }) => namespace === 'eip155' && node === true && !pageWallet))(
    '%s goes to the host',
    async (method) => {
      expect(await setUp().provider.request({ method, params: [] })).toBe('from the host')
    },
  )

  test('a signed transaction can still be sent', async () => {
    expect(await setUp().provider.request({ method: 'eth_sendRawTransaction', params: ['0x'] })).toBe('from the host')
  })

  test('the host’s error keeps its code', async () => {
    const { provider, failHost } = setUp()
    failHost(new PosternError({ code: 'SWITCH_NETWORK_NOT_FOUND', message: 'm', rpc: 4902 }))
    const answer = provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0xdead' }] })
    await expect(answer).rejects.toMatchObject({ code: 4902, reason: 'SWITCH_NETWORK_NOT_FOUND' })
  })

  test('wallet_revokePermissions and wallet_disconnect disconnect', async () => {
    const { provider, asked } = setUp(isConnected)
    expect(await provider.request({ method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] })).toBeNull()
    expect(await provider.request({ method: 'wallet_disconnect' })).toBeNull()
    expect([asked.disconnects, asked.wallet]).toEqual([2, []])
  })

  test('wallet_disconnect without a connection is no error', async () => {
    const { provider } = setUp()
    expect(await provider.request({ method: 'wallet_disconnect' })).toBeNull()
  })

  test('wallet_revokePermissions of an account’s permission goes to the wallet', async () => {
    const { provider, asked } = setUp(isConnected)
    const request = { method: 'wallet_revokePermissions', params: [{ permissionsContext: '0x01' }] }
    expect(await provider.request(request)).toBe('from the wallet')
    expect([asked.disconnects, asked.wallet]).toEqual([0, [request]])
  })
})

describe('6. malformed requests', () => {
  test.each([
    [undefined],
    [null],
    [7],
    ['eth_chainId'],
    [[]],
    [{}],
    [{ method: '' }],
    [{ method: 7 }],
    [{ method: 'm'.repeat(129) }],
    [{ method: 'eth_chainId', params: 'x' }],
    [{ method: 'eth_chainId', params: null }],
  ])('%j is -32600', async (args) => {
    const { provider, asked } = setUp()
    const request: (args: never) => Promise<unknown> = provider.request
    await expect(Reflect.apply(request, provider, [args])).rejects.toMatchObject({ code: -32600 })
    expect(asked).toMatchObject({ host: [], wallet: [] })
  })
})

describe('7. events', () => {
  test('connecting, changing network or accounts, and disconnecting each fire once', () => {
    const { set, events } = setUp()
    const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
    const now = connected()
    set({ connections: { eip155: now } })
    set({ connections: { eip155: now }, themeMode: 'dark' })
    set({ connections: { eip155: connected({ networkId: 'eip155:10' }) } })
    set({
      connections: {
        eip155: connected({ networkId: 'eip155:10', accounts: [{ namespace: 'eip155', address: other, type: 'eoa' }] }),
      },
    })
    set({ connections: { eip155: { status: 'disconnected' } }, activeNetworkId: 'eip155:10' })
    expect(events).toEqual([
      ['connect', { chainId: '0x1' }],
      ['accountsChanged', [address]],
      ['chainChanged', '0xa'],
      ['accountsChanged', [other]],
      ['accountsChanged', []],
      ['disconnect', expect.objectContaining({ code: 4900, message: failure('DISCONNECTED').message })],
    ])
  })

  test('restoring a connection, as after a frame reload, fires nothing', () => {
    const { set, events } = setUp(isConnected)
    set({ connections: { eip155: restoring } })
    set({ connections: { eip155: connected() } })
    expect(events).toEqual([])
  })

  test('learning the first network fires nothing', () => {
    const { set, events } = setUp(emptySnapshot)
    set(ready)
    expect(events).toEqual([])
  })

  test('removed listeners, and all listeners after stop, hear nothing', () => {
    const { provider, set, stop, listeners } = setUp()
    const heard: string[] = []
    const off = () => heard.push('off')
    provider.on('chainChanged', off).removeListener('chainChanged', off)
    provider.on('chainChanged', (chainId) => heard.push(chainId))
    set({ activeNetworkId: 'eip155:10' })
    stop()
    expect([heard, listeners.size]).toEqual([['0xa'], 0])
  })
})
