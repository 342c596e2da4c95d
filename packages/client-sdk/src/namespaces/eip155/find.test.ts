import { PageWallet } from '@postern/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { collectWallets } from '../../modal/services/collect-wallets'
import { ownRdns } from './announce'
import { discoverWallets } from './find'

const uuid = '350670db-19fa-4704-a166-e52e178b59d2'
const otherUuid = '350670db-19fa-4704-a166-e52e178b59d3'
const thirdUuid = '00000000-0000-4000-8000-000000000003'
const icon = 'data:image/svg+xml,x'

function provider() {
  const calls: unknown[] = []
  const listeners = new Map<string, unknown>()
  return {
    calls,
    listeners,
    request: async (args: unknown) => calls.push(args),
    on: (event: string, listener: unknown) => listeners.set(event, listener),
    removeListener: (event: string) => listeners.delete(event),
  }
}

function setUp(ethereum?: unknown) {
  const window = Object.assign(new EventTarget(), { ethereum })
  const own = provider()
  const counts = { changes: 0, asked: 0 }
  let ids = 0
  window.addEventListener('eip6963:requestProvider', () => counts.asked++)
  const options = { window, ownProvider: own, randomId: () => `w${ids++}`, onChange: () => counts.changes++ }
  const announced = discoverWallets(options)
  const wallets = collectWallets({ ...options, announced, connectors: [], namespaces: () => undefined })
  const discovery = {
    ...wallets,
    stop() {
      announced.stop()
      wallets.stop()
    },
  }
  const announce = (detail: unknown) =>
    window.dispatchEvent(Object.assign(new Event('eip6963:announceProvider'), { detail }))
  const info = (more: object = {}) => ({ uuid, name: 'Rabbit', icon, rdns: 'io.rabbit', ...more })
  return { window, own, counts, discovery, announce, info }
}

test('requests announcements once and lists the announced wallets', () => {
  const { discovery, announce, info, counts } = setUp()
  announce({ info: info(), provider: provider() })
  expect(counts).toEqual({ changes: 1, asked: 1 })
  expect(discovery.list()).toEqual([
    { id: 'w0', namespace: 'eip155', type: 'ANNOUNCED', name: 'Rabbit', rdns: 'io.rabbit', icon },
  ])
  expect(PageWallet.safeParse(discovery.list()[0]).success).toBe(true)
})

test('2. trims an icon, which some wallets begin with a line break', () => {
  const { discovery, announce, info } = setUp()
  announce({ info: info({ icon: `\n  ${icon} ` }), provider: provider() })
  expect(discovery.list()[0]?.icon).toBe(icon)
})

describe('1. an announcement is read once and copied', () => {
  test('getters are read once, and later changes have no effect', async () => {
    const { discovery, announce } = setUp()
    const reads: string[] = []
    const wallet = provider()
    const detail = { info: { uuid, icon, rdns: 'io.rabbit', name: 'Rabbit' }, provider: wallet }
    const counting = new Proxy(detail.info, {
      get(target, key) {
        reads.push(String(key))
        return Reflect.get(target, key)
      },
    })
    announce({ info: counting, provider: wallet })
    expect(reads.sort()).toEqual(['icon', 'name', 'rdns', 'uuid'])
    detail.info.name = 'Phisher'
    wallet.request = () => Promise.reject(new Error('swapped'))
    expect(discovery.list()[0]?.name).toBe('Rabbit')
    await discovery.get('w0')?.request({ method: 'eth_accounts' })
    expect(wallet.calls).toEqual([{ method: 'eth_accounts' }])
    expect(Object.isFrozen(discovery.list()[0])).toBe(true)
  })

  test.each([
    ['no detail', undefined],
    ['no provider', { info: { uuid, name: 'n', icon, rdns: 'a.b' } }],
    ['a provider without methods', { info: { uuid, name: 'n', icon, rdns: 'a.b' }, provider: {} }],
    ['an invalid uuid', { info: { uuid: '1', name: 'n', icon, rdns: 'a.b' }, provider: provider() }],
    ['no name', { info: { uuid, name: '', icon, rdns: 'a.b' }, provider: provider() }],
    ['a name that is too long', { info: { uuid, name: 'n'.repeat(257), icon, rdns: 'a.b' }, provider: provider() }],
    ['no rdns', { info: { uuid, name: 'n', icon }, provider: provider() }],
    ['our own rdns', { info: { uuid, name: 'Postern', icon, rdns: ownRdns }, provider: provider() }],
  ])('%s is ignored', (_, detail) => {
    const { discovery, announce, counts } = setUp()
    announce(detail)
    expect([discovery.list(), counts.changes]).toEqual([[], 0])
  })

  test('no announcement throws or lists a wallet that the link would reject', () => {
    const value = fc.oneof(fc.anything(), fc.constantFrom(uuid, 'io.rabbit', icon, 'x'.repeat(300)))
    const detail = fc.oneof(
      fc.anything(),
      fc.record({
        info: fc.record({ uuid: value, name: value, icon: value, rdns: value }, { requiredKeys: [] }),
        provider: fc.oneof(fc.anything(), fc.constant(provider())),
      }),
    )
    fc.assert(
      fc.property(fc.array(detail, { maxLength: 5 }), (details) => {
        const { discovery, announce } = setUp()
        for (const each of details) announce(each)
        for (const wallet of discovery.list()) expect(PageWallet.safeParse(wallet).success).toBe(true)
      }),
    )
  })

  test('a wallet with throwing getters is ignored', () => {
    const { discovery, announce } = setUp()
    const thrower = () => {
      throw new Error('touched')
    }
    announce(Object.defineProperty({}, 'info', { get: thrower }))
    announce({ info: { uuid, name: 'n', icon, rdns: 'a.b' }, provider: new Proxy({}, { get: thrower }) })
    expect(discovery.list()).toEqual([])
  })
})

test.each([['https://tracker.example/x.png'], ['javascript:alert(1)'], [7], [`data:image/png,${'x'.repeat(65_536)}`]])(
  '2. omits an icon that is not a data image or is too big: %s',
  (wrong) => {
    const { discovery, announce, info } = setUp()
    announce({ info: info({ icon: wrong }), provider: provider() })
    expect(discovery.list()).toMatchObject([{ name: 'Rabbit' }])
    expect(discovery.list()[0]).not.toHaveProperty('icon')
  },
)

test('lists at most 64 wallets, legacy ones included, the host’s limit', () => {
  const { discovery, announce, info } = setUp({ request: async () => null })
  for (let at = 0; at < 65; at += 1) {
    const id = uuid.slice(0, -2) + at.toString(16).padStart(2, '0')
    announce({ info: info({ uuid: id, rdns: `io.wallet${at}` }), provider: provider() })
  }
  expect(discovery.list()).toHaveLength(64)
})

test('3. the first announcement of a uuid or provider wins, and the first two of an rdns', () => {
  const { discovery, announce, info, own } = setUp()
  const first = provider()
  announce({ info: info(), provider: first })
  announce({ info: info({ rdns: 'io.other', name: 'Same uuid' }), provider: provider() })
  announce({ info: info({ uuid: otherUuid, rdns: 'io.other', name: 'Same provider' }), provider: first })
  announce({ info: info({ uuid: otherUuid, name: 'Same rdns' }), provider: provider() })
  announce({ info: info({ uuid: thirdUuid, name: 'Third of an rdns' }), provider: provider() })
  announce({ info: info({ uuid: otherUuid, rdns: 'io.other', name: 'Ourselves' }), provider: own })
  expect(discovery.list().map(({ name }) => name)).toEqual(['Rabbit', 'Same rdns'])
})

describe('a legacy provider', () => {
  test('is listed while the page has it', () => {
    const { window, discovery } = setUp(provider())
    expect(discovery.list()).toEqual([{ id: 'w0', namespace: 'eip155', type: 'INJECTED', name: 'Browser wallet' }])
    expect(discovery.get('w0')).toBeDefined()
    window.ethereum = undefined
    expect([discovery.list(), discovery.get('w0')]).toEqual([[], undefined])
  })

  test('is not listed if the same object is announced, before or after', () => {
    const legacy = provider()
    const { discovery, announce, info } = setUp(legacy)
    discovery.list()
    announce({ info: info(), provider: legacy })
    expect(discovery.list().map(({ type }) => type)).toEqual(['ANNOUNCED'])
  })

  test('lists each of its providers', () => {
    const { discovery } = setUp(Object.assign(provider(), { providers: [provider(), provider(), null] }))
    expect(discovery.list()).toHaveLength(2)
  })

  test('is ignored if it throws', () => {
    const window = Object.defineProperty(new EventTarget(), 'ethereum', {
      get() {
        throw new Error('denied')
      },
    })
    const options = { window, ownProvider: {}, randomId: () => 'w', onChange() {} }
    const announced = discoverWallets(options)
    const discovery = collectWallets({ ...options, announced, connectors: [], namespaces: () => undefined })
    expect(discovery.list()).toEqual([])
  })

  test('is ignored if its functions cannot be read', () => {
    const { discovery } = setUp({
      get request() {
        throw new Error('denied')
      },
    })
    expect(discovery.list()).toEqual([])
  })
})

test('a wallet whose listener functions throw can be used, without its events', async () => {
  const { discovery, announce, info } = setUp()
  const thrower = () => {
    throw new Error('Extension context invalidated.')
  }
  announce({ info: info(), provider: { ...provider(), on: thrower, removeListener: thrower } })
  discovery.get('w0')?.on('message', () => {})()
  expect(await discovery.get('w0')?.request({ method: 'eth_accounts' })).toBe(1)
})

test('a wallet that throws at once, or answers without a promise, settles its request', async () => {
  const { discovery, announce, info } = setUp()
  const wallet = (args: { method: string }) => {
    if (args.method === 'eth_accounts') return ['0x1']
    throw new Error('no')
  }
  announce({ info: info(), provider: { request: wallet } })
  expect(await discovery.get('w0')?.request({ method: 'eth_accounts' })).toEqual(['0x1'])
  await expect(discovery.get('w0')?.request({ method: 'eth_chainId' })).rejects.toThrow('no')
})

test('4. a wallet keeps its id', () => {
  const { discovery, announce, info } = setUp(provider())
  const before = discovery.list()
  announce({ info: info(), provider: provider() })
  expect(discovery.list()).toEqual(expect.arrayContaining(before))
})

test('removing a wallet listener works, and nothing is heard after stop', () => {
  const { discovery, announce, info, counts } = setUp()
  const wallet = provider()
  announce({ info: info(), provider: wallet })
  discovery.get('w0')?.on('chainChanged', () => {})()
  expect(wallet.listeners.size).toBe(0)
  discovery.stop()
  announce({ info: info({ uuid: otherUuid, rdns: 'io.late' }), provider: provider() })
  expect([discovery.list().length, counts.changes]).toEqual([1, 1])
})
