import { manualClock } from '@postern/protocol/testing/manual-clock'
import { IDBOpenDBRequest as FakeOpenRequest } from 'fake-indexeddb'
import { describe, expect, it } from 'vitest'
import { randomSecret } from '../random'
import { FakeIndexedDb } from '../testing/fake-indexed-db'
import { createLadder, grantedProofTime, type StorageAccess } from './ladder'

/** Never settles, like Chromium's handle to denied storage. */
class SilentIndexedDb extends FakeIndexedDb {
  override open() {
    return new FakeOpenRequest()
  }
}

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

  it('4. is not used if it never responds, on a click or on the next visit', async () => {
    for (const before of [false, true]) {
      const { ladder, clock } = ladderWith({
        isGranted: async () => before,
        request: async () => new SilentIndexedDb(),
      })
      const reached = before ? ladder.current().then(({ storage }) => storage) : ladder.raiseToGranted()
      await expect.poll(() => clock.pending()).toBe(1)
      clock.advance(grantedProofTime)
      expect(await reached).toBe('memory')
      expect((await ladder.current()).storage).toBe('memory')
      expect(clock.pending()).toBe(0)
    }
  })
})
