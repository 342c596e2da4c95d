import { describe, expect, test } from 'vitest'
import type { Modal, ModalOptions } from '../modal/contract'
import { diagnose } from '../modal/diagnose'
import { settle } from '../testing/fakes'
import type { PosternOptions } from '../types/index'
import { createInstance, type Environment } from './instance'

function setUp() {
  const listeners: string[] = []
  const target = new EventTarget()
  const fakes = {
    crypto: globalThis.crypto,
    setTimeout,
    clearTimeout,
    document: { documentElement: { lang: 'en' }, title: 'Dapp' },
    navigator: {},
    matchMedia: () => Object.assign(new EventTarget(), { matches: false }),
    addEventListener(name: string, listener: () => void) {
      listeners.push(name)
      target.addEventListener(name, listener)
    },
    removeEventListener(name: string, listener: () => void) {
      listeners.splice(listeners.indexOf(name), 1)
      target.removeEventListener(name, listener)
    },
    dispatchEvent: (event: Event) => target.dispatchEvent(event),
  }
  const window: Environment['window'] = Object.setPrototypeOf(fakes, null)
  const loads: string[] = []
  const never = (what: string) => () => {
    loads.push(what)
    return new Promise<never>(() => {})
  }
  const start = (
    networks: PosternOptions['networks'],
    loadNamespaces = never('namespaces'),
    modal: Partial<Pick<Environment, 'loadModal' | 'loadAlert'>> = {},
  ) =>
    createInstance(
      {
        window,
        sdk: '0.0.0',
        host: 'https://modal.example',
        isFirstOnPage: true,
        loadModal: never('modal'),
        loadAlert: never('alert'),
        hostFiles: [],
        loadNamespaces,
        ...modal,
      },
      { projectId: 'demo', networks },
      () => {},
    )
  return { start, loads, listeners, window }
}

test('a page with Solana gets Postern as a Wallet Standard wallet before any code has loaded', () => {
  const { start, window } = setUp()
  const list = () => {
    const names: unknown[] = []
    const register = (...wallets: object[]) => void names.push(...wallets.map((wallet) => Reflect.get(wallet, 'name')))
    window.dispatchEvent(Object.assign(new Event('wallet-standard:app-ready'), { detail: { register } }))
    return names
  }
  const postern = start(['solana'])
  expect(list()).toEqual(['Postern'])
  postern.destroy()
  expect(list()).toEqual([])
})

/** Lazy modal code under test control. */
function lateModal() {
  const asked: string[] = []
  const ids: string[] = []
  const nothing = async () => null
  const say = (what: string) => () => void asked.push(what)
  const createModal = ({ state, randomId }: ModalOptions): Modal => ({
    async open() {
      asked.push('open')
      ids.push(randomId())
      state.set({ phase: 'loading' })
    },
    dismiss: say('dismiss'),
    load: say('load'),
    request: nothing,
    rpc: nothing,
    pay: () => Promise.reject(new Error('not asked')),
    connect: () => Promise.reject(new Error('not asked')),
    getWallets: () => Promise.reject(new Error('not asked')),
    getProfile: () => Promise.reject(new Error('not asked')),
    wallets: () => [],
    wallet: () => undefined,
    sendWallets() {},
    draw() {},
    destroy() {},
  })
  const waiting: { come(): void; fail(): void }[] = []
  const loadModal = () =>
    new Promise<Awaited<ReturnType<Environment['loadModal']>>>((resolve, reject) => {
      waiting.push({ come: () => resolve({ createModal, diagnose }), fail: () => reject(new Error('offline')) })
    })
  return { asked, ids, loadModal, come: () => waiting.shift()?.come(), fail: () => waiting.shift()?.fail() }
}

describe('2. requests while the modal’s code is loading', () => {
  test('reach it in order: after open and close it is closed', async () => {
    const { start } = setUp()
    const { asked, loadModal, come } = lateModal()
    const postern = start(['ethereum'], undefined, { loadModal })
    await postern.close()
    const [opened, closed] = [postern.open(), postern.close()]
    come()
    await Promise.all([opened, closed])
    expect(asked).toEqual(['open', 'dismiss'])
    postern.destroy()
  })

  test('do not make close fail if the code does not load', async () => {
    const { start } = setUp()
    const { loadModal, fail } = lateModal()
    const postern = start(['ethereum'], undefined, { loadModal })
    const [opened, closed] = [postern.open(), postern.close()]
    fail()
    await expect(opened).rejects.toMatchObject({ code: 'LOAD_FAILED' })
    expect(await closed).toBeUndefined()
    postern.destroy()
  })
})

test.each([
  ['repeats itself', { randomUUID: () => '00000000-0000-4000-8000-000000000000' }],
  ['is that of an insecure page, and repeats itself', { getRandomValues: (values: Uint8Array) => values.fill(7) }],
])('ids are unique also if the page’s crypto %s', async (_what, crypto) => {
  const { start, window } = setUp()
  const { ids, loadModal, come } = lateModal()
  Object.assign(window, { crypto })
  const postern = start(['ethereum'], undefined, { loadModal })
  const opened = [postern.open(), postern.open()]
  come()
  await Promise.all(opened)
  expect(new Set(ids).size).toBe(2)
  for (const id of ids) expect(id.length).toBeLessThanOrEqual(64)
  postern.destroy()
})

test('a modal that is only prepared fails silently; a call shows an alert and an `error` event', async () => {
  const { start } = setUp()
  const { loadModal, fail } = lateModal()
  const shown: string[] = []
  const showAlert: Awaited<ReturnType<Environment['loadAlert']>>['showAlert'] = ({ error }) => {
    shown.push(`alert ${error.code}`)
    return () => {}
  }
  const postern = start(['ethereum'], undefined, { loadModal, loadAlert: async () => ({ showAlert }) })
  postern.on('error', ({ code }) => shown.push(`event ${code}`))
  postern.prewarm()
  fail()
  await settle()
  expect([postern.getSnapshot().phase, shown]).toEqual(['failed', []])
  const opened = postern.open()
  fail()
  await expect(opened).rejects.toMatchObject({ code: 'LOAD_FAILED' })
  await settle()
  expect(shown.sort()).toEqual(['alert LOAD_FAILED', 'event LOAD_FAILED'])
  postern.destroy()
})

test('an alert that loads after a retry is not shown', async () => {
  const { start } = setUp()
  const { loadModal, come, fail } = lateModal()
  const shown: string[] = []
  let comes = () => {}
  const alert = new Promise<void>((resolve) => {
    comes = resolve
  })
  const loadAlert = async () => {
    await alert
    return {
      showAlert: () => {
        shown.push('alert')
        return () => {}
      },
    }
  }
  const postern = start(['ethereum'], undefined, { loadModal, loadAlert })
  const failed = postern.open()
  fail()
  await expect(failed).rejects.toMatchObject({ code: 'LOAD_FAILED' })
  const again = postern.open()
  come()
  await again
  comes()
  await settle()
  expect(shown).toEqual([])
  postern.destroy()
})

describe('1. a connection of an earlier visit, if the modal’s code does not load', () => {
  const connection = {
    status: 'connected',
    connector: { id: 'io.rabbit', name: 'Rabbit', type: 'ANNOUNCED' },
    accounts: [{ namespace: 'eip155', address: `0x${'a'.repeat(40)}`, type: 'eoa' }],
    networkId: 'eip155:1',
  }
  const network = { caipNetworkId: 'eip155:1', chainNamespace: 'eip155', name: 'Ethereum' }
  const stored = {
    themeMode: 'light',
    networks: [network],
    activeNetworkId: 'eip155:1',
    connections: { eip155: connection },
  }

  function visit() {
    const { start, window, listeners } = setUp()
    const entries = new Map([['@postern/demo/state', JSON.stringify(stored)]])
    const localStorage = {
      length: 0,
      getItem: (key: string) => entries.get(key) ?? null,
      removeItem: (key: string) => entries.delete(key),
    }
    let interval = () => {}
    const setInterval = (callback: () => void) => {
      interval = callback
      return 1
    }
    const alerts: string[] = []
    const document = {
      ...window.document,
      visibilityState: 'visible',
      querySelector: (name: string) => alerts.find((each) => each === name) ?? null,
    }
    Object.assign(window, { localStorage, document, setInterval, clearInterval: () => (interval = () => {}) })
    const { loadModal, come, fail, asked } = lateModal()
    const postern = start(['ethereum'], undefined, { loadModal })
    return { postern, window, document, listeners, alerts, come, fail, asked, pass: () => interval() }
  }

  test('is reconnecting, and tried again when the network or the user returns, and in between', async () => {
    const { postern, window, fail, come, asked, pass } = visit()
    expect(postern.getSnapshot().connections.eip155?.status).toBe('connecting')
    for (const retry of ['online', 'focus']) {
      fail()
      await settle()
      expect(postern.getSnapshot()).toMatchObject({
        phase: 'failed',
        connections: { eip155: { status: 'reconnecting', accounts: connection.accounts } },
      })
      window.dispatchEvent(new Event(retry))
    }
    fail()
    await settle()
    pass()
    come()
    await settle()
    expect(asked).toEqual(['load'])
    postern.destroy()
  })

  test('is not tried again below an alert or in a hidden page, nor after the end', async () => {
    const { postern, window, document, listeners, alerts, come, fail, asked, pass } = visit()
    fail()
    await settle()
    alerts.push('postern-alert')
    window.dispatchEvent(new Event('online'))
    alerts.pop()
    document.visibilityState = 'hidden'
    pass()
    come()
    await settle()
    expect(asked).toEqual([])
    postern.destroy()
    expect(listeners).toEqual([])
  })
})

const nativeCurrency = { name: 'x', symbol: 'x', decimals: 9 }

describe('4. the code of Solana and Bitcoin', () => {
  test.each<[PosternOptions['networks']]>([
    [['ethereum', 'solana']],
    [['solana-devnet']],
    [['bitcoin']],
    [['bip122:0f9188f13cb7b2c71f2a335e3a4fc328']],
    [['ethereum', { id: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', name: 'D', nativeCurrency }]],
  ])('is loaded by a page with %j, and no other code is', (networks) => {
    const { start, loads } = setUp()
    start(networks).destroy()
    expect(loads).toEqual(['namespaces'])
  })

  test.each<[PosternOptions['networks']]>([
    [['ethereum', 'base', 'eip155:31337']],
    [[{ id: 'eip155:1', name: 'solana', nativeCurrency }]],
  ])('is not loaded by one with %j, until its provider is used', (networks) => {
    const { start, loads } = setUp()
    const postern = start(networks)
    expect([postern.solana.publicKey, postern.solana.accounts, postern.bip122.accounts]).toEqual([null, [], []])
    expect(loads).toEqual([])
    void postern.bip122.connect()
    void postern.solana.request({ method: 'getSlot' })
    expect(loads).toEqual(['namespaces'])
    postern.destroy()
  })

  test('fails with a number if it does not load, and is requested again', async () => {
    const { start, listeners } = setUp()
    const outcomes = [() => Promise.reject(new Error('offline')), () => Promise.reject(new Error('still'))]
    const postern = start(['ethereum'], () => outcomes.shift()?.() ?? Promise.reject(new Error('loaded too often')))
    for (const cause of ['offline', 'still'])
      await expect(postern.solana.connect()).rejects.toMatchObject({
        code: -32603,
        reason: 'LOAD_FAILED',
        cause: { cause: { message: cause } },
      })
    postern.destroy()
    expect(listeners).toEqual([])
  })
})
