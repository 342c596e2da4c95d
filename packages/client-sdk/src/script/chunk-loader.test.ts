import { describe, expect, it, vi } from 'vitest'
import { createChunkLoader } from './chunk-loader'

const at = (part: string) => `https://modal.example/postern-${part}.js?v=1.2.3`

describe('partsBeside', () => {
  it('retries a failed part under another URL, and loads the others as before', async () => {
    let down = true
    const load = vi.fn(async (url: string) => {
      if (down) throw new TypeError('Failed to fetch dynamically imported module')
      return url
    })
    const beside = createChunkLoader('https://modal.example/postern.js', '1.2.3', load)
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
