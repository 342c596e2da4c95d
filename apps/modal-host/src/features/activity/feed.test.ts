import { manualClock } from '@postern/base/testing/manual-clock'
import type { TransactionItem } from '@postern/protocol'
import { describe, expect, it, vi } from 'vitest'
import { createFeed } from './feed'
import type { HistoryCursor, HistoryPage } from './load-history'

function item(id: string, status: TransactionItem['metadata']['status'] = 'confirmed'): TransactionItem {
  const metadata = { operationType: 'send', status, sentFrom: '', sentTo: '', minedAt: '2026-01-15T12:00:00.000Z' }
  return { id, metadata, transfers: null }
}
const at = (place: string): HistoryCursor => new Map([['0x01', place]])
const settled = () => new Promise((resolve) => setImmediate(resolve))

function setUp(pages: { newest: HistoryPage; [cursor: string]: HistoryPage }) {
  const clock = manualClock()
  const known = { ...pages }
  const load = vi.fn(async (cursor: HistoryCursor | null): Promise<HistoryPage> => {
    const page = known[cursor?.get('0x01') ?? 'newest']
    if (page === undefined) throw new Error('HTTP status code: 503')
    return page
  })
  const onFailure = vi.fn()
  let awaited = false
  const feed = createFeed({ load, clock, isAwaited: () => awaited, onFailure })
  const ids = () => feed.state().items.map(({ id }) => id)
  return { clock, known, load, onFailure, feed, ids, await: (is: boolean) => (awaited = is) }
}

describe('createFeed', () => {
  it('1. loads nothing before it is watched, and nothing again within 30 s', async () => {
    const { feed, load, clock, ids } = setUp({ newest: { items: [item('a')], next: null } })
    await settled()
    expect(load).not.toHaveBeenCalled()
    const stop = feed.watch(0)
    await settled()
    expect(ids()).toEqual(['a'])
    expect(feed.state()).toMatchObject({ newest: 'ready', older: 'none' })
    stop()
    clock.advance(29_999)
    feed.watch(0)()
    expect(load).toHaveBeenCalledTimes(1)
    clock.advance(1)
    feed.watch(0)
    expect(load).toHaveBeenCalledTimes(2)
  })

  it('1. reloads at once after money moved', async () => {
    const { feed, load } = setUp({ newest: { items: [item('a')], next: null } })
    feed.watch(0)()
    await settled()
    feed.watch(1)
    expect(load).toHaveBeenCalledTimes(2)
  })

  it('1. polls every 30 s only while something is pending or awaited (spec §9)', async () => {
    const watched = setUp({ newest: { items: [item('a', 'pending')], next: null } })
    watched.feed.watch(0)
    await settled()
    watched.clock.advance(30_000)
    await settled()
    expect(watched.load).toHaveBeenCalledTimes(2)
    watched.known.newest = { items: [item('a')], next: null }
    watched.clock.advance(30_000)
    await settled()
    watched.clock.advance(120_000)
    expect(watched.load).toHaveBeenCalledTimes(3)
    watched.await(true)
    watched.clock.advance(30_000)
    expect(watched.load).toHaveBeenCalledTimes(4)
  })

  it('1. stops after 99 polls, or without watchers (spec §9)', async () => {
    const { feed, load, clock } = setUp({ newest: { items: [item('a', 'pending')], next: null } })
    const stop = feed.watch(0)
    for (let look = 0; look < 120; look += 1) {
      await settled()
      clock.advance(30_000)
    }
    expect(load).toHaveBeenCalledTimes(1 + 99)
    stop()
    expect(clock.pending()).toBe(0)
  })

  it('2. has each item once, in its newest version', async () => {
    const { feed, known, ids } = setUp({ newest: { items: [item('b', 'pending'), item('a')], next: null } })
    feed.watch(0)
    await settled()
    known.newest = { items: [item('c'), item('b')], next: null }
    feed.refresh()
    await settled()
    expect(ids()).toEqual(['c', 'b', 'a'])
    expect(feed.state().items[1]?.metadata.status).toBe('confirmed')
  })

  it('3. loads older pages one at a time, to the end', async () => {
    const { feed, load, ids } = setUp({
      newest: { items: [item('d')], next: at('1') },
      1: { items: [item('d'), item('c')], next: at('2') },
      2: { items: [item('b')], next: null },
    })
    feed.watch(0)
    await settled()
    feed.more()
    feed.more()
    await settled()
    expect(load).toHaveBeenCalledTimes(2)
    feed.more()
    await settled()
    expect(ids()).toEqual(['d', 'c', 'b'])
    expect(feed.state().older).toBe('none')
    feed.more()
    expect(load).toHaveBeenCalledTimes(3)
  })

  it('3. reports a failed older page, and retries on the next request', async () => {
    const { feed, known, ids, onFailure } = setUp({ newest: { items: [item('b')], next: at('1') } })
    feed.watch(0)
    await settled()
    feed.more()
    await settled()
    expect(feed.state().older).toBe('failed')
    expect(onFailure).toHaveBeenCalledTimes(1)
    known[1] = { items: [item('a')], next: null }
    feed.more()
    await settled()
    expect(ids()).toEqual(['b', 'a'])
  })

  it('4. restarts the list if there is a gap', async () => {
    const { feed, known, ids } = setUp({
      newest: { items: [item('b')], next: at('1') },
      1: { items: [item('a')], next: null },
    })
    feed.watch(0)
    await settled()
    feed.more()
    await settled()
    known.newest = { items: [item('z')], next: at('9') }
    known[9] = { items: [item('y')], next: null }
    feed.refresh()
    await settled()
    expect(ids()).toEqual(['z'])
    feed.more()
    await settled()
    expect(ids()).toEqual(['z', 'y'])
  })

  it('5. keeps the list after a failure, and reports it once', async () => {
    const { feed, load, ids, onFailure } = setUp({ newest: { items: [item('a')], next: null } })
    feed.watch(0)
    await settled()
    load.mockRejectedValueOnce(new Error('HTTP status code: 503'))
    feed.refresh()
    await settled()
    expect(ids()).toEqual(['a'])
    expect(feed.state().newest).toBe('failed')
    expect(onFailure).toHaveBeenCalledTimes(1)
  })
})
