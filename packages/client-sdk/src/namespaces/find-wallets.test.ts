import { PageWallet } from '@postern/protocol'
import type { StandardNamespace } from '@postern/protocol/namespaces'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { WalletProvider } from '../discovery/wallet-provider'
import { account, icon, solanaKey, standardWallet } from '../testing/wallets'
import type { Source } from './contract'
import { findWallets } from './find-wallets'

function setUp(page: object = {}, wanted: readonly StandardNamespace[] = ['solana', 'bip122']) {
  const navigator: { wallets?: unknown } = {}
  const window = Object.assign(new EventTarget(), { navigator }, page)
  const told = { changes: 0, adapted: [] as Source[] }
  let ids = 0
  const options = {
    randomId: () => `w${ids++}`,
    namespaces: wanted,
    ownName: 'Postern',
    async adapt(source: Source) {
      told.adapted.push(source)
      return { request: async () => source.kind, on: () => () => {} }
    },
    onChange: () => void told.changes++,
  }
  const register = (...wallets: unknown[]) => {
    let unregister: unknown
    const detail = (api: { register(...wallets: unknown[]): unknown }) => {
      unregister = api.register(...wallets)
    }
    window.dispatchEvent(Object.assign(new Event('wallet-standard:register-wallet'), { detail }))
    return () => typeof unregister === 'function' && unregister()
  }
  return { window, navigator, told, register, start: () => findWallets({ ...options, window }) }
}

const connect = { connect: () => ({ accounts: [] }) }
const solana = (name = 'Sol', more: object = {}) =>
  standardWallet(name, {
    'standard:connect': connect,
    'standard:disconnect': { disconnect: () => undefined },
    'solana:signMessage': { signMessage: () => ({}) },
    'solana:signTransaction': { signTransaction: () => ({}) },
    ...more,
  }).wallet
const bitcoin = (name = 'Bit') =>
  standardWallet(
    name,
    { 'bitcoin:connect': connect, 'bitcoin:signTransaction': { signTransaction: () => ({}) } },
    { chains: ['bitcoin:mainnet', 'bitcoin:regtest', 'other:chain'] },
  ).wallet

describe('a Wallet Standard wallet', () => {
  test('is found if it loads later', () => {
    const { start, register, told } = setUp()
    const wallets = start()
    register(solana())
    expect(wallets.list()).toEqual([
      {
        id: 'w0',
        namespace: 'solana',
        type: 'ANNOUNCED',
        name: 'Sol',
        key: 'standard:Sol',
        icon,
        networks: ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
        methods: [
          'solana_getAccounts',
          'solana_requestAccounts',
          'solana_disconnect',
          'solana_signMessage',
          'solana_signTransaction',
          'solana_signAllTransactions',
        ],
      },
    ])
    expect(told.changes).toBe(1)
  })

  test('is found if it loaded first, through the app-ready event', () => {
    const { start, window } = setUp()
    window.addEventListener('wallet-standard:app-ready', (event) => Reflect.get(event, 'detail').register(bitcoin()))
    expect(start().list()).toMatchObject([
      {
        namespace: 'bip122',
        name: 'Bit',
        networks: ['bip122:000000000019d6689c085ae165831e93', 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328'],
        methods: ['bip122_getAccountAddresses', 'bip122_requestAccounts', 'bip122_signPsbt'],
      },
    ])
  })

  test('in the legacy list is found before and after start, and the list still works for other libraries', () => {
    const { start, navigator } = setUp()
    const others: unknown[] = []
    navigator.wallets = [({ register }: { register(wallet: object): void }) => register(solana('Before'))]
    const wallets = start()
    const list: unknown = navigator.wallets
    if (!Array.isArray(list)) throw new Error('The list is no list any more')
    list.push(({ register }: { register(wallet: object): void }) => register(solana('After')))
    for (const callback of list) callback({ register: (wallet: unknown) => others.push(wallet) })
    expect(wallets.list().map(({ name }) => name)).toEqual(['Before', 'After'])
    expect(others).toHaveLength(2)
    wallets.stop()
    list.push(() => {
      throw new Error('Heard after stop')
    })
  })

  test('disappears when it unregisters, and is listed once if it registers twice', () => {
    const { start, register, told } = setUp()
    const wallets = start()
    const wallet = solana()
    const unregister = register(wallet)
    register(wallet)
    expect(wallets.list()).toHaveLength(1)
    unregister()
    expect([wallets.list(), told.changes]).toEqual([[], 3])
  })

  test('with both namespaces is listed once for each that is wanted', () => {
    const both = standardWallet(
      'Both',
      {
        'standard:connect': connect,
        'solana:signTransaction': { signTransaction: () => ({}) },
        'bitcoin:connect': connect,
      },
      { chains: ['solana:devnet', 'bitcoin:signet'] },
    ).wallet
    const all = setUp()
    const found = all.start()
    all.register(both)
    expect(found.list().map(({ namespace, name }) => [namespace, name])).toEqual([
      ['solana', 'Both'],
      ['bip122', 'Both'],
    ])
    const one = setUp({}, ['solana'])
    const less = one.start()
    one.register(both)
    expect(less.list().map(({ namespace }) => namespace)).toEqual(['solana'])
  })

  test('loads its adapter once, on the first request', async () => {
    const { start, register, told } = setUp()
    const wallets = start()
    register(solana())
    expect(told.adapted).toEqual([])
    const provider = wallets.get('w0')
    await Promise.all([provider?.request({ method: 'solana_getAccounts' }), provider?.request({ method: 'x' })])
    expect(told.adapted.map(({ kind }) => kind)).toEqual(['solanaStandard'])
  })
})

describe('1. registering never throws', () => {
  const thrower = () => {
    throw new Error('touched')
  }
  test.each([
    ['nothing', undefined],
    ['a text', 'wallet'],
    ['a proxy that throws', new Proxy({}, { get: thrower })],
    ['a name that throws', Object.defineProperty({ ...solana() }, 'name', { get: thrower })],
    ['features that throw', Object.defineProperty({ ...solana() }, 'features', { get: thrower })],
    ['no name', { ...solana(), name: '' }],
    ['a name that begins with a line break', { ...solana(), name: '\nn' }],
    ['a name that is too long', { ...solana(), name: 'n'.repeat(241) }],
    ['chains that are not a list', { ...solana(), chains: 'solana:mainnet' }],
    ['no way to connect', { ...solana(), features: { 'solana:signMessage': {} } }],
    ['nothing to sign with', { ...solana(), features: { 'standard:connect': connect } }],
    ['ourselves', solana('Postern')],
  ])('ignores %s', (_, wallet) => {
    const { start, register, told } = setUp()
    const wallets = start()
    expect(() => register(wallet)()).not.toThrow()
    expect([wallets.list(), told.changes]).toEqual([[], 0])
  })

  test('and never lists a wallet that the link would reject', () => {
    const value = fc.oneof(fc.anything(), fc.constantFrom('n', icon, ['solana:mainnet'], solana().features))
    const wallet = fc.oneof(
      fc.anything(),
      fc.record({ name: value, icon: value, chains: value, features: value }, { requiredKeys: [] }),
    )
    fc.assert(
      fc.property(fc.array(wallet, { maxLength: 4 }), (given) => {
        const { start, register } = setUp()
        const wallets = start()
        register(...given)
        for (const each of wallets.list()) expect(PageWallet.safeParse(each).success).toBe(true)
      }),
    )
  })

  test('2. trims an icon', () => {
    const { start, register } = setUp()
    const wallets = start()
    register({ ...solana(), icon: `\n  ${icon}\n` })
    expect(wallets.list()[0]?.icon).toBe(icon)
  })

  test('2. omits an icon that is not a data image', () => {
    const { start, register } = setUp()
    const wallets = start()
    register({ ...solana(), icon: 'https://tracker.example/x.png' })
    expect(wallets.list()[0]).not.toHaveProperty('icon')
  })

  test('3. lists a name twice per namespace, and 64 of a million wallets', () => {
    const { start, register } = setUp()
    const wallets = start()
    const first = solana('Rabbit')
    register(first, { ...solana('Rabbit'), icon: 'data:image/png,fake' }, solana('rabbit wallet'))
    expect(wallets.list()).toMatchObject([
      { name: 'Rabbit', icon },
      { name: 'Rabbit', icon: 'data:image/png,fake' },
    ])
    const features = first.features
    const many = Array.from({ length: 1_000_000 }, (_, at) => ({ name: `W${at}`, chains: [], features }))
    for (let from = 0; from < many.length; from += 50_000) register(...many.slice(from, from + 50_000))
    expect(wallets.list()).toHaveLength(64)
  })
})

describe('a Bitcoin extension on the window', () => {
  const provider = { request: async () => null }
  test('is recognised by its path, with its methods', () => {
    const { start } = setUp({
      unisat: { requestAccounts() {} },
      okxwallet: { bitcoin: { connect() {} } },
      phantom: { bitcoin: { requestAccounts() {} } },
      LeatherProvider: provider,
    })
    const list = start().list()
    expect(list.map(({ name, key, networks }) => [name, key, networks?.length])).toEqual([
      ['Leather', 'injected:LeatherProvider', undefined],
      ['UniSat', 'injected:unisat', undefined],
      ['OKX Wallet', 'injected:okxwallet.bitcoin', 1],
      ['Phantom', 'injected:phantom.bitcoin', 1],
    ])
    for (const wallet of list) expect(PageWallet.safeParse(wallet).success).toBe(true)
    expect(list[3]?.methods).not.toContain('bip122_sendTransfer')
    expect(list[1]?.methods).toContain('bip122_switchNetwork')
  })

  test('takes name and icon from the provider list, once', () => {
    const { start } = setUp({
      XverseProviders: { BitcoinProvider: provider },
      btc_providers: [
        { id: 'XverseProviders.BitcoinProvider', name: 'Xverse Wallet', icon },
        { id: 'gone.away', name: 'Gone' },
        null,
      ],
    })
    expect(start().list()).toMatchObject([
      { name: 'Xverse Wallet', icon, key: 'injected:XverseProviders.BitcoinProvider' },
    ])
  })

  test('4. that also registers itself is listed once', () => {
    const { start, register } = setUp({ XverseProviders: { BitcoinProvider: provider } })
    const wallets = start()
    expect(wallets.list()).toHaveLength(1)
    register({ ...bitcoin('Xverse Wallet'), features: { 'sats-connect:': { provider } } })
    expect(wallets.list()).toMatchObject([{ type: 'ANNOUNCED', name: 'Xverse Wallet' }])
    expect(wallets.list()[0]?.methods).toContain('bip122_sendTransfer')
  })

  test('5. keeps its id and disappears when the page drops it', () => {
    const { start, window } = setUp({ unisat: { requestAccounts() {} } })
    const wallets = start()
    expect(wallets.list()).toEqual(wallets.list())
    expect(wallets.get('w0')).toBeDefined()
    Reflect.deleteProperty(window, 'unisat')
    expect([wallets.list(), wallets.get('w0')]).toEqual([[], undefined])
  })

  test('is ignored if it throws on access', () => {
    const { start } = setUp(
      Object.defineProperty({}, 'unisat', {
        enumerable: true,
        get: () => undefined,
      }),
    )
    expect(start().list()).toEqual([])
    const hostile = setUp({
      okxwallet: new Proxy(
        {},
        {
          get: () => {
            throw new Error('touched')
          },
        },
      ),
    })
    expect(hostile.start().list()).toEqual([])
  })
})

test('5. a listener survives a failed adapter load and hears events once it loads, until removed', async () => {
  const { window } = setUp({ unisat: { requestAccounts() {} } })
  const heard: unknown[] = []
  const on = new Set<(data: unknown) => void>()
  const provider: WalletProvider = {
    request: async () => 'asked',
    on(_, listener) {
      on.add(listener)
      return () => on.delete(listener)
    },
  }
  const loads = [() => Promise.reject(new Error('offline')), () => Promise.resolve(provider)]
  const adapt = () => loads.shift()?.() ?? Promise.reject(new Error('asked too often'))
  const options = { window, randomId: () => 'w0', ownName: 'Postern', onChange() {}, adapt }
  const wallet = findWallets({ ...options, namespaces: ['bip122'] }).get('w0')
  const end = wallet?.on('accountsChanged', (data) => heard.push(data))
  const gone = wallet?.on('accountsChanged', () => heard.push('removed listener'))
  gone?.()
  await expect(wallet?.request({ method: 'bip122_getAccountAddresses' })).rejects.toThrow('offline')
  expect(await wallet?.request({ method: 'bip122_requestAccounts' })).toBe('asked')
  for (const listener of on) listener('another account')
  expect(heard).toEqual(['another account'])
  end?.()
  expect(on.size).toBe(0)
})

test('hears nothing after stop', () => {
  const { start, register, told } = setUp()
  const wallets = start()
  wallets.stop()
  register(solana())
  expect([wallets.list(), told.changes]).toEqual([[], 0])
  expect(account(solanaKey).chains).toEqual(['solana:mainnet'])
})
