import { describe, expect, test } from 'vitest'
import * as adapters from '../adapters/index'
import { createNamespacesWith, type NamespacesOptions } from '../namespaces/namespaces'
import { settle } from '../testing/fakes'
import { testPage } from '../testing/page'
import { solanaKey } from '../testing/wallets'
import type { Connections } from '../types/index'
import { deferProviders } from './deferred'

const mainnet = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const bitcoin = 'bip122:000000000019d6689c085ae165831e93'
const payment = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

const solana: Connections = {
  solana: {
    status: 'connected',
    connector: { id: 'c', name: 'W', type: 'ANNOUNCED' },
    accounts: [{ namespace: 'solana', address: solanaKey, type: 'eoa' }],
    networkId: mainnet,
  },
}
const bip122: Connections = {
  bip122: {
    status: 'connected',
    connector: { id: 'c', name: 'W', type: 'ANNOUNCED' },
    accounts: [{ namespace: 'bip122', address: payment, type: 'payment' }],
    networkId: bitcoin,
  },
}

/** The provider code loads when the test says so. */
function setUp(first: Connections = {}) {
  const page = testPage({ phase: 'ready', activeNetworkId: mainnet, connections: first })
  const target = new EventTarget()
  const window: NamespacesOptions['window'] = Object.setPrototypeOf(
    {
      navigator: {},
      addEventListener: target.addEventListener.bind(target),
      removeEventListener: target.removeEventListener.bind(target),
      dispatchEvent: target.dispatchEvent.bind(target),
    },
    null,
  )
  let arrive = () => {}
  let fail = () => {}
  const loadAdapters = () =>
    new Promise<typeof adapters>((resolve, reject) => {
      arrive = () => resolve(adapters)
      fail = () => reject(new Error('offline'))
    })
  const namespaces = createNamespacesWith(loadAdapters, {
    identity: { name: 'Postern', icon: 'data:image/svg+xml,x' },
    window,
    randomId: () => crypto.randomUUID(),
    namespaces: ['solana', 'bip122'],
    isAnnounced: false,
    sdk: '0.0.0',
    page: page.page,
    onWallets() {},
  })
  const providers = deferProviders(namespaces.providers, page.page.getSnapshot)
  async function arrived(): Promise<void> {
    arrive()
    await settle()
  }
  async function failed(): Promise<void> {
    fail()
    await settle()
  }
  return { ...page, ...providers, arrived, failed, connect: (connections: Connections) => page.set({ connections }) }
}

describe('a listener added before the provider code is loaded', () => {
  test('hears once of a connection made meanwhile', async () => {
    const page = setUp()
    const heard: unknown[] = []
    page.solana.on('connect', (data) => heard.push(data))
    page.solana.on('accountsChanged', (data) => heard.push(data))
    page.solana.on('disconnect', (data) => heard.push(data))
    page.bip122.on('connect', (data) => heard.push(data))
    await settle()
    page.connect(solana)
    page.connect({ ...solana, ...bip122 })
    await page.arrived()
    expect(heard).toEqual([
      { publicKey: solanaKey },
      [solanaKey],
      { accounts: [{ address: payment, purpose: 'payment' }] },
    ])
    page.connect(bip122)
    expect(heard.slice(3)).toEqual([[], expect.objectContaining({ code: 4900 })])
  })

  test('hears of a connection that ended meanwhile', async () => {
    const page = setUp(solana)
    const heard: unknown[] = []
    page.solana.on('disconnect', ({ code }) => heard.push(code))
    await settle()
    page.connect({})
    await page.arrived()
    expect(heard).toEqual([4900])
  })

  test('hears nothing from before it was added or after it was removed', async () => {
    const page = setUp()
    const heard: unknown[] = []
    const hear = (data: unknown) => heard.push(data)
    page.solana.on('connect', hear)
    await settle()
    page.connect(solana)
    page.solana.off('connect', hear)
    await settle()
    page.bip122.on('connect', hear)
    page.solana.on('accountsChanged', hear)
    await page.arrived()
    page.set({ open: true })
    expect(heard).toEqual([])
  })

  test('hears what has happened since then, once a later request has loaded the code', async () => {
    const page = setUp()
    const heard: unknown[] = []
    const removed = () => heard.push('removed')
    page.solana.on('connect', (data) => heard.push(data))
    page.solana.on('accountsChanged', removed)
    await settle()
    await page.failed()
    page.solana.off('accountsChanged', removed)
    await settle()
    await page.failed()
    page.connect(solana)
    const request = page.solana.request({ method: 'getBalance' })
    await settle()
    await page.failed()
    await expect(request).rejects.toMatchObject({ reason: 'LOAD_FAILED' })
    page.answers.host = async () => 1
    const later = page.solana.request({ method: 'getBalance' })
    await page.arrived()
    await later
    await settle()
    expect(heard).toEqual([{ publicKey: solanaKey }])
    page.connect({})
    page.connect(solana)
    expect(heard).toEqual([{ publicKey: solanaKey }, { publicKey: solanaKey }])
  })

  test('gets the missed event alone, not listeners added later', async () => {
    const page = setUp()
    const heard: string[] = []
    page.solana.on('connect', () => heard.push('first'))
    await settle()
    page.connect(solana)
    await page.arrived()
    page.solana.on('connect', () => heard.push('second'))
    await settle()
    expect(heard).toEqual(['first'])
  })
})
