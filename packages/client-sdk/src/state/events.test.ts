import { describe, expect, test } from 'vitest'
import type { Account, Connection, PosternEvents } from '../types/index'
import { createEvents } from './events'
import type { HostState } from './guards'
import { createState, type PageStorage } from './state'

const account = (digit: string): Account<'eip155'> => ({
  namespace: 'eip155',
  address: `0x${digit.repeat(40)}`,
  type: 'eoa',
})
const connected = (...digits: string[]): Extract<Connection<'eip155'>, { status: 'connected' }> => ({
  status: 'connected',
  connector: { id: 'w', name: 'W', type: 'ANNOUNCED' },
  accounts: digits.map(account),
  networkId: 'eip155:1',
})

function setUp(stored: HostState | null = null) {
  const storage: PageStorage = {
    read: () => stored && JSON.stringify(stored),
    write() {},
    under: () => ({}),
  }
  const state = createState(storage, 'k')
  const events = createEvents(state)
  const heard: unknown[] = []
  const names = ['connect', 'disconnect', 'account', 'network', 'signIn', 'open', 'close', 'error'] as const
  const ends = names.map((name) => events.on(name, (data: unknown) => heard.push([name, data])))
  const set = (eip155: Connection<'eip155'>) => state.set({ connections: { eip155 } })
  return { state, events, heard, ends, set }
}

describe('1., 2. a connection', () => {
  test('is an event once it is there, and once it is gone', () => {
    const { heard, set } = setUp()
    set({ status: 'connecting' })
    set(connected('a'))
    set({ status: 'disconnected' })
    set({ status: 'disconnected' })
    expect(heard).toEqual([
      ['connect', { namespace: 'eip155', connection: connected('a') }],
      ['disconnect', { namespace: 'eip155' }],
    ])
  })

  test('that is lost for a moment is no event', () => {
    const { heard, set } = setUp()
    set(connected('a'))
    heard.length = 0
    set({ ...connected('a'), status: 'reconnecting' })
    set(connected('a'))
    expect(heard).toEqual([])
  })

  test('that does not come back is a disconnect', () => {
    const { heard, set } = setUp()
    set(connected('a'))
    heard.length = 0
    set({ ...connected('a'), status: 'reconnecting' })
    set({ status: 'disconnected' })
    expect(heard).toEqual([['disconnect', { namespace: 'eip155' }]])
  })

  test('of an earlier visit is an event once it is restored, and none if it is not', () => {
    const stored: HostState = {
      ...{ seq: 1, open: false, themeMode: 'light', networks: [], activeNetworkId: 'eip155:1' },
      connections: { eip155: connected('a') },
    }
    const restored = setUp(stored)
    restored.set(connected('a'))
    expect(restored.heard).toEqual([['connect', { namespace: 'eip155', connection: connected('a') }]])
    const gone = setUp(stored)
    gone.set({ status: 'disconnected' })
    expect(gone.heard).toEqual([])
  })

  test('with other accounts is `account`', () => {
    const { heard, set } = setUp()
    set(connected('a'))
    heard.length = 0
    set(connected('b', 'a'))
    expect(heard).toEqual([['account', { namespace: 'eip155', accounts: [account('b'), account('a')] }]])
  })
})

test('3. the first network is no event, another one is', () => {
  const { heard, state } = setUp()
  state.set({ activeNetworkId: 'eip155:1' })
  state.set({ activeNetworkId: 'eip155:10' })
  expect(heard).toEqual([['network', { networkId: 'eip155:10' }]])
})

test('the modal opens and closes', () => {
  const { heard, state } = setUp()
  state.set({ open: true })
  state.set({ open: false })
  expect(heard).toEqual([
    ['open', null],
    ['close', null],
  ])
})

test('what the modal reports is passed on, until the listener ends', () => {
  const { events, heard, ends } = setUp()
  const signIn: PosternEvents['signIn'] = { networkId: 'eip155:1', address: '0xa' }
  events.emit('signIn', signIn)
  for (const end of ends) end()
  events.emit('signIn', signIn)
  expect(heard).toEqual([['signIn', signIn]])
})

test('a listener that is added twice hears twice, and ends once each', () => {
  const { events } = setUp()
  let count = 0
  const listener = () => count++
  const end = events.on('open', listener)
  events.on('open', listener)
  events.emit('open', null)
  end()
  end()
  events.emit('open', null)
  expect(count).toBe(3)
})
