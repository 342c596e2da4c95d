import { IDBVersionChangeEvent } from 'fake-indexeddb'
import { describe, expect, it } from 'vitest'
import { FakeIndexedDb } from '../testing/fake-indexed-db'
import { indexedDbRows } from './rows'

describe('indexedDbRows', () => {
  it('1. rejects if the browser denies opening', async () => {
    class Denied extends FakeIndexedDb {
      override open(): never {
        throw new DOMException('denied', 'SecurityError')
      }
    }
    const rows = indexedDbRows(new Denied(), 'test')
    await expect(rows.get('key')).rejects.toThrow('denied')
    await expect(rows.update('key', () => 1)).rejects.toThrow('denied')
  })

  it('1. rejects instead of waiting for a tab that blocks the upgrade', async () => {
    class Blocked extends FakeIndexedDb {
      override open(name: string, version?: number) {
        const request = super.open(name, version)
        queueMicrotask(() => request.dispatchEvent(new IDBVersionChangeEvent('blocked')))
        return request
      }
    }
    await expect(indexedDbRows(new Blocked(), 'test').get('key')).rejects.toThrow('blocked')
  })

  it('1. rejects and stores nothing if the value cannot be stored', async () => {
    const rows = indexedDbRows(new FakeIndexedDb(), 'test')
    await rows.update('key', () => 1)
    await expect(rows.update('key', () => () => {})).rejects.toThrow()
    await expect(
      rows.update('key', () => {
        throw new Error('changed my mind')
      }),
    ).rejects.toThrow()
    expect(await rows.get('key')).toBe(1)
  })

  it('2. opens again after another tab asked it to close', async () => {
    const factory = new FakeIndexedDb()
    const rows = indexedDbRows(factory, 'test')
    await rows.update('key', () => 1)
    await new Promise((resolve, reject) => {
      const request = factory.deleteDatabase('test')
      request.onsuccess = resolve
      request.onerror = reject
    })
    expect(await rows.get('key')).toBeUndefined()
    expect(await rows.update('key', () => 2)).toBe(2)
  })
})
