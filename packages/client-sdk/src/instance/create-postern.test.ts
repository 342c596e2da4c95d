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
    const entries = [
      import('../index'),
      import('../react'),
      import('../vue'),
      import('../svelte'),
      import('../server'),
      import('../elements'),
    ]
    for (const entry of entries) await expect(entry).resolves.toBeDefined()
  })

  test('an instance is disconnected, and leaks nothing between requests', async () => {
    const { createPostern } = await import('../index')
    const options = { projectId: 'demo', networks: ['ethereum'] }
    const postern = createPostern(options)
    expect(createPostern(options)).not.toBe(postern)
    expect(postern.getSnapshot()).toBe(postern.getServerSnapshot())
    expect(postern.getSnapshot()).toMatchObject({ phase: 'idle', open: false, connections: {} })
    postern.prewarm()
    postern.setTheme({ mode: 'dark' })
    postern.subscribe(() => {})()
    await expect(postern.open()).rejects.toMatchObject({ code: 'DISCONNECTED' })
    expect(await postern.eip155.request({ method: 'eth_accounts' })).toEqual([])
    await expect(postern.eip155.request({ method: 'eth_requestAccounts' })).rejects.toMatchObject({ code: 4900 })
    expect(await postern.diagnose()).toEqual([])
    postern.destroy()
  })
})
