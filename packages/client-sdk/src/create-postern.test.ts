import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

beforeEach(() => {
  vi.stubGlobal('__POSTERN_VERSION__', '0.0.0')
  vi.stubGlobal('__POSTERN_HOST__', 'https://modal.example')
})
afterEach(() => {
  vi.unstubAllGlobals()
})

describe('on a server', () => {
  test('every entry can be imported without side effects', async () => {
    expect('window' in globalThis).toBe(false)
    for (const entry of [import('./index'), import('./react'), import('./elements')])
      await expect(entry).resolves.toBeDefined()
  })

  test('an instance is disconnected, and leaks nothing between requests', async () => {
    const { createPostern } = await import('./index')
    const options = { projectId: 'demo', networks: ['ethereum'] }
    const postern = createPostern(options)
    expect(createPostern(options)).not.toBe(postern)
    expect(postern.getSnapshot()).toBe(postern.getServerSnapshot())
    expect(postern.getSnapshot()).toMatchObject({ phase: 'idle', open: false, connections: {} })
    postern.prewarm()
    postern.subscribe(() => {})()
    await expect(postern.open()).rejects.toMatchObject({ code: 'DISCONNECTED' })
    expect(await postern.eip155.request({ method: 'eth_accounts' })).toEqual([])
    await expect(postern.eip155.request({ method: 'eth_requestAccounts' })).rejects.toMatchObject({ code: 4900 })
    expect(await postern.diagnose()).toEqual([])
    postern.destroy()
  })
})

describe('without `host`', () => {
  const warningsAt = async (origin: string, defaultHost: string, host?: string) => {
    vi.stubGlobal('__POSTERN_HOST__', defaultHost)
    vi.resetModules()
    const { createPosternWith } = await import('./create-postern')
    const warnings: string[] = []
    const page = Object.assign(new EventTarget(), {
      origin,
      console: { warn: (text: string) => void warnings.push(text) },
      crypto,
      document: { documentElement: { lang: 'en' }, title: 'Dapp' },
    })
    vi.stubGlobal('window', page)
    const never = () => new Promise<never>(() => {})
    const loaders = {
      ...{ loadModal: never, loadAlert: never, loadDiagnose: never, loadNamespaces: never, loadAdapters: never },
      hostFiles: [],
    }
    createPosternWith(loaders, { projectId: 'demo', networks: ['ethereum'], ...(host && { host }) }).destroy()
    return warnings
  }
  const development = 'http://modal.postern.localhost:4400'

  test('a page in production is warned, with what to set', async () => {
    expect(await warningsAt('https://dapp.example', development)).toEqual([
      'Postern: set `host` to the origin of your gateway. Without it this page asks for http://modal.postern.localhost:4400.',
    ])
  })

  test.each([
    ['http://localhost:5173', development, undefined],
    ['http://127.0.0.1:3000', development, undefined],
    ['http://demo.localhost:4500', development, undefined],
    ['https://dapp.example', 'https://modal.example', undefined],
    ['https://dapp.example', development, 'https://modal.example'],
  ])('%s with the default %s and host %s is not', async (origin, defaultHost, host) => {
    expect(await warningsAt(origin, defaultHost, host)).toEqual([])
  })
})
