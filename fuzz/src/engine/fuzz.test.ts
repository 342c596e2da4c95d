import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fuzz, type Step, type Target, Violation } from './fuzz'
import { damage } from './mutate'
import { createRandom } from './random'

const limits = { seed: 5, messages: 40_000, seconds: 50 }
const steps = fc.record({ move: fc.constantFrom('a', 'b', 'c', 'd'), data: fc.nat(3) })
const target = (play: Target['play']): Target => ({ name: 'toy', covers: ['/engine/fuzz.test.ts'], steps, play })

/** Eight right steps in a row: one in 4^16 by chance. */
async function playDeep(given: readonly Step[]): Promise<void> {
  let depth = 0
  for (const { move, data } of given) {
    const isNext = move === 'abcdabcd'[depth] && data === [3, 1, 0, 2, 2, 0, 1, 3][depth]
    depth = isNext ? depth + 1 : 0
    switch (depth) {
      case 2:
        return await deeper(given, 2)
    }
  }
}

/** A function for each depth, so that each is new code. */
async function deeper(given: readonly Step[], depth: number): Promise<void> {
  if (given.some(({ move, data }) => move === 'c' && data === 0)) await deepest(given, depth + 1)
}

async function deepest(given: readonly Step[], depth: number): Promise<void> {
  if (given.length > 20 && depth === 3) throw new Violation('reached the end')
}

describe('fuzz', () => {
  it('2. finds what only sessions made of earlier ones reach', async () => {
    await expect(fuzz(target(playDeep), limits)).rejects.toThrow('toy: reached the end')
  })

  it('3. finds an error that escapes and a rejection without a handler', async () => {
    const stray = new Error('escaped')
    const later = target(async () => void setImmediate(() => Promise.reject(stray)))
    await expect(fuzz(later, limits)).rejects.toThrow('escaped')
  })

  it('4. leaves only the steps that the violation needs', async () => {
    const play = async (given: readonly Step[]) => {
      if (given.some(({ data }) => data === 3)) throw new Violation('three')
    }
    const failed = fuzz(target(play), limits).catch((error: unknown) => String(error))
    expect((await failed).toString().match(/^ {2}[a-d] .*$/gm)).toHaveLength(1)
  })

  it('1. makes the same sessions of the same seed', async () => {
    const played = async () => {
      const all: unknown[] = []
      const play = async (given: readonly Step[]) => void all.push(fc.stringify(given))
      await fuzz(target(play), { ...limits, messages: 2_000 })
      return all
    }
    expect(await played()).toEqual(await played())
  })
})

describe('damage', () => {
  it('changes one value of most messages, and never the message itself', () => {
    const random = createRandom(1)
    const message = { id: 'x', params: [1, { a: 'text' }] }
    const damaged = Array.from({ length: 200 }, () => fc.stringify(damage(message, random, [message])))
    expect(new Set(damaged).size).toBeGreaterThan(60)
    expect(message).toEqual({ id: 'x', params: [1, { a: 'text' }] })
  })
})
