import { manualClock } from '@postern/base/testing/manual-clock'
import { describe, expect, it } from 'vitest'
import { newStorage, storeIn, testLadder } from '../../testing/test-frame'
import { createFrameSpending } from './spending'

const by = { origin: 'https://app.example' }
const hour = 3_600_000

function spending({ storage = newStorage() as IDBFactory | null, user = 'alice' as string | null } = {}) {
  const clock = manualClock()
  const of = (userId: string | null) =>
    createFrameSpending({ ladder: testLadder(storage), clock, userId: async () => userId })
  return { ...of(user), of, clock, storage }
}

describe('what a user approved in the frame', () => {
  it('is counted up to the limit, and not beyond it', async () => {
    const { spend, spentCents } = spending()
    expect(await spend(by, 60, 100)).toBe(true)
    expect(await spend(by, 41, 100)).toBe(false)
    expect(await spentCents(by)).toBe(60)
    expect(await spend(by, 40, 100)).toBe(true)
    expect(await spend(by, 1, 100)).toBe(false)
  })

  it('1. is checked and counted in one step', async () => {
    const storage = newStorage()
    const tabs = [spending({ storage }), spending({ storage })]
    const spent = await Promise.all([...tabs, ...tabs].map(({ spend }) => spend(by, 30, 100)))
    expect(spent.filter(Boolean)).toHaveLength(3)
  })

  it('is counted by user and origin', async () => {
    const { spend, spentCents, of } = spending()
    expect(await spend(by, 100, 100)).toBe(true)
    expect(await spentCents({ origin: 'https://other.example' })).toBe(0)
    expect(await of('bob').spentCents(by)).toBe(0)
    expect(await of('alice').spentCents(by)).toBe(100)
  })

  it('2. counts for a whole day, whatever the time of day', async () => {
    const { spend, spentCents, clock } = spending()
    expect(await spend(by, 100, 100)).toBe(true)
    clock.advance(24 * hour - 1)
    expect(await spend(by, 1, 100)).toBe(false)
    clock.advance(hour + 1)
    expect(await spentCents(by)).toBe(0)
    expect(await spend(by, 100, 100)).toBe(true)
  })

  it('2. still counts after the clock was set back', async () => {
    const { spend, spentCents, storage } = spending()
    expect(await spend(by, 10, 100)).toBe(true)
    if (storage !== null)
      await storeIn(storage).notes('frame-spending/alice/https://app.example', () => ({ 9999999: 90 }))
    expect(await spentCents(by)).toBe(90)
    expect(await spend(by, 20, 100)).toBe(false)
  })

  it.each([
    ['in storage that a reload empties', { storage: null }],
    ['while signed out', { user: null }],
  ])('3. is not known %s', async (_, given) => {
    const { spend, spentCents } = spending(given)
    expect(await spentCents(by)).toBeNull()
    expect(await spend(by, 1, 100)).toBe(false)
  })

  it('3. is not known if the stored value cannot be read', async () => {
    const { spend, spentCents, storage } = spending()
    if (storage !== null) await storeIn(storage).notes('frame-spending/alice/https://app.example', () => ({ 1: -5 }))
    expect(await spentCents(by)).toBeNull()
    expect(await spend(by, 1, 100)).toBe(false)
  })
})
