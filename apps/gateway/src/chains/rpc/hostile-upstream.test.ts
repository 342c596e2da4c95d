/** Upstreams that answer as much as they may, for callers who ask for as much as they may. */
// real time: calls come at a rate.
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GatewayServer, startServer } from '../../platform/http/server'
import { createLargeBodies } from '../../platform/upstreams/large-bodies'
import { createUpstreams } from '../../platform/upstreams/rpc'
import { modalOrigin, startTestApp, type TestApp } from '../../testing/app'
import { callLimit } from '../../testing/call-limit'
import { noon } from '../../testing/clock'
import { type LargeAnswers, startLargeAnswers } from '../../testing/large-answers'
import { call, signInByEmail, succeed } from '../../testing/sign-in'
import { newWallet } from '../../testing/wallet'

let upstream: LargeAnswers
let app: TestApp
let server: GatewayServer
let port: number
beforeAll(async () => {
  upstream = await startLargeAnswers()
  app = await startTestApp({
    networks: [{ id: 'eip155:1', upstreams: [upstream.url] }],
    upstreams: createUpstreams({
      fetch,
      now: () => noon,
      timeout: 10_000,
      maxResponseBytes: 10_485_760,
      largeBodies: createLargeBodies(),
      onFailure() {},
    }),
    ...callLimit({ perSecond: 1e6, burst: 1e9 }, () => noon),
    clientAddress: (context) => context.req.header('X-Caller') ?? 'wallet',
  })
  port = await new Promise((resolve, reject) => {
    server = startServer(app.fetch, { host: '127.0.0.1', port: 0, onListening: resolve, onError: reject })
  })
})
afterAll(async () => {
  await upstream.close()
  await server.close()
  await app.close()
})

// real time: what is measured.
const now = () => performance.now()

/** A busy machine takes longer for all 200: the rest is then given up. */
const maxFloodMs = 8_000

const p99 = (times: readonly number[]) => [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0

/** A wallet that asks for its share, one call after the other, until `isOver`. In ms. */
async function signingTimes(token: string, isOver: (count: number) => boolean): Promise<number[]> {
  const times: number[] = []
  while (!isOver(times.length)) {
    const startedAt = now()
    expect((await call(app, 'deviceShare', {}, { token })).status).toBe(200)
    times.push(now() - startedAt)
    await pause(5)
  }
  return times
}

test.each([
  ['one call', (one: object) => one],
  ['a batch', (one: object) => [one, one]],
])('200 responses of 10 MB to %s: wallet calls stay fast, and memory small', async (title, bodyOf) => {
  const { sessionToken: token, user } = await signInByEmail(app, `${title.replace(' ', '-')}@example.com`)
  const wallet = newWallet()
  const shares = await wallet.split('create', user.id)
  await succeed(app, 'createWallet', { addresses: wallet.addresses, shares }, { token })
  const quietTimes = () => signingTimes(token, (count) => count === 100)
  const before = p99(await quietTimes())

  const memoryBefore = process.memoryUsage.rss()
  let memory = memoryBefore
  // real time: samples.
  const watch = setInterval(() => {
    memory = Math.max(memory, process.memoryUsage.rss())
  }, 20)
  const request = {
    port,
    host: new URL(modalOrigin).host,
    path: '/v1/?projectId=demo&chainId=eip155:1',
    count: 200,
    body: JSON.stringify(bodyOf({ jsonrpc: '2.0', id: 7, method: 'eth_getLogs', params: [{}] })),
  }
  const startedAt = now()
  let isOver = false
  const flooding = upstream.flood(request).then(() => {
    isOver = true
  })
  const times = await signingTimes(token, () => isOver || now() - startedAt > maxFloodMs)
  clearInterval(watch)
  upstream.stopFlood()
  await flooding
  expect(times.length).toBeGreaterThan(10)
  expect((memory - memoryBefore) / 1_048_576).toBeLessThan(256)
  // 200 ms on a machine of its own. Other work on it slows the calls without a flood too.
  const quiet = Math.max(before, p99(await quietTimes()))
  expect(p99(times)).toBeLessThan(200 + 10 * quiet)
})
