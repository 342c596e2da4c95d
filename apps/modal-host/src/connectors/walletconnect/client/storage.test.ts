import { describe, expect, it } from 'vitest'
import { createHostStorage } from '../../../services/storage'
import { hostStorage, memoryStorage } from '../testing/set-up'
import { readStored, walletConnectStorage } from './storage'

describe('walletConnectStorage', () => {
  it('1. stores values as JSON, including bigints, under wc/', async () => {
    const frame = memoryStorage()
    const host = hostStorage(frame)
    const entry = { id: 1, topic: 't1', request: { method: 'm' }, at: 12345678901234567890n }
    await walletConnectStorage(host).setItem('wc@2:core:0.3//history', [entry])
    expect(frame.key(0)).toBe('@postern/demo/https://dapp.example/wc/wc%402%3Acore%3A0.3%2F%2Fhistory')
    expect(await walletConnectStorage(host).getItem('wc@2:core:0.3//history')).toEqual([entry])
    expect(readStored(host, 'wc@2:core:0.3//history')).toHaveLength(1)
  })

  it('1. uses keys that the page’s storage accepts, even with the longest project id', async () => {
    const names: string[] = []
    const storage = createHostStorage({
      frameStorage: () => {
        throw new Error('denied')
      },
      projectId: 'p'.repeat(64),
      origin: 'https://dapp.example',
      stored: {},
      keepInPage: async (name) => void names.push(name),
    })
    await walletConnectStorage(storage).setItem('wc@2:core:0.3//messages_withoutClientAck', {})
    expect(names[0]?.length).toBeLessThanOrEqual(128)
  })

  describe('2. an entry that the library could not read is dropped alone', () => {
    const session = {
      topic: 't1',
      expiry: 1,
      namespaces: {},
      self: { metadata: {} },
      peer: { publicKey: 'k', metadata: { name: 'Wallet' } },
    }
    const history = { id: 1, topic: 't1', request: { method: 'wc_sessionRequest' } }
    it.each<[string, object, readonly unknown[]]>([
      ['wc@2:client:0.3//session', session, [null, { ...session, namespaces: null }, { ...session, peer: null }, {}]],
      ['wc@2:core:0.3//history', history, [null, { ...history, request: null }, 7]],
      ['wc@2:core:0.3//expirer', { target: 'topic:t1', expiry: 1 }, [null, { target: 7, expiry: 1 }]],
      ['wc@2:core:0.3//subscription', { id: 's1', topic: 't1', relay: {} }, [null, { id: 's1' }]],
      ['wc@2:core:0.3//pairing', { topic: 't1', expiry: 1 }, [null, 'x']],
      ['wc@2:client:0.3//proposal', { id: 1 }, [null, []]],
      ['wc@2:client:0.3//request', { id: 1, topic: 't1' }, [null, { id: 1 }]],
    ])('%s', async (key, good, bad) => {
      const host = hostStorage()
      const name = `wc/${encodeURIComponent(key)}`
      host.set(name, JSON.stringify([...bad, good]))
      const storage = walletConnectStorage(host)
      expect(await storage.getItem(key)).toEqual([good])
      expect(readStored(host, key)).toEqual([good])
      await storage.setItem(key, [good])
      expect(JSON.parse(host.get(name) ?? '')).toEqual([good])
      host.set(name, JSON.stringify({ 0: good }))
      expect(await storage.getItem(key)).toBeUndefined()
    })
  })

  it('2. treats malformed values as absent, and undefined as removal', async () => {
    const host = hostStorage()
    const storage = walletConnectStorage(host)
    host.set('wc/broken', '{"half":')
    expect(await storage.getItem('broken')).toBeUndefined()
    await storage.setItem('a', 1)
    await storage.setItem('a', undefined)
    expect(await storage.getItem('a')).toBeUndefined()
    await storage.setItem('b', 'text')
    expect(await storage.getKeys()).toEqual(['b'])
    expect(await storage.getEntries()).toEqual([['b', 'text']])
    await storage.removeItem('b')
    expect(await storage.getItem('b')).toBeUndefined()
  })

  it('2. does not throw if storage is full, and keeps the value for this visit', async () => {
    const frame = memoryStorage()
    const host = hostStorage(frame)
    frame.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
    const storage = walletConnectStorage(host)
    await storage.setItem('a', { b: 1 })
    expect(await storage.getItem('a')).toEqual({ b: 1 })
  })

  it.each([
    ['sessions', [{ topic: 'a' }], [{ topic: 'b' }], [{ topic: 'a' }, { topic: 'b' }]],
    ['keys', { a: '1' }, { b: '2' }, { a: '1', b: '2' }],
    ['expirations', [{ target: 'id:1' }], [{ target: 'id:2' }], [{ target: 'id:1' }, { target: 'id:2' }]],
    ['proposals', [{ id: 1 }], [{ id: 2 }], [{ id: 1 }, { id: 2 }]],
  ])('3. keeps the %s that another tab wrote, and drops its own', async (key, mine, theirs, both) => {
    const frame = memoryStorage()
    const here = walletConnectStorage(hostStorage(frame))
    const there = walletConnectStorage(hostStorage(frame))
    await here.getItem(key)
    await there.getItem(key)
    await there.setItem(key, theirs)
    await here.setItem(key, mine)
    expect(await there.getItem(key)).toEqual(both)
    await here.setItem(key, Array.isArray(mine) ? [] : {})
    expect(await walletConnectStorage(hostStorage(frame)).getItem(key)).toEqual(theirs)
  })
})
