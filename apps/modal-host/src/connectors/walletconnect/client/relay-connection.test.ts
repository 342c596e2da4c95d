import { manualClock } from '@postern/base/testing/manual-clock'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type RunningRelay, startRelay } from '../testing/relay'
import { hostOptions } from '../testing/set-up'
import { closeClient, openClient } from './client'
import { connectNoMore, connectOnceAtATime, reconnect } from './relay-connection'
import { createRelayWatch } from './relay-status'
import { walletConnectStorage } from './storage'

function offlineRelayer() {
  const attempts: (() => void)[] = []
  const relayer = { connect: () => new Promise<void>((resolve) => attempts.push(resolve)) }
  return { relayer, attempts }
}

describe('connectOnceAtATime', () => {
  it('shares a pending attempt, and starts another after it', async () => {
    const { relayer, attempts } = offlineRelayer()
    connectOnceAtATime(relayer)
    const both = [relayer.connect(), relayer.connect()]
    expect(attempts).toHaveLength(1)
    attempts[0]?.()
    await Promise.all(both)
    void relayer.connect()
    expect(attempts).toHaveLength(2)
  })
})

describe('connectNoMore', () => {
  it('rejects every later attempt', async () => {
    const { relayer, attempts } = offlineRelayer()
    connectNoMore(relayer)
    await expect(relayer.connect()).rejects.toThrow()
    expect(attempts).toHaveLength(0)
  })
})

describe('the library', () => {
  let relay: RunningRelay
  beforeEach(async () => {
    relay = await startRelay({ port: 0 })
  })
  afterEach(() => relay.stop())

  function open() {
    const { options } = hostOptions(relay.url)
    return openClient({ ...options, storage: walletConnectStorage(options.storage) })
  }

  it('opens one socket for several requests', async () => {
    const client = await open()
    await Promise.all(['a', 'b', 'c'].map((name) => client.core.relayer.subscribe(name.repeat(64))))
    expect(relay.counts().connections).toBe(1)
    await closeClient(client)
  })

  it('opens no socket for a request after its end', async () => {
    const client = await open()
    await closeClient(client)
    await expect(client.core.relayer.subscribe('a'.repeat(64))).rejects.toThrow()
    expect(relay.counts().connections).toBe(0)
  })

  it('hears at once what waits at the relay when the user is back on a cut connection', async () => {
    const cut = await open()
    const other = await open()
    const topic = 'a'.repeat(64)
    const watch = createRelayWatch(manualClock(0))
    watch.need()
    const unfollow = watch.follow(cut)
    await cut.core.relayer.subscribe(topic)
    await other.core.relayer.subscribe('b'.repeat(64))
    const statuses: string[] = []
    watch.subscribe(() => statuses.push(watch.status()))
    const heard = new Promise((resolve) => cut.core.relayer.once('relayer_message', resolve))

    cutSocket(cut.core.relayer)
    await other.core.relayer.publish(topic, 'An answer', { tag: 1109, ttl: 300 })
    reconnect(cut.core, watch)
    expect(await heard).toMatchObject({ topic, message: 'An answer' })
    expect(statuses).toEqual(['connecting', 'connected'])

    unfollow()
    await Promise.all([closeClient(cut), closeClient(other)])
  })

  it('does not connect for a client that needs no relay, or that was closed', async () => {
    const client = await open()
    const watch = createRelayWatch(manualClock(0))
    reconnect(client.core, watch)
    expect(relay.counts().connections).toBe(0)
    await client.core.relayer.subscribe('a'.repeat(64))
    await closeClient(client)
    const { connections } = relay.counts()
    reconnect(client.core, watch)
    expect(relay.counts().connections).toBe(connections)
  })
})

/** As phones leave it: open on both sides, and nothing comes or goes, not even its end. */
function cutSocket(relayer: { readonly provider: object }): void {
  const connection: unknown = Reflect.get(relayer.provider, 'connection')
  const socket: unknown = connection instanceof Object ? Reflect.get(connection, 'socket') : null
  if (!(socket instanceof Object)) throw new Error('There is no socket')
  Object.assign(socket, { onmessage: null, onclose: null, onerror: null, send() {}, close() {} })
}
