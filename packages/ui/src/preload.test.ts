// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fileGone, preload } from './preload'

/** Recorded instead of inserted, so nothing is fetched. */
let links: HTMLLinkElement[] = []
const tell = (file: string, event: 'load' | 'error') =>
  links.find(({ href }) => href.endsWith(`/${file}`))?.dispatchEvent(new Event(event))

const ask = vi.fn<(path: string) => Promise<Response>>()
const load = vi.fn(async () => 'part')

beforeEach(() => {
  links = []
  ask.mockReset().mockImplementation(async () => new Response('export {}'))
  load.mockClear()
  vi.stubGlobal('fetch', ask)
  vi.spyOn(document.head, 'append').mockImplementation((...nodes) => {
    for (const node of nodes) {
      if (!(node instanceof HTMLLinkElement)) throw new TypeError('Only styles are links')
      links.push(node)
      node.remove = () => {
        links = links.filter((each) => each !== node)
      }
    }
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('preload', () => {
  it('imports once every file has loaded', async () => {
    const part = preload(load, ['assets/one.js', 'assets/one.css'])
    await expect.poll(() => links).toHaveLength(1)
    expect(ask).toHaveBeenCalledExactlyOnceWith('/assets/one.js')
    expect(links[0]?.rel).toBe('stylesheet')
    expect(load).not.toHaveBeenCalled()
    tell('assets/one.css', 'load')
    expect(await part).toBe('part')
  })

  it('3. reports a script that the server no longer has, and only that', async () => {
    const reported = vi.fn()
    window.addEventListener(fileGone, reported)
    ask.mockImplementationOnce(async () => new Response('', { status: 503 }))
    await expect(preload(load, ['assets/busy.js'])).rejects.toThrow()
    expect(reported).not.toHaveBeenCalled()
    ask.mockImplementationOnce(async () => new Response('', { status: 404 }))
    await expect(preload(load, ['assets/gone.js'])).rejects.toThrow()
    expect(reported).toHaveBeenCalledOnce()
    window.removeEventListener(fileGone, reported)
  })

  it.each([
    ['cannot be reached', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['is not there', async () => new Response('Not found', { status: 404 })],
    [
      'breaks off',
      async () => new Response(new ReadableStream({ start: (stream) => stream.error(new TypeError('network error')) })),
    ],
  ])('does not import if a script %s, and requests it again', async (what, answer) => {
    const file = `assets/${what.replaceAll(' ', '-')}.js`
    ask.mockImplementationOnce(answer)
    await expect(preload(load, [file])).rejects.toThrow()
    expect(load).not.toHaveBeenCalled()
    expect(await preload(load, [file])).toBe('part')
    expect(ask).toHaveBeenCalledTimes(2)
  })

  it('does not import if a style failed to load, and requests it again', async () => {
    const failing = preload(load, ['assets/two.js', 'assets/two.css'])
    tell('assets/two.css', 'error')
    await expect(failing).rejects.toThrow('assets/two.css did not arrive')
    expect(load).not.toHaveBeenCalled()
    expect(links).toEqual([])
    const again = preload(load, ['assets/two.js', 'assets/two.css'])
    tell('assets/two.css', 'load')
    expect(await again).toBe('part')
    expect(ask).toHaveBeenCalledOnce()
  })

  it('does not fetch what the page already has or is fetching', async () => {
    const first = document.createElement('link')
    first.setAttribute('href', '/assets/first.js')
    document.body.append(first)
    const all = [['assets/first.js', 'assets/three.js'], ['assets/three.js'], []].map((files) => preload(load, files))
    expect(await Promise.all(all)).toEqual(['part', 'part', 'part'])
    expect(ask).toHaveBeenCalledExactlyOnceWith('/assets/three.js')
  })
})
