import { describe, expect, it } from 'vitest'
import { hostStorage, memoryStorage } from '../testing/set-up'
import { createSessionRecords } from './records'

describe('createSessionRecords', () => {
  it('drops a malformed record alone', () => {
    const storage = hostStorage()
    const records = createSessionRecords(storage)
    records.change('a', (record) => ({ ...record, left: ['eip155'] }))
    storage.set(
      'wc-sessions',
      JSON.stringify({ ...JSON.parse(storage.get('wc-sessions') ?? ''), b: { left: 7 }, c: null }),
    )
    expect(records.get('a').left).toEqual(['eip155'])
    expect(records.get('b').left).toEqual([])
  })

  it('reads storage each time, and removes a record completely', () => {
    const frame = memoryStorage()
    const here = createSessionRecords(hostStorage(frame))
    const there = createSessionRecords(hostStorage(frame))
    here.change('a', (record) => ({ ...record, left: ['eip155'] }))
    there.change('b', (record) => ({ ...record, networks: { eip155: 'eip155:1' } }))
    expect(there.get('a').left).toEqual(['eip155'])
    expect(here.get('b').networks).toEqual({ eip155: 'eip155:1' })
    here.forget('a')
    there.forget('b')
    expect(frame.length).toBe(0)
  })

  it('treats malformed data as empty', () => {
    const host = hostStorage()
    for (const text of ['{', '[]', '{"a":1}', '{"a":{"left":["mars"],"networks":{},"accounts":{}}}']) {
      host.set('wc-sessions', text)
      expect(createSessionRecords(host).get('a').left).toEqual([])
    }
  })
})
