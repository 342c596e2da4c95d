import { describe, expect, it, vi } from 'vitest'
import { clock, noon } from '../testing/sign-in'
import { createNonces, memorySpentNonces, type NonceStore } from './nonces'

const tenMinutes = 600_000

describe('createNonces', () => {
  it('creates unique nonces that every message accepts', async () => {
    const nonces = createNonces()
    const all = await Promise.all(Array.from({ length: 100 }, () => nonces.create()))
    expect(new Set(all).size).toBe(100)
    for (const nonce of all) expect(nonce).toMatch(/^[a-z0-9]{64}$/)
  })

  it('creates no secret before the first nonce, because workers forbid randomness at startup', async () => {
    const random = vi.spyOn(crypto, 'getRandomValues')
    try {
      const nonces = createNonces()
      expect(random).not.toHaveBeenCalled()
      expect(await nonces.check(await nonces.create())).toBe(true)
    } finally {
      random.mockRestore()
    }
  })

  it('accepts a nonce once, also under concurrency', async () => {
    const nonces = createNonces()
    const nonce = await nonces.create()
    expect(await nonces.check(nonce)).toBe(true)
    const both = await Promise.all([nonces.use(nonce), nonces.use(nonce)])
    expect(both.sort()).toEqual([false, true])
    expect(await nonces.use(nonce)).toBe(false)
  })

  it('rejects foreign and altered nonces', async () => {
    const nonces = createNonces()
    const nonce = await nonces.create()
    const first = nonce.startsWith('6') ? '7' : '6'
    const others = ['', 'abcdefgh', first + nonce.slice(1), `${nonce}0`, nonce.toUpperCase(), `${nonce}\n`]
    for (const other of [...others, await createNonces().create()]) {
      if (other === nonce) continue
      expect(await nonces.check(other)).toBe(false)
      expect(await nonces.use(other)).toBe(false)
    }
    expect(await nonces.use(nonce)).toBe(true)
  })

  it('rejects an expired nonce', async () => {
    const { now, pass } = clock()
    const nonces = createNonces({ now })
    const [early, late] = [await nonces.create(), await nonces.create()]
    pass(tenMinutes - 1)
    expect(await nonces.use(early)).toBe(true)
    pass(1)
    expect([await nonces.check(late), await nonces.use(late)]).toEqual([false, false])
  })

  it('works across processes that share the secret and the list of used nonces', async () => {
    const secret = 'Four score and seven years ago our fathers'
    const spent = memorySpentNonces()
    const [one, two] = [createNonces({ secret, spent }), createNonces({ secret, spent })]
    const nonce = await one.create()
    expect(await two.use(nonce)).toBe(true)
    expect(await one.use(nonce)).toBe(false)
  })

  it('rejects a guessable secret', () => {
    expect(() => createNonces({ secret: new Uint8Array(31) })).toThrow('32 bytes')
    expect(() => createNonces({ secret: '' })).toThrow('32 bytes')
  })

  it('delegates to a store if given', async () => {
    const stored = new Map<string, number>()
    const store: NonceStore = {
      add: async (nonce, expiresAt) => void stored.set(nonce, expiresAt),
      take: async (nonce) => stored.delete(nonce),
    }
    const nonces = createNonces({ store, now: () => noon })
    const nonce = await nonces.create()
    expect(stored.get(nonce)).toBe(noon + tenMinutes)
    expect([await nonces.use(nonce), await nonces.use(nonce)]).toEqual([true, false])
  })
})

describe('memorySpentNonces', () => {
  it('forgets expired entries, and rejects when full rather than forget live ones', async () => {
    const { now, pass } = clock()
    const spent = memorySpentNonces({ limit: 2, now })
    expect(await spent.spend('a', noon + 1000)).toBe(true)
    expect(await spent.spend('b', noon + 1000)).toBe(true)
    expect(await spent.spend('c', noon + 1000)).toBe(false)
    pass(1000)
    expect(await spent.spend('c', noon + 2000)).toBe(true)
  })
})
