import { describe, expect, test } from 'vitest'
import { createInstance, type Environment } from './instance'
import type { PosternOptions } from './types'

/** As much of a browser's window as an instance needs until its modal is wanted. */
function setUp() {
  const listeners: string[] = []
  const target = new EventTarget()
  const fakes = {
    crypto: globalThis.crypto,
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
  const start = (networks: PosternOptions['networks'], loadNamespaces = never('namespaces')) =>
    createInstance(
      {
        window,
        sdk: '0.0.0',
        host: 'https://modal.example',
        loadModal: never('modal'),
        loadAlert: never('alert'),
        loadDiagnose: never('diagnose'),
        loadAdapters: never('adapters'),
        loadNamespaces,
      },
      { projectId: 'demo', networks },
      () => {},
    )
  return { start, loads, listeners }
}

const nativeCurrency = { name: 'x', symbol: 'x', decimals: 9 }

describe('4. the code of Solana and Bitcoin', () => {
  test.each<[PosternOptions['networks']]>([
    [['ethereum', 'solana']],
    [['solana-devnet']],
    [['bitcoin']],
    [['bip122:0f9188f13cb7b2c71f2a335e3a4fc328']],
    [['ethereum', { id: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', name: 'D', nativeCurrency }]],
  ])('is loaded by a page with %j, and nothing else is', (networks) => {
    const { start, loads } = setUp()
    start(networks).destroy()
    expect(loads).toEqual(['namespaces'])
  })

  test.each<[PosternOptions['networks']]>([
    [['ethereum', 'base', 'eip155:31337']],
    [[{ id: 'eip155:1', name: 'solana', nativeCurrency }]],
  ])('is not by one with %j, until its provider is asked', (networks) => {
    const { start, loads } = setUp()
    const postern = start(networks)
    expect([postern.solana.publicKey, postern.solana.accounts, postern.bip122.accounts]).toEqual([null, [], []])
    expect(loads).toEqual([])
    void postern.bip122.connect()
    void postern.solana.request({ method: 'getSlot' })
    expect(loads).toEqual(['namespaces'])
    postern.destroy()
  })

  test('that did not come fails with a number, and is tried again', async () => {
    const { start, listeners } = setUp()
    const outcomes = [() => Promise.reject(new Error('offline')), () => Promise.reject(new Error('still'))]
    const postern = start(['ethereum'], () => outcomes.shift()?.() ?? Promise.reject(new Error('asked too often')))
    for (const cause of ['offline', 'still'])
      await expect(postern.solana.connect()).rejects.toMatchObject({
        code: -32603,
        reason: 'IFRAME_LOAD_FAILED',
        cause: { cause: { message: cause } },
      })
    postern.destroy()
    expect(listeners).toEqual([])
  })
})
