import { manualClock } from '@postern/base/testing/manual-clock'
import { IDBOpenDBRequest as FakeOpenRequest } from 'fake-indexeddb'
import { describe, expect, it } from 'vitest'
import { randomSecret } from '../random'
import { FakeIndexedDb } from '../testing/fake-indexed-db'
import { createLadder, grantedProofTimeMs, type StorageAccess, storageRetryDelaysMs } from './ladder'

/** Never settles, like Chromium's handle to denied storage. */
class SilentIndexedDb extends FakeIndexedDb {
  override open() {
    return new FakeOpenRequest()
  }
}

describe('the frame’s own storage', () => {
  function failing(times: number) {
    const clock = manualClock()
    const factory = new FakeIndexedDb()
    let asked = 0
    const ladder = createLadder({
      projectId: 'demo',
      crypto,
      clock,
      randomSecret,
      storageAccess: { isGranted: async () => false, request: async () => null },
      indexedDB() {
        asked += 1
        if (asked <= times) throw new DOMException('Connection to Indexed Database server lost', 'UnknownError')
        return factory
      },
    })
    return { ladder, clock, asked: () => asked }
  }

  it.each([0, 1, 3])('4. is used after %i failures', async (times) => {
    const { ladder, clock, asked } = failing(times)
    const current = ladder.current()
    for (const delayMs of storageRetryDelaysMs.slice(0, times)) {
      await expect.poll(() => clock.pending()).toBe(1)
      clock.advance(delayMs)
    }
    expect((await current).storage).toBe('frame')
    expect(asked()).toBe(times + 1)
  })

  it('4. is given up after a fourth failure, and at once if it is denied', async () => {
    const { ladder, clock } = failing(4)
    const current = ladder.current()
    for (const delayMs of storageRetryDelaysMs) {
      await expect.poll(() => clock.pending()).toBe(1)
      clock.advance(delayMs)
    }
    expect((await current).storage).toBe('memory')
    const denied = ladderWith({ isGranted: async () => false, request: async () => null })
    expect((await denied.ladder.current()).storage).toBe('memory')
    expect(denied.clock.pending()).toBe(0)
  })
})

function ladderWith(storageAccess: StorageAccess) {
  const clock = manualClock()
  const ladder = createLadder({
    projectId: 'demo',
    crypto,
    clock,
    randomSecret,
    storageAccess,
    indexedDB() {
      throw new DOMException('denied', 'SecurityError')
    },
  })
  return { clock, ladder }
}

describe('granted storage', () => {
  it('1. is used at once if it was granted before', async () => {
    const { ladder, clock } = ladderWith({ isGranted: async () => true, request: async () => new FakeIndexedDb() })
    expect((await ladder.current()).storage).toBe('granted')
    expect(clock.pending()).toBe(0)
  })

  it('2. is used after the visitor grants it', async () => {
    const { ladder } = ladderWith({ isGranted: async () => false, request: async () => new FakeIndexedDb() })
    expect((await ladder.current()).storage).toBe('memory')
    expect(await ladder.raiseToGranted()).toBe('granted')
    expect((await ladder.current()).storage).toBe('granted')
  })

  it('5. is not used if it never responds, on a click or on the next visit', async () => {
    for (const before of [false, true]) {
      const { ladder, clock } = ladderWith({
        isGranted: async () => before,
        request: async () => new SilentIndexedDb(),
      })
      const reached = before ? ladder.current().then(({ storage }) => storage) : ladder.raiseToGranted()
      await expect.poll(() => clock.pending()).toBe(1)
      clock.advance(grantedProofTimeMs)
      expect(await reached).toBe('memory')
      expect((await ladder.current()).storage).toBe('memory')
      expect(clock.pending()).toBe(0)
    }
  })
})
