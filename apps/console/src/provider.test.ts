import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { finishAtProvider, startAtProvider, takeProviderAnswer } from './provider'

const storage = new Map<string, string>()
const assign = vi.fn()
const replaceState = vi.fn()

beforeEach(() => {
  storage.clear()
  assign.mockReset()
  replaceState.mockReset()
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => storage.get(name) ?? null,
    setItem: (name: string, value: string) => storage.set(name, value),
    removeItem: (name: string) => storage.delete(name),
  })
  vi.stubGlobal('history', { replaceState })
})
afterEach(() => vi.unstubAllGlobals())

const at = (pathname: string, search = '') => vi.stubGlobal('location', { pathname, search, assign })
const answers = (value: unknown) => {
  const sent = vi.fn(async () => Response.json(value))
  vi.stubGlobal('fetch', sent)
  return sent
}

describe('sign-in at the provider', () => {
  test('leaves for the provider, and comes back to the page where it began, once', async () => {
    at('/users')
    answers({ url: 'https://id.example/auth?state=s', ticket: 'the-ticket' })
    await startAtProvider()
    expect(assign.mock.calls).toEqual([['https://id.example/auth?state=s']])

    at('/sign-in/callback', '?code=c&state=s')
    const answer = takeProviderAnswer()
    expect(answer).toEqual({ ticket: 'the-ticket', query: '?code=c&state=s' })
    expect(replaceState.mock.calls).toEqual([[null, '', '/users']])
    expect(storage.size).toBe(0)
    expect(takeProviderAnswer()?.ticket).toBeNull()

    const sent = answers({ token: 'the-token' })
    expect(await finishAtProvider({ ticket: 'the-ticket', query: '?code=c&state=s' })).toBe('the-token')
    expect(sent.mock.calls).toEqual([
      [
        '/admin/v1/sign-in/finish',
        {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: '{"ticket":"the-ticket","query":"?code=c&state=s"}',
        },
      ],
    ])
  })

  test('a tab that did not begin it sends nothing to the gateway', async () => {
    at('/sign-in/callback', '?code=of-an-attacker&state=s')
    const sent = answers({ token: 'of-an-attacker' })
    const answer = takeProviderAnswer()
    expect(replaceState.mock.calls).toEqual([[null, '', '/']])
    await expect(finishAtProvider(answer ?? { ticket: null, query: '' })).rejects.toThrow('did not begin')
    expect(sent).not.toHaveBeenCalled()
  })

  test('another page has no answer of a provider', () => {
    at('/users', '?code=c')
    expect(takeProviderAnswer()).toBeNull()
    expect(replaceState).not.toHaveBeenCalled()
  })

  test('opens no address but http and https, and returns to no other site', async () => {
    at('/users')
    answers({ url: 'javascript:alert(1)', ticket: 'the-ticket' })
    await expect(startAtProvider()).rejects.toThrow('does not match the gateway')
    expect(assign).not.toHaveBeenCalled()
    storage.set('postern.operator-ticket', '{"ticket":"t","path":"//evil.example/"}')
    at('/sign-in/callback', '?code=c')
    expect(takeProviderAnswer()).toEqual({ ticket: null, query: '?code=c' })
    expect(replaceState.mock.calls).toEqual([[null, '', '/']])
  })
})
