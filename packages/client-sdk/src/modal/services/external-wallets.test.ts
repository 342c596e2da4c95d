import { PageWallet } from '@postern/protocol'
import { describe, expect, test } from 'vitest'
import type { ExternalConnector, ExternalProvider } from '../../types/index'
import { readExternals } from './external-wallets'

const icon = 'data:image/png,x'

function setUp(more: Partial<ExternalConnector> = {}) {
  const asked: unknown[] = []
  const listeners = new Map<string, (data: unknown) => void>()
  const loads: (() => Promise<ExternalProvider>)[] = []
  const provider: ExternalProvider = {
    async request(args) {
      asked.push(args)
      return ['0x1']
    },
    on: (event, listener) => listeners.set(event, listener),
    removeListener: (event) => listeners.delete(event),
  }
  let loaded = 0
  const connector: ExternalConnector = {
    id: 'vault',
    name: 'Vault',
    icon,
    namespace: 'eip155',
    load() {
      loaded++
      return loads.shift()?.() ?? Promise.resolve(provider)
    },
    ...more,
  }
  const [found] = readExternals([connector], () => 'w')
  return { found, connector, asked, listeners, loads, loaded: () => loaded }
}

test('is listed as a page wallet before its code is loaded', () => {
  const { found, loaded } = setUp()
  expect(found?.wallet).toEqual({
    id: 'w',
    namespace: 'eip155',
    type: 'EXTERNAL',
    name: 'Vault',
    key: 'external:vault',
    icon,
  })
  expect(PageWallet.safeParse(found?.wallet).success).toBe(true)
  expect(loaded()).toBe(0)
})

test.each<[string, object]>([
  ['no id', { id: '' }],
  ['an id that is too long', { id: 'x'.repeat(65) }],
  ['no name', { name: '' }],
  ['another namespace', { namespace: 'solana' }],
  ['no load function', { load: undefined }],
])('1. one with %s is left out', (_, more) => {
  expect(setUp(more).found).toBeUndefined()
})

test('1. ignores a duplicate id', () => {
  const { connector } = setUp()
  expect(readExternals([connector, { ...connector, name: 'Other' }], () => 'w')).toHaveLength(1)
})

describe('2. loading', () => {
  test('runs once, on the first request', async () => {
    const { found, asked, loaded } = setUp()
    const requests = [
      found?.provider.request({ method: 'eth_requestAccounts' }),
      found?.provider.request({ method: 'eth_chainId' }),
    ]
    expect(await Promise.all(requests)).toEqual([['0x1'], ['0x1']])
    expect([loaded(), asked.length]).toEqual([1, 2])
  })

  test('is retried by the next request after a failure', async () => {
    const { found, loads, loaded } = setUp()
    loads.push(() => Promise.reject(new Error('offline')))
    await expect(found?.provider.request({ method: 'eth_chainId' })).rejects.toThrow('offline')
    expect(await found?.provider.request({ method: 'eth_chainId' })).toEqual(['0x1'])
    expect(loaded()).toBe(2)
  })

  test('fails if the result is not a provider', async () => {
    const { found, connector } = setUp()
    const [broken] = readExternals([{ ...connector, load: async () => Object.create(null) }], () => 'w')
    await expect(broken?.provider.request({ method: 'eth_chainId' })).rejects.toThrow(TypeError)
    expect(found).toBeDefined()
  })
})

test('3. a listener added before loading hears later events until it is removed', async () => {
  const { found, listeners } = setUp()
  const heard: unknown[] = []
  const end = found?.provider.on('accountsChanged', (accounts) => heard.push(accounts))
  const endOther = found?.provider.on('chainChanged', () => {})
  endOther?.()
  await found?.provider.request({ method: 'eth_chainId' })
  listeners.get('accountsChanged')?.(['0x2'])
  expect([heard, [...listeners.keys()]]).toEqual([[['0x2']], ['accountsChanged']])
  end?.()
  expect(listeners.size).toBe(0)
})
