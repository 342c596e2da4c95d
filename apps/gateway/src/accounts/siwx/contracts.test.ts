/** Contract accounts, whose signatures need calls to the chain; with the limits of `routes.ts`. */

import { describe, expect, test } from 'vitest'
import { siwxProofs } from '../../platform/db/siwx-schema'
import type { RpcCall, Upstreams } from '../../platform/upstreams/rpc'
import { callLimit, callRates } from '../../testing/call-limit'
import { clock } from '../../testing/clock'
import { appOrigin, page, testApps, visitor } from '../../testing/siwx'

const { start } = testApps()

describe('a contract account', () => {
  const signature = `0x${'ab'.repeat(100)}`
  function chain(answers: string[]) {
    const requests: { readonly urls: readonly string[]; readonly calls: readonly RpcCall[] }[] = []
    const upstreams: Upstreams = {
      async exchange(urls, calls) {
        requests.push({ urls, calls })
        const result = answers.shift()
        if (result === undefined) throw new Error('https://node.example/operators-key is away')
        return [{ result }]
      },
    }
    const networks = [{ id: 'eip155:1' as const, upstreams: ['https://node.example/operators-key'] }]
    return { requests, upstreams, networks }
  }

  test('is checked through the gateway’s upstreams, and again after five minutes: a new owner ends the session', async () => {
    const time = clock()
    const { requests, upstreams, networks } = chain(['0x01', '0x01', '0x00'])
    const site = page(await start({ upstreams, networks, now: time.now }))
    const { message } = await visitor(time.now).sign({ nonce: await site.nonce() })
    const { token = '', status } = await site.authenticate({ message, signature })
    expect(status).toBe(200)
    expect(requests).toEqual([
      { urls: ['https://node.example/operators-key'], calls: [{ method: 'eth_call', params: expect.anything() }] },
    ])
    expect((await site.me(token)).status).toBe(200)
    expect(requests).toHaveLength(1)
    time.pass(300_001)
    expect((await site.me(token)).status).toBe(200)
    time.pass(300_001)
    expect(await site.me(token)).toMatchObject({ status: 401, reason: 'NOT_SIGNED_IN' })
    expect(requests).toHaveLength(3)
  })

  test('whose chain does not respond gets 503 without details, and can retry with its nonce', async () => {
    const answers: string[] = []
    const { upstreams, networks } = chain(answers)
    const site = page(await start({ upstreams, networks }))
    const { message } = await visitor().sign({ nonce: await site.nonce() })
    const away = await site.authenticate({ message, signature })
    expect(away).toMatchObject({ status: 503, reason: 'UNVERIFIABLE' })
    expect(JSON.stringify(away.reasons)).not.toContain('operators-key')
    answers.push('0x01')
    expect((await site.authenticate({ message, signature })).status).toBe(200)
  })

  describe('6. costs as much as 50 calls', () => {
    /** This burst, then one call per second. */
    const limited = (burst: number, now: () => number) => ({
      now,
      ...callLimit({ perSecond: 1, burst }, now),
    })

    test('and is refused beyond that with a retry time; the nonce stays valid', async () => {
      const time = clock()
      const { requests, upstreams, networks } = chain(['0x00', '0x00', '0x01'])
      const site = page(await start({ upstreams, networks, ...limited(120, time.now) }))
      const sign = async () => visitor(time.now).sign({ nonce: await site.nonce() })
      for (let tries = 0; tries < 2; tries += 1) {
        const { message } = await sign()
        expect((await site.authenticate({ message, signature })).reason).toBe('SIGNATURE_INVALID')
      }
      const { message } = await sign()
      const limit = await site.authenticate({ message, signature })
      expect([limit.status, limit.reason, limit.response.headers.get('Retry-After')]).toEqual([429, 'rate', '36'])
      expect(limit.response.headers.get('Access-Control-Allow-Origin')).toBe(appOrigin)
      expect(requests).toHaveLength(2)
      time.pass(37_000)
      expect((await site.authenticate({ message, signature })).status).toBe(200)
    })

    test('and does not use up a try of the nonce if the limit refuses it', async () => {
      const time = clock()
      const { requests, upstreams, networks } = chain(['0x01'])
      const site = page(await start({ upstreams, networks, ...limited(49, time.now) }))
      const { message } = await visitor(time.now).sign({ nonce: await site.nonce() })
      for (let tries = 0; tries < 16; tries += 1)
        expect((await site.authenticate({ message, signature })).status).toBe(429)
      expect(requests).toHaveLength(0)
    })

    test('but not for `me`, which is always one call', async () => {
      const time = clock()
      const { requests, upstreams, networks } = chain(['0x01', '0x00'])
      const site = page(await start({ upstreams, networks, ...limited(60, time.now) }))
      const { message } = await visitor(time.now).sign({ nonce: await site.nonce() })
      const { token = '' } = await site.authenticate({ message, signature })
      time.pass(300_001)
      for (let calls = 0; calls < 59; calls += 1) await site.nonce()
      expect((await site.me(token)).reason).toBe('NOT_SIGNED_IN')
      expect(requests).toHaveLength(2)
      expect((await site.me(token)).status).toBe(429)
    })
  })

  describe('6. contract sessions behind a server that checks all visitors', () => {
    const ids = Array.from({ length: 16 }, (_, at) => `eip155:${at + 1_000_001}` as const)
    const networks = ids.map((id) => ({ id, upstreams: [`https://node.example/${id}`] }))

    /** Signs in on all chains from the visitor's address; the dapp's server checks from another one. */
    async function crowd(rechecks = { perSecond: 4, burst: 1_200 }) {
      const time = clock()
      let answer: '0x01' | '0x00' | null = '0x01'
      let calls = 0
      let from = '192.0.2.1'
      const upstreams: Upstreams = {
        async exchange() {
          calls += 1
          if (answer === null) throw new Error('away')
          return [{ result: answer }]
        },
      }
      const app = await start({
        networks,
        upstreams,
        now: time.now,
        clientAddress: () => from,
        ...callLimit({ perSecond: 3, burst: 900 }, time.now),
        recheckRates: callRates(rechecks),
      })
      const site = page(app)
      return {
        time,
        site,
        server: page(app, { origin: null }),
        calls: () => calls,
        turn(next: '0x01' | '0x00' | null) {
          answer = next
        },
        as(address: string) {
          from = address
        },
        async signInOnAll(): Promise<string> {
          const who = visitor(time.now)
          const nonce = await site.nonce()
          const messages = await Promise.all(ids.map((chainId) => who.sign({ nonce, chainId })))
          const sessions = messages.map(({ message }) => ({ message, signature }))
          const { token } = await site.ask('POST', 'authenticate', { body: { sessions } })
          if (token === undefined) throw new Error('Not signed in')
          return token
        },
      }
    }

    test('do not use up other visitors’ calls, whether their chains respond or not', async () => {
      const { time, site, server, as, turn, calls, signInOnAll } = await crowd()
      const key = await site.signIn(visitor(time.now))
      const tokens: string[] = []
      for (const address of ['198.51.100.1', '198.51.100.2']) {
        as(address)
        tokens.push(await signInOnAll())
      }
      as('203.0.113.1')
      for (const answer of ['0x01', null] as const) {
        turn(answer)
        time.pass(300_001)
        const before = calls()
        for (let rounds = 0; rounds < 3; rounds += 1)
          for (const token of tokens) expect((await server.me(token)).status).toBe(200)
        expect(calls() - before).toBe(32)
        expect((await server.me(key)).status).toBe(200)
      }
    })

    test('stay valid without new checks when the limit is used up, for up to half an hour', async () => {
      const { time, server, as, turn, calls, signInOnAll } = await crowd({ perSecond: 0.001, burst: 16 })
      const tokens: string[] = []
      for (const address of ['198.51.100.1', '198.51.100.2']) {
        as(address)
        tokens.push(await signInOnAll())
      }
      const [first = '', second = ''] = tokens
      as('203.0.113.1')
      time.pass(300_001)
      turn('0x00')
      expect([(await server.me(first)).status, (await server.me(second)).status]).toEqual([401, 200])
      expect(calls()).toBe(48)
      time.pass(25 * 60_000)
      expect(await server.me(second)).toMatchObject({ status: 503, reason: 'UNVERIFIABLE' })
      as('198.51.100.2')
      expect((await server.me(second)).status).toBe(401)
    })
  })

  test('is checked at most three times per nonce; a key can still sign in with it', async () => {
    const { requests, upstreams, networks } = chain(Array.from({ length: 9 }, () => '0x00'))
    const site = page(await start({ upstreams, networks }))
    const alice = visitor()
    const signed = await alice.sign({ nonce: await site.nonce() })
    const reasons: (string | undefined)[] = []
    for (let tries = 0; tries < 5; tries += 1)
      reasons.push((await site.authenticate({ message: signed.message, signature })).reason)
    expect(reasons.slice(2)).toEqual(['SIGNATURE_INVALID', 'NONCE_INVALID', 'NONCE_INVALID'])
    expect(requests).toHaveLength(3)
    expect((await site.authenticate(signed)).status).toBe(200)
  })

  test('is signed out if its stored message cannot be opened; a key stays signed in', async () => {
    const { upstreams, networks } = chain(['0x01'])
    const app = await start({ upstreams, networks })
    const site = page(app)
    const { message } = await visitor().sign({ nonce: await site.nonce() })
    const { token = '' } = await site.authenticate({ message, signature })
    const key = await site.signIn(visitor())
    expect((await site.me(token)).sessions).toMatchObject([{ contract: true }])
    await app.database.orm.update(siwxProofs).set({ sealed: 'nothing' })
    expect((await site.me(token)).reason).toBe('NOT_SIGNED_IN')
    expect((await site.me(key)).status).toBe(200)
  })
})

describe('7. a project’s sign-in chains', () => {
  test('apply to its visitors only', async () => {
    const app = await start()
    const alice = visitor()
    const site = page(app)
    const sign = async (chainId: 'eip155:1' | 'eip155:8453') => alice.sign({ nonce: await site.nonce(), chainId })
    const before = await site.signIn(alice)
    await app.projects.update('demo', { signInChains: ['eip155:8453'] })
    expect(await site.authenticate(await sign('eip155:1'))).toMatchObject({ status: 403, reason: 'CHAIN_NOT_ALLOWED' })
    const { token = '', status } = await site.authenticate(await sign('eip155:8453'), before)
    expect(status).toBe(200)
    expect((await site.me(token)).sessions).toMatchObject([{ chainId: 'eip155:8453' }])
    expect(
      (await page(app, { projectId: 'strict' }).me(await page(app, { projectId: 'strict' }).signIn(alice))).status,
    ).toBe(200)
  })

  test('end sessions on other chains at once, also for a server', async () => {
    const app = await start()
    const site = page(app)
    const token = await site.signIn(visitor())
    await app.projects.update('demo', { signInChains: ['eip155:8453'] })
    expect((await site.me(token)).reason).toBe('NOT_SIGNED_IN')
    expect((await page(app, { origin: null }).me(token)).reason).toBe('NOT_SIGNED_IN')
    await app.projects.update('demo', { signInChains: null })
    expect((await site.me(token)).status).toBe(200)
  })

  test('reject a chain that the gateway does not know', async () => {
    const app = await start()
    await app.projects.update('demo', { signInChains: ['eip155:424242424'] })
    const site = page(app)
    const signed = await visitor().sign({ nonce: await site.nonce(), chainId: 'eip155:424242424' })
    expect((await site.authenticate(signed)).reason).toBe('CHAIN_NOT_ALLOWED')
  })
})
