import { describe, expect, test } from 'vitest'
import type { WalletProvider } from '../../discovery/wallet-provider'
import { hostGone } from '../../link/link'
import { relayPageWallets } from './relay'

function setUp() {
  const asked: { args: unknown; resolve(value: unknown): void; reject(error: unknown): void }[] = []
  const listeners = new Map<string, (data: unknown) => void>()
  const events: unknown[] = []
  const wallet: WalletProvider = {
    request: (args) => new Promise((resolve, reject) => asked.push({ args, resolve, reject })),
    on(event, listener) {
      listeners.set(event, listener)
      return () => listeners.delete(event)
    },
  }
  const wallets = new Map([['w', wallet]])
  let now = 0
  const relay = relayPageWallets({
    wallets,
    now: () => now,
    onWalletEvent: (...event) => events.push(event),
  })
  return { relay, asked, listeners, events, wallets, pass: (time: number) => (now += time) }
}

const connect = { wallet: 'w', method: 'eth_requestAccounts' as const }
const open = new AbortController().signal

test('1. an identical request in flight is joined, and the wallet gets one request', async () => {
  const { relay, asked } = setUp()
  const gone = new AbortController()
  const first = relay.request(connect, gone.signal)
  gone.abort(hostGone)
  const second = relay.request(connect, open)
  const other = relay.request({ ...connect, params: [{}] }, open)
  expect(asked.map(({ args }) => args)).toEqual([
    { method: 'eth_requestAccounts' },
    { method: 'eth_requestAccounts', params: [{}] },
  ])
  asked[0]?.resolve(['0x1'])
  asked[1]?.resolve(['0x2'])
  expect(await Promise.all([first, second, other])).toEqual([['0x1'], ['0x1'], ['0x2']])
})

test('1. identical requests of one host all reach the wallet: two equal payments are two', async () => {
  const { relay, asked } = setUp()
  const pay = { wallet: 'w', method: 'eth_sendTransaction' as const, params: [{ to: '0x1', value: '0x1' }] }
  const both = [relay.request(pay, new AbortController().signal), relay.request(pay, new AbortController().signal)]
  expect(asked).toHaveLength(2)
  asked[1]?.resolve('second')
  asked[0]?.resolve('first')
  expect(await Promise.all(both)).toEqual(['first', 'second'])
})

test('1. each request of a lost host is joined by one request of the next', async () => {
  const { relay, asked } = setUp()
  const gone = new AbortController()
  const lost = [relay.request(connect, gone.signal), relay.request(connect, gone.signal)]
  gone.abort(hostGone)
  asked[0]?.resolve('first')
  await lost[0]
  const joined = [1, 2, 3].map(() => relay.request(connect, new AbortController().signal))
  expect(asked).toHaveLength(3)
  asked[1]?.resolve('second')
  asked[2]?.resolve('third')
  expect(await Promise.all(joined)).toEqual(['first', 'second', 'third'])
})

test.each([
  'eth_accounts',
  'eth_chainId',
  'solana_getAccounts',
  'bip122_getAccountAddresses',
  'bip122_getNetwork',
] as const)('1. %s is read-only, so every request goes to the wallet', async (method) => {
  const { relay, asked } = setUp()
  const both = [relay.request({ wallet: 'w', method }, open), relay.request({ wallet: 'w', method }, open)]
  asked[0]?.resolve('old')
  asked[1]?.resolve('new')
  expect(await Promise.all(both)).toEqual(['old', 'new'])
})

test('2. a request that the host cancelled can be joined while pending, and its answer is not cached', async () => {
  const { relay, asked } = setUp()
  const cancelled = new AbortController()
  const first = relay.request(connect, cancelled.signal)
  cancelled.abort()
  const second = relay.request(connect, open)
  expect(asked).toHaveLength(1)
  asked[0]?.resolve(['0x1'])
  expect(await Promise.all([first, second])).toEqual([['0x1'], ['0x1']])
  relay.request(connect, open).catch(() => {})
  expect(asked).toHaveLength(2)
})

describe('2. an answer that arrived after its host was gone', () => {
  test('goes once to the next host’s identical request', async () => {
    const { relay, asked } = setUp()
    const gone = new AbortController()
    const first = relay.request(connect, gone.signal)
    gone.abort(hostGone)
    asked[0]?.resolve(['0x1'])
    await first
    expect(await relay.request(connect, open)).toEqual(['0x1'])
    relay.request(connect, open).catch(() => {})
    expect(asked).toHaveLength(2)
  })

  test('is cached even if it is an error', async () => {
    const { relay, asked } = setUp()
    const gone = new AbortController()
    const first = relay.request(connect, gone.signal)
    gone.abort(hostGone)
    asked[0]?.reject({ code: 4001 })
    await expect(first).rejects.toEqual({ code: 4001 })
    await expect(relay.request(connect, open)).rejects.toEqual({ code: 4001 })
    expect(asked).toHaveLength(1)
  })

  test('expires after 20 s', async () => {
    const { relay, asked, pass } = setUp()
    const gone = new AbortController()
    const first = relay.request(connect, gone.signal)
    gone.abort(hostGone)
    asked[0]?.resolve(['0x1'])
    await first
    pass(20_001)
    relay.request(connect, open).catch(() => {})
    expect(asked).toHaveLength(2)
  })
})

test('a delivered answer is not returned again', async () => {
  const { relay, asked } = setUp()
  const first = relay.request(connect, open)
  asked[0]?.resolve(['0x1'])
  await first
  relay.request(connect, open).catch(() => {})
  expect(asked).toHaveLength(2)
})

test('3. a missing wallet is DISCONNECTED, and results cross as plain data', async () => {
  const { relay, asked, wallets } = setUp()
  const first = relay.request(connect, open)
  asked[0]?.resolve({ toJSON: () => ['0x1'], method() {} })
  expect(await first).toEqual(['0x1'])
  wallets.delete('w')
  await expect(relay.request(connect, open)).rejects.toMatchObject({ code: 'DISCONNECTED' })
})

test('4. relays wallet events once each as plain data, from the first request until stop', () => {
  const { relay, listeners, events } = setUp()
  expect(listeners.size).toBe(0)
  relay.request(connect, open).catch(() => {})
  relay.request({ wallet: 'w', method: 'eth_chainId' }, open).catch(() => {})
  listeners.get('accountsChanged')?.(['0x1', () => {}])
  expect(events).toEqual([['w', 'accountsChanged', ['0x1', null]]])
  relay.stop()
  expect(listeners.size).toBe(0)
})

test('1. identical reads both reach the wallet and get their own answers', async () => {
  const { relay, asked } = setUp()
  const read = { wallet: 'w', method: 'eth_accounts' as const }
  const answers = [relay.request(read, open), relay.request(read, open)]
  expect(asked).toHaveLength(2)
  asked[0]?.resolve(['0x1'])
  asked[1]?.resolve([])
  expect(await Promise.all(answers)).toEqual([['0x1'], []])
})

test('2. the late answer of a request that the host cancelled is dropped', async () => {
  const { relay, asked } = setUp()
  const leaving = new AbortController()
  const first = relay.request(connect, leaving.signal)
  leaving.abort()
  asked[0]?.reject({ code: 4001 })
  await expect(first).rejects.toMatchObject({ code: 4001 })
  const second = relay.request(connect, open)
  asked[1]?.resolve(['0x1'])
  expect(await second).toEqual(['0x1'])
})
