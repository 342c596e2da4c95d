import { describe, expect, it, vi } from 'vitest'
import { createChunkLoader } from './chunk-loader'

const at = (part: string) => `https://modal.example/postern-${part}.js?v=1.2.3`
const options = {
  src: 'https://modal.example/postern.js',
  version: '1.2.3',
  integrity: { modal: 'sha384-modal', adapters: 'sha384-adapters' },
}

describe('createChunkLoader', () => {
  it('1. loads a part only after its hash was checked', async () => {
    const load = vi.fn(async (url: string) => url)
    const preload = vi.fn(async (_url: string, _integrity: string) => {})
    const beside = createChunkLoader(options, { preload, load })
    await expect(beside('modal')).resolves.toBe(at('modal'))
    expect(preload).toHaveBeenCalledExactlyOnceWith(at('modal'), 'sha384-modal')
    preload.mockRejectedValueOnce(new Error('refused'))
    await expect(beside('adapters')).rejects.toThrow('refused')
    await expect(beside('unknown')).rejects.toThrow('no part "unknown"')
    expect(load).toHaveBeenCalledOnce()
  })

  it('2. retries a failed part under another URL, and loads the others as before', async () => {
    let down = true
    const load = vi.fn(async (url: string) => {
      if (down) throw new TypeError('Failed to fetch dynamically imported module')
      return url
    })
    const beside = createChunkLoader(options, { preload: async () => {}, load })
    await expect(beside('modal')).rejects.toThrow('Failed to fetch')
    await expect(beside('modal')).rejects.toThrow('Failed to fetch')
    down = false
    await expect(beside('modal')).resolves.toBe(`${at('modal')}&try=2`)
    await expect(beside('modal')).resolves.toBe(`${at('modal')}&try=2`)
    await expect(beside('adapters')).resolves.toBe(at('adapters'))
    expect(load.mock.calls.map(([url]) => url)).toEqual([
      at('modal'),
      `${at('modal')}&try=1`,
      `${at('modal')}&try=2`,
      `${at('modal')}&try=2`,
      at('adapters'),
    ])
  })
})
