import { expect, test } from 'vitest'
import { createPlaces, siteOf } from './places'

const options = { atOnce: 4, perSite: 2, waiting: 3, waitingPerSite: 2 }
const never = new AbortController().signal
/** The result if settled, otherwise 'waits'. */
async function settled(entering: Promise<unknown>): Promise<unknown> {
  await new Promise((resolve) => setImmediate(resolve))
  return Promise.race([entering, 'waits'])
}

test('1 one busy site leaves slots for others', async () => {
  const { enter } = createPlaces(options)
  for (const site of ['slow', 'slow']) expect(await settled(enter(site, never))).toBeInstanceOf(Function)
  expect(await settled(enter('slow', never))).toBe('waits')
  expect(await settled(enter('honest', never))).toBeInstanceOf(Function)
})

test('2 a freed slot goes to the first waiter that can use it', async () => {
  const { enter } = createPlaces(options)
  const leaves = await Promise.all(['slow', 'slow', 'other', 'other'].map((site) => enter(site, never)))
  const slow = enter('slow', never)
  const honest = enter('honest', never)
  expect(await settled(honest)).toBe('waits')
  leaves[2]?.()
  expect(await settled(honest)).toBeInstanceOf(Function)
  expect(await settled(slow)).toBe('waits')
  leaves[0]?.()
  expect(await settled(slow)).toBeInstanceOf(Function)
})

test('2 rejects too many waiters, per site and in total', async () => {
  const { enter } = createPlaces({ ...options, atOnce: 2 })
  await Promise.all(['slow', 'slow'].map((site) => enter(site, never)))
  const waiting = [enter('slow', never), enter('slow', never)]
  expect(await enter('slow', never)).toBeNull()
  waiting.push(enter('honest', never))
  expect(await enter('honest', never)).toBeNull()
  for (const one of waiting) expect(await settled(one)).toBe('waits')
})

test('2 an aborted waiter leaves the queue', async () => {
  const { enter } = createPlaces({ ...options, waiting: 1 })
  const leaves = await Promise.all(['slow', 'slow'].map((site) => enter(site, never)))
  const off = new AbortController()
  const gone = enter('slow', off.signal)
  off.abort(new Error('over'))
  await expect(gone).rejects.toThrow('over')
  await expect(enter('slow', off.signal)).rejects.toThrow('over')
  const waiting = enter('slow', never)
  expect(await settled(waiting)).toBe('waits')
  leaves[0]?.()
  expect(await settled(waiting)).toBeInstanceOf(Function)
})

test('3 the operator’s server has slots of its own', async () => {
  const { enter } = createPlaces({ ...options, waiting: 2 })
  await Promise.all(['a', 'a', 'b', 'b'].map((site) => enter(site, never)))
  const waiting = [enter('a', never), enter('b', never)]
  for (let count = 0; count < options.atOnce; count += 1)
    expect(await settled(enter(null, never))).toBeInstanceOf(Function)
  expect(await settled(enter(null, never))).toBe('waits')
  for (const one of waiting) expect(await settled(one)).toBe('waits')
})

test.each([
  ['a.b.example.org', 'example.org'],
  ['example.org.', 'example.org'],
  ['1.evil.co.uk', 'evil.co.uk'],
  ['1.evil.com.au', 'evil.com.au'],
  ['a.1.evil.kawasaki.jp', '1.evil.kawasaki.jp'],
  ['www.x.com', 'x.com'],
  ['1.github.io', 'github.io'],
  ['localhost', 'localhost'],
  ['93.184.216.34', '93.184.216'],
  ['[2606:2800:220:1::5]', '2606:2800:220'],
  ['[2606::5]', '2606:0:0'],
  ['[2606:2800:220:1:2:3:4:5]', '2606:2800:220'],
])('the site of %s is %s', (host, site) => {
  expect(siteOf(host)).toBe(site)
})
