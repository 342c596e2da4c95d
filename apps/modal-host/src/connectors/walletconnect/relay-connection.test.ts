import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { closeClient, openClient } from './client'
import { connectNoMore, connectOnceAtATime } from './relay-connection'
import { walletConnectStorage } from './storage'
import { type RunningRelay, startRelay } from './testing/relay'
import { hostOptions } from './testing/set-up'

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
})
