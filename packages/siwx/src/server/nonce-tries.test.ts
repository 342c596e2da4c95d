import { describe, expect, it } from 'vitest'
import { clock, noon } from '../testing/sign-in'
import { memoryNonceTries } from './nonce-tries'
import { createNonces, type NonceStore } from './nonces'

const sha256 = async (text: string) =>
  Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).toString('hex')

describe('memoryNonceTries', () => {
  it('counts each nonce separately until it expires', async () => {
    const { now, pass } = clock()
    const tries = memoryNonceTries({ now })
    expect([await tries.add('a', 1, noon + 1000), await tries.add('b', 5, noon + 1000)]).toEqual([1, 5])
    expect(await tries.add('a', 4, noon + 1000)).toBe(5)
    pass(1000)
    expect(await tries.add('a', 1, noon + 2000)).toBe(1)
  })

  it('forgets the oldest when full, so that a flood blocks no sign-in', async () => {
    const tries = memoryNonceTries({ limit: 2, now: () => noon })
    for (const nonce of ['a', 'b']) await tries.add(nonce, 15, noon + 1000)
    expect(await tries.add('b', 1, noon + 1000)).toBe(16)
    expect(await tries.add('c', 1, noon + 1000)).toBe(1)
    expect(await tries.add('b', 1, noon + 1000)).toBe(17)
    expect(await tries.add('a', 1, noon + 1000)).toBe(1)
  })
})

describe('chain requests per nonce', () => {
  const store: NonceStore = { add: async () => {}, take: async () => true, has: async () => true }
  it.each([
    ['signed', () => createNonces()],
    ['stored', () => createNonces({ store })],
  ])('stop after three rejections or fifteen failures, for nonces that are %s', async (_, make) => {
    const nonces = make()
    const [wrong, away] = [await nonces.create(), await nonces.create()]
    for (let time = 0; time < 3; time++) {
      expect(await nonces.mayQueryChain(wrong)).toBe(true)
      await nonces.countRejection(wrong)
    }
    expect(await nonces.mayQueryChain(wrong)).toBe(false)
    for (let time = 0; time < 15; time++) expect(await nonces.mayQueryChain(away)).toBe(true)
    expect(await nonces.mayQueryChain(away)).toBe(false)
  })

  it('are never made for a foreign nonce, which is not counted', async () => {
    const added: string[] = []
    const tries = { add: async (key: string) => added.push(key) }
    const stored = new Set<string>()
    const keeping: NonceStore = {
      add: async (nonce) => void stored.add(nonce),
      take: async (nonce) => stored.delete(nonce),
      has: async (nonce) => stored.has(nonce),
    }
    for (const nonces of [createNonces({ tries }), createNonces({ tries, store: keeping })]) {
      for (let made = 0; made < 20; made++) {
        const other = await createNonces().create()
        expect([await nonces.check(other), await nonces.mayQueryChain(other)]).toEqual([false, false])
        await nonces.countRejection(other)
      }
      expect(added.splice(0)).toEqual([])
      const own = await nonces.create()
      expect([await nonces.check(own), await nonces.mayQueryChain(own)]).toEqual([true, true])
      expect(added.splice(0)).toEqual([await sha256(own)])
    }
  })

  it('are never made for a nonce over 128 characters, and counter keys have a fixed length', async () => {
    const added: string[] = []
    const tries = { add: async (key: string) => added.push(key) }
    const { has: _, ...old } = store
    for (const nonces of [createNonces({ tries, store }), createNonces({ tries, store: old })]) {
      const long = 'a'.repeat(129)
      expect([await nonces.check(long), await nonces.mayQueryChain(long), await nonces.use(long)]).toEqual([
        false,
        false,
        false,
      ])
      expect(added.splice(0)).toEqual([])
      for (const nonce of ['abcdefgh', 'a'.repeat(128)]) expect(await nonces.mayQueryChain(nonce)).toBe(true)
      expect(added.splice(0).map(({ length }) => length)).toEqual([64, 64])
    }
  })

  it('are counted together by processes that share a counter', async () => {
    const secret = 'Four score and seven years ago our fathers'
    const tries = memoryNonceTries()
    const [one, two] = [createNonces({ secret, tries }), createNonces({ secret, tries })]
    const nonce = await one.create()
    for (const process of [one, two, one]) {
      expect(await process.mayQueryChain(nonce)).toBe(true)
      await process.countRejection(nonce)
    }
    expect(await two.mayQueryChain(nonce)).toBe(false)
  })
})
