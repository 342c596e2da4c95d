import { walletApi } from '@postern/protocol'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { rateLimits } from '../../platform/db/schema'
import { createUpstreams } from '../../platform/upstreams/rpc'
import { startTestApp, type TestApp } from '../../testing/app'
import { noon } from '../../testing/clock'
import { call, newToken, succeed } from '../../testing/sign-in'
import { type Providers, site, startProviders } from '../../testing/social'
import { createRelay } from './channel'
import { readFarcaster } from './config'

const origin = 'https://app.example.com'
let providers: Providers
let app: TestApp
let at = noon
/** Called between the relay's response and its processing. */
let onStatus = () => {}
beforeAll(async () => {
  providers = await startProviders()
  const config = readFarcaster(providers.env, false, [])
  if (config === null) throw new Error('The devnet tells of no Farcaster')
  const upstreams = createUpstreams({ fetch, now: () => at, timeout: 5_000, maxResponseBytes: 100_000, onFailure() {} })
  const relay = createRelay(config.relayUrl, fetch)
  app = await startTestApp({
    production: false,
    walletOrigin: site,
    now: () => at,
    farcaster: {
      relay: {
        ...relay,
        async status(channelToken) {
          const status = await relay.status(channelToken)
          onStatus()
          return status
        },
      },
      chain: { upstreams, urls: [providers.rpcUrl], idRegistry: config.idRegistry },
    },
    waiting: { timeout: 300, interval: 50 },
  })
}, 60_000)
afterAll(async () => {
  await app.close()
  await providers.stop()
  vi.useRealTimers()
})
beforeEach(async () => {
  // Later than all tests before: limits in memory are free again.
  at += 24 * 60 * 60_000
  // The devnet's relay keeps the system's clock.
  vi.setSystemTime(at)
  onStatus = () => {}
  await app.database.orm.delete(rateLimits)
})
afterEach(() => providers.farcasterFault('none'))

async function begin() {
  const claim = newToken()
  const body = { claim, deviceToken: newToken(), origin }
  const { flow, url } = await succeed(app, 'farcaster', body, { site })
  return { flow, claim, url }
}
const claimWith = ({ flow, claim }: { flow: string; claim: string }) =>
  call(app, 'farcasterClaim', { flow, claim }, { site })

test('a user signs in with the phone, and is the same user the next time', async () => {
  const ids = new Set<string | undefined>()
  for (let time = 0; time < 2; time++) {
    const flow = await begin()
    expect((await claimWith(flow)).json).toEqual({ status: 'pending' })
    await providers.approve(flow.url, 'ada')
    const { json } = await claimWith(flow)
    expect(json).toMatchObject({ status: 'signedIn', user: { provider: 'farcaster', userName: 'ada', email: null } })
    ids.add(/"user":\{"id":"([^"]+)"/.exec(JSON.stringify(json))?.[1])
    expect(await claimWith(flow)).toMatchObject({ failure: 'CODE_SPENT' })
  }
  expect(ids.size).toBe(1)
})

test('the channel’s token never leaves the gateway, and is sealed in the database', async () => {
  const flow = await begin()
  const token = new URL(flow.url).searchParams.get('channelToken') ?? ''
  expect(token).not.toBe('')
  const rows = JSON.stringify(await app.database.orm.execute('select * from social_flows'))
  for (const secret of [token, flow.flow, flow.claim]) {
    expect(rows).not.toContain(secret)
    expect(app.log()).not.toContain(secret)
  }
})

test('2. only the frame that started the flow can claim it, once', async () => {
  const flow = await begin()
  await providers.approve(flow.url, 'ada')
  expect(await claimWith({ ...flow, claim: newToken() })).toMatchObject({ failure: 'STATE_MISMATCH' })
  expect(await claimWith({ ...flow, flow: newToken() })).toMatchObject({ failure: 'STATE_MISMATCH' })
  const answers = await Promise.all([claimWith(flow), claimWith(flow), claimWith(flow)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410])
})

test('2. an aborted call does not use up the sign-in', async () => {
  const { flow, claim, url } = await begin()
  await providers.approve(url, 'ada')
  const leaving = new AbortController()
  onStatus = () => leaving.abort()
  await app.request(`${site}${walletApi.farcasterClaim.path}?projectId=demo`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: site, 'Sec-Fetch-Site': 'same-origin' },
    body: JSON.stringify({ flow, claim }),
    signal: leaving.signal,
  })
  expect((await claimWith({ flow, claim })).json).toMatchObject({ status: 'signedIn' })
})

describe('3. an invalid message', () => {
  test.each(['bad-signature', 'wrong-fid', 'wrong-domain', 'wrong-nonce'])('with %s ends the flow', async (fault) => {
    const flow = await begin()
    await providers.farcasterFault(fault)
    await providers.approve(flow.url, 'ada')
    expect(await claimWith(flow)).toMatchObject({ status: 403, failure: 'STATE_MISMATCH' })
    await providers.farcasterFault('none')
    expect(await claimWith(flow)).toMatchObject({ failure: 'STATE_MISMATCH' })
  })
})

test('an unreachable relay starts no flow, and pending flows continue when it is back', async () => {
  const flow = await begin()
  await providers.approve(flow.url, 'ada')
  await providers.farcasterFault('down')
  const body = { claim: newToken(), deviceToken: newToken(), origin }
  expect(await call(app, 'farcaster', body, { site })).toMatchObject({ status: 502, failure: 'PROVIDER_FAILED' })
  expect((await claimWith(flow)).json).toEqual({ status: 'pending' })
  await providers.farcasterFault('none')
  expect((await claimWith(flow)).json).toMatchObject({ status: 'signedIn' })
})

test('a flow expires after ten minutes', async () => {
  const flow = await begin()
  at += 10 * 60_000
  expect(await claimWith(flow)).toMatchObject({ status: 410, failure: 'CODE_EXPIRED' })
})

test('is refused without a relay, and for a project without socials', async () => {
  const body = { claim: newToken(), deviceToken: newToken(), origin }
  await app.projects.update('strict', { features: { socials: [] } })
  expect((await call(app, 'farcaster', body, { site, projectId: 'strict' })).status).toBe(403)
  const bare = await startTestApp()
  expect((await call(bare, 'farcaster', body)).status).toBe(403)
  await bare.close()
})
