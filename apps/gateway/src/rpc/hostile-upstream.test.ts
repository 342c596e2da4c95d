/** An upstream that answers as much as it may, for a caller who asks for as much as it may. */
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app'
import { call, signInByEmail, succeed } from '../testing/sign-in'
import { newWallet } from '../testing/wallet'
import { bytesInFlight, createByteBudget } from '../upstreams/byte-budget'
import { createUpstreams } from './upstream'

const word = `"0x${'ab'.repeat(32)}"`
const large = Buffer.from(
  `{"jsonrpc":"2.0","id":1,"result":[${Array.from({ length: 142_000 }, () => word).join(',')}]}`,
)
const node = createServer((request, response) => {
  request.resume().on('end', () => response.end(large))
})

let app: TestApp
beforeAll(async () => {
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  const address = node.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  app = await startTestApp({
    networks: [{ id: 'eip155:1', upstreams: [`http://127.0.0.1:${address.port}/`] }],
    upstreams: createUpstreams({
      fetch,
      now: Date.now,
      timeout: 10_000,
      maxResponseBytes: 10_485_760,
      budget: createByteBudget(bytesInFlight),
      onFailure() {},
    }),
  })
})
afterAll(async () => {
  await app.close()
  node.closeAllConnections()
  await new Promise((resolve) => node.close(resolve))
})

test('200 responses of 10 MB do not fill the memory, and wallet calls go on', {
  timeout: 60_000,
}, async () => {
  const { sessionToken: token, user } = await signInByEmail(app, 'ada@example.com')
  const wallet = newWallet()
  const shares = await wallet.split('create', user.id)
  await succeed(app, 'createWallet', { addresses: wallet.addresses, shares }, { token })
  await succeed(app, 'deviceShare', {}, { token })

  const before = process.memoryUsage.rss()
  let highest = before
  let open = 200
  const statuses = new Map<number, number>()
  const flood = Array.from({ length: 200 }, async () => {
    const response = await app.request('/v1/?projectId=demo&chainId=eip155:1', {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [{}] }),
    })
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    await response.body?.cancel()
    open -= 1
  })
  const walletStatuses: number[] = []
  while (open > 0) {
    walletStatuses.push((await call(app, 'deviceShare', {}, { token })).status)
    highest = Math.max(highest, process.memoryUsage.rss())
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await Promise.all(flood)
  expect((highest - before) / 1_048_576).toBeLessThan(512)
  expect(new Set(walletStatuses)).toEqual(new Set([200]))
  // Responses cost by their bytes: the caller's rate ends first.
  expect(statuses.get(429)).toBeGreaterThan(0)
})
