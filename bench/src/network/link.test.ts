import { describe, expect, test } from 'vitest'
import { createEvents } from './events'
import { createLink } from './link'

/** A link whose time moves from event to event. */
function createWorld(roundTripMs: number, megabitsPerSecond: number) {
  let now = 0
  const events = createEvents(() => now)
  const link = createLink({ roundTripMs, megabitsPerSecond }, events)
  const arrivals: { readonly id: string; readonly bytes: number; readonly time: number }[] = []
  return {
    arrivals,
    connect: (id: string) =>
      link.connect(
        (bytes, time) => arrivals.push({ id, bytes: bytes.length, time }),
        (bytes, time) => arrivals.push({ id: `${id} up`, bytes: bytes.length, time }),
      ),
    run(until = Number.POSITIVE_INFINITY) {
      for (let next = events.next(); next !== undefined && next <= until; next = events.next()) {
        now = next
        events.runDue()
      }
      if (Number.isFinite(until)) now = until
    },
    lastArrival: (id: string) => Math.max(...arrivals.filter((arrival) => arrival.id === id).map(({ time }) => time)),
  }
}

const nothing = () => {}
/** ms that a full packet takes at 12 Mbit/s. */
const packetMs = 1

describe('createLink', () => {
  test('delivers the first byte of a new connection after its handshake and half a round trip', () => {
    const world = createWorld(100, 12)
    world.connect('a').up.send(Buffer.alloc(1448), nothing)
    world.run()
    expect(world.arrivals).toEqual([{ id: 'a up', bytes: 1448, time: 100 + packetMs + 50 }])
  })

  test('delivers to an open connection after half a round trip', () => {
    const world = createWorld(100, 12)
    const { down } = world.connect('a')
    world.run(1000)
    down.send(Buffer.alloc(1448), nothing)
    world.run()
    expect(world.lastArrival('a')).toBe(1000 + packetMs + 50)
  })

  test('sends 10 packets in the first round trip, 20 in the second, 40 in the third', () => {
    const world = createWorld(100, 1200)
    const { down } = world.connect('a')
    world.run(1000)
    down.send(Buffer.alloc(70 * 1448), nothing)
    world.run()
    const within = (from: number) => world.arrivals.filter(({ time }) => time > from && time < from + 100).length
    expect([1000, 1100, 1200, 1300].map(within)).toEqual([10, 20, 40, 0])
  })

  test('sends a large file at the rate of the link', () => {
    const world = createWorld(20, 12)
    const { down } = world.connect('a')
    world.run(1000)
    down.send(Buffer.alloc(10_000 * 1448), nothing)
    world.run()
    // Slow start loses some round trips.
    expect(world.lastArrival('a') - 1000).toBeGreaterThanOrEqual(10_000 * packetMs + 10)
    expect(world.lastArrival('a') - 1000).toBeLessThan(10_000 * packetMs + 60)
  })

  test('shares one queue between all connections', () => {
    const world = createWorld(20, 12)
    const flows = ['a', 'b', 'c', 'd'].map((id) => world.connect(id).down)
    world.run(1000)
    for (const flow of flows) flow.send(Buffer.alloc(1000 * 1448), nothing)
    world.run()
    const last = Math.max(...['a', 'b', 'c', 'd'].map(world.lastArrival))
    expect(last - 1000).toBeGreaterThanOrEqual(4000 * packetMs)
    expect(last - 1000).toBeLessThan(4000 * packetMs + 60)
  })

  test('has a queue of its own for each direction', () => {
    const world = createWorld(100, 12)
    const { down, up } = world.connect('a')
    world.run(1000)
    down.send(Buffer.alloc(10 * 1448), nothing)
    up.send(Buffer.alloc(1448), nothing)
    world.run()
    expect(world.lastArrival('a up')).toBe(1000 + packetMs + 50)
  })

  test('keeps what does not fit into the window in the buffer of the sender', () => {
    const world = createWorld(100, 12)
    const { down } = world.connect('a')
    world.run(1000)
    const sent: string[] = []
    down.send(Buffer.alloc(10 * 1448), () => sent.push('first'))
    down.send(Buffer.alloc(1448), () => sent.push('second'))
    expect(sent).toEqual(['first'])
    world.run()
    expect(sent).toEqual(['first', 'second'])
  })

  test('begins again with 10 packets after a pause', () => {
    const world = createWorld(100, 1200)
    const { down } = world.connect('a')
    world.run(1000)
    down.send(Buffer.alloc(70 * 1448), nothing)
    world.run(5000)
    world.arrivals.length = 0
    down.send(Buffer.alloc(70 * 1448), nothing)
    world.run(5100)
    expect(world.arrivals).toHaveLength(10)
  })

  test('delivers the bytes of a connection in their order', () => {
    let now = 0
    const events = createEvents(() => now)
    const received: Buffer[] = []
    const { down } = createLink({ roundTripMs: 30, megabitsPerSecond: 1.6 }, events).connect(
      (bytes) => received.push(bytes),
      nothing,
    )
    const bytes = Buffer.from(Array.from({ length: 20_000 }, (_, index) => index % 251))
    for (let at = 0; at < bytes.length; at += 777) down.send(bytes.subarray(at, at + 777), nothing)
    now = 60_000
    events.runDue()
    expect(Buffer.concat(received)).toEqual(bytes)
  })
})
