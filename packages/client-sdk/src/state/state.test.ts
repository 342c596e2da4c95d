import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nearly } from '../testing/near-valid'
import { hostState } from '../testing/valid'
import type { Account } from '../types/index'
import type { HostState } from './guards'
import { createPageStorage, createState, emptySnapshot, isRestoring } from './state'

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const rabbit = { id: 'io.rabbit', name: 'Rabbit', type: 'ANNOUNCED', pageWallet: 'w1' } as const
const connected: HostState = {
  seq: 1,
  open: true,
  themeMode: 'dark',
  networks: [
    {
      id: 1,
      name: 'Ethereum',
      chainNamespace: 'eip155',
      caipNetworkId: 'eip155:1',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: [],
      blockExplorers: [],
      testnet: false,
    },
  ],
  activeNetworkId: 'eip155:1',
  connections: {
    eip155: {
      status: 'connected',
      connector: rabbit,
      accounts: [{ namespace: 'eip155', address, type: 'eoa' }],
      networkId: 'eip155:1',
    },
  },
}

function memory(entries = new Map<string, string>()) {
  const storage: Storage = {
    get length() {
      return entries.size
    },
    clear: () => entries.clear(),
    getItem: (key) => entries.get(key) ?? null,
    key: (index) => [...entries.keys()][index] ?? null,
    removeItem: (key) => void entries.delete(key),
    setItem: (key, value) => void entries.set(key, value),
  }
  return { entries, storage: createPageStorage(() => storage) }
}

test('1. the snapshot is frozen, and the same object until something changes', () => {
  const state = createState(memory().storage, 'k')
  let told = 0
  state.subscribe(() => told++)
  const before = state.get()
  state.set({ phase: 'idle' })
  expect(state.get()).toBe(before)
  state.take(connected)
  const after = state.get()
  state.take({ ...connected, seq: 2 })
  expect(state.get()).toBe(after)
  expect([told, Object.isFrozen(after), before]).toEqual([1, true, emptySnapshot])
})

test('2. ignores an older state of the same host; a new host counts from the start', () => {
  const state = createState(memory().storage, 'k')
  expect(state.take({ ...connected, seq: 5 })).toBe(true)
  expect(state.take({ ...connected, seq: 5, themeMode: 'light' })).toBe(false)
  expect(state.take({ ...connected, seq: 4, themeMode: 'light' })).toBe(false)
  expect(state.get().themeMode).toBe('dark')
  state.restart()
  expect(state.take({ ...connected, seq: 0, themeMode: 'light' })).toBe(true)
  expect(state.get().themeMode).toBe('light')
})

describe('3. a stored connection', () => {
  test('shows as connecting, with its address, until the host confirms it', () => {
    const { storage } = memory()
    createState(storage, 'k').take(connected)
    const state = createState(storage, 'k')
    const { eip155 } = state.get().connections
    expect(eip155).toEqual({
      status: 'connecting',
      // A page wallet's id does not survive its page.
      connector: { id: 'io.rabbit', name: 'Rabbit', type: 'ANNOUNCED' },
      accounts: [{ namespace: 'eip155', address, type: 'eoa' }],
      networkId: 'eip155:1',
    })
    expect(isRestoring(eip155)).toBe(true)
    expect(state.get()).toMatchObject({ open: false, phase: 'idle', activeNetworkId: 'eip155:1' })
  })

  test('stays stored if it is interrupted before it was confirmed', () => {
    const { storage } = memory()
    const accounts: Account<'eip155'>[] = [{ namespace: 'eip155', address, type: 'eoa' }]
    const connections: HostState['connections'] = { eip155: { status: 'reconnecting', connector: rabbit, accounts } }
    createState(storage, 'k').take({ ...connected, connections })
    expect(isRestoring(createState(storage, 'k').get().connections.eip155)).toBe(true)
  })

  test('is reconnecting when the frame fails; a new connection ends', () => {
    const { storage } = memory()
    createState(storage, 'k').take(connected)
    const state = createState(storage, 'k')
    const restored = state.get().connections.eip155
    state.set({ connections: { ...state.get().connections, solana: { status: 'connecting', connector: rabbit } } })
    state.suspend()
    expect(state.get().connections).toEqual({
      eip155: { ...restored, status: 'reconnecting' },
      solana: { status: 'disconnected' },
    })
    expect(isRestoring(state.get().connections.eip155)).toBe(true)
  })

  test('is gone after a reload if another tab disconnected', () => {
    const { storage } = memory()
    const state = createState(storage, 'k')
    state.take(connected)
    createState(storage, 'k').take({ ...connected, connections: {} })
    state.reload()
    expect(state.get().connections).toEqual({})
  })
})

describe('4. stored data', () => {
  test.each(['', 'null', '{', '[]', '{"connections":{"eip155":{"status":"connected","accounts":"x"}}}'])(
    'is discarded if invalid: %s',
    (text) => {
      const { storage, entries } = memory(new Map([['k', text]]))
      expect(createState(storage, 'k').get()).toEqual(emptySnapshot)
      expect(entries.size).toBe(0)
    },
  )

  test('never breaks a page, however it is corrupted', () => {
    fc.assert(
      fc.property(nearly(hostState), (value) => {
        let text: string | undefined
        try {
          text = JSON.stringify(value)
        } catch {
          return
        }
        const state = createState(memory(new Map([['k', text ?? '']])).storage, 'k')
        const { connections, networks } = state.get()
        for (const { name, caipNetworkId } of networks)
          expect([typeof name, typeof caipNetworkId]).toEqual(['string', 'string'])
        for (const connection of Object.values(connections)) {
          if (connection === undefined || connection.status === 'disconnected') continue
          for (const account of connection.accounts ?? []) expect(typeof account.address).toBe('string')
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test('changes nothing if storage is denied', () => {
    const storage = createPageStorage(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    const state = createState(storage, 'k')
    expect(state.take(connected)).toBe(true)
    expect(state.get().connections.eip155?.status).toBe('connected')
    expect(storage.under('k')).toEqual({})
  })

  test('is listed by prefix, without the prefix', () => {
    const { storage } = memory(
      new Map([
        ['a/x', '1'],
        ['b/y', '2'],
        ['a/z', '3'],
      ]),
    )
    expect(storage.under('a/')).toEqual({ x: '1', z: '3' })
  })
})

test('5. tells of wallets in use, whichever of state and information comes first (spec §3)', () => {
  const info = { eip155: { name: 'Rabbit' }, solana: { name: 'Phantom' } }
  const early = createState(memory().storage, 'k')
  early.set({ walletInfo: info })
  expect(early.get().walletInfo).toEqual({})
  early.take(connected)
  expect(early.get().walletInfo).toEqual({ eip155: { name: 'Rabbit' } })
  early.take({ ...connected, seq: 9, connections: {} })
  expect(early.get().walletInfo).toEqual({})
})

test('6. a listener added twice is called twice, and removed once each', () => {
  const state = createState(memory().storage, 'k')
  let told = 0
  const listener = () => told++
  const leave = state.subscribe(listener)
  state.subscribe(listener)
  state.set({ open: true })
  leave()
  leave()
  state.set({ open: false })
  expect(told).toBe(3)
})
