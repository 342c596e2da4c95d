import { describe, expect, it } from 'vitest'
import type { SiwxHandlerOptions } from '../server/handler'
import { memoryProofs } from '../server/proofs'
import { cookieFrom, server, site } from '../server/testing/server'
import { iso, noon, visitor } from '../testing/sign-in'
import { createSiwx } from './create-siwx'
import { type ServerSessionsOptions, serverSessions } from './server-sessions'
import { browser } from './testing/browser'

const url = 'https://api.example.com/siwx'

/** With browser cookies. */
function backend(options: Partial<SiwxHandlerOptions> = {}) {
  const { send } = server(options)
  const requests: string[] = []
  let cookie = ''
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    requests.push(new URL(request.url).pathname.replace('/siwx/', ''))
    request.headers.set('origin', site)
    if (request.credentials === 'include' && cookie !== '') request.headers.set('cookie', cookie)
    const response = await send(request)
    if (response.headers.has('set-cookie')) cookie = cookieFrom(response)
    return response
  }
  const open = (more: Partial<ServerSessionsOptions> = {}) => serverSessions({ url, fetch, page: null, ...more })
  return { fetch, open, requests }
}

const answering =
  (body: string, status = 200): typeof globalThis.fetch =>
  async () =>
    new Response(body, { status })

const never = { signal: new AbortController().signal }

describe('serverSessions', () => {
  it('requests routes under its URL, keeping the query', async () => {
    const requests: string[] = []
    const fetch: typeof globalThis.fetch = async (input) => {
      requests.push(String(input))
      return new Response('{"nonce":"12345678"}')
    }
    await serverSessions({ url: `${url}/?projectId=demo`, token: 'memory', fetch, page: null }).nonce()
    expect(requests).toEqual([`${url}/nonce?projectId=demo`])
  })

  it.each(['cookie', 'local', 'memory'] as const)('signs in and out with the token in %s', async (token) => {
    const { open } = backend(token === 'cookie' ? { cookie: {} } : {})
    const sessions = open({ token, page: browser().tab() })
    expect(await sessions.all()).toEqual([])
    const anna = visitor()
    const session = await anna.sign({ nonce: await sessions.nonce() })
    await sessions.add(session)
    expect(await sessions.all()).toMatchObject([{ message: session.message, signature: session.signature }])
    await sessions.revoke('eip155:8453', anna.address)
    expect(await sessions.all()).toHaveLength(1)
    await sessions.revoke('eip155:1', anna.address)
    expect(await sessions.all()).toEqual([])
  })

  it.each([
    ['70 s ahead', 70_000],
    ['an hour ahead', 3_600_000],
    ['an hour behind', -3_600_000],
    ['ten days ahead', 864_000_000],
    ['a year behind', -31_536_000_000],
  ])('4. signs in, and stays signed in after a reload, on a device whose clock is %s', async (_, off) => {
    const { open } = backend()
    const page = browser().tab()
    const now = () => noon + off
    const siwx = () =>
      createSiwx({
        sessions: open({ token: 'local', page, now }),
        domain: 'example.com',
        uri: 'https://example.com',
        now,
      })
    const anna = visitor()
    const here = siwx()
    const message = await here.createMessage({ chainId: 'eip155:1', accountAddress: anna.address })
    expect(message).toMatchObject({ issuedAt: iso(noon), expirationTime: iso(noon + 7 * 24 * 3_600_000) })
    const { message: text, signature } = await anna.sign({ ...message })
    await here.addSession({ data: { ...message }, message: text, signature })
    expect(await here.getSessions('eip155:1', anna.address)).toHaveLength(1)
    expect(await siwx().getSessions('eip155:1', anna.address)).toHaveLength(1)
  })

  it('4. goes by the device’s clock with a server of an earlier version, or one that tells no time', async () => {
    for (const now of [undefined, null, '0', Number.NaN, 1.5]) {
      const fetch = answering(JSON.stringify({ nonce: '12345678', now }))
      const sessions = serverSessions({ url, token: 'memory', fetch, page: null, now: () => noon })
      await sessions.nonce()
      expect(sessions.clockAhead?.()).toBe(0)
    }
  })

  it('finds the sessions after a reload and in another tab', async () => {
    const { open } = backend()
    const { tab } = browser()
    const other = open({ token: 'local', page: tab() })
    let heard = 0
    other.subscribe(() => heard++)
    const here = open({ token: 'local', page: tab() })
    const anna = visitor()
    await here.add(await anna.sign({ nonce: await here.nonce() }))
    expect(heard).toBe(1)
    expect(await other.all()).toMatchObject([
      { data: { accountAddress: anna.address, chainId: 'eip155:1' }, message: '' },
    ])
  })

  it('1. two tabs that sign in at once both succeed, with one token', async () => {
    const { open } = backend()
    const { tab } = browser()
    const tabs = [open({ token: 'local', page: tab() }), open({ token: 'local', page: tab() })]
    await Promise.all(tabs.map(async (one) => one.add(await visitor().sign({ nonce: await one.nonce() }))))
    for (const one of tabs) expect(await one.all()).toHaveLength(2)
  })

  it('1. a sign-out in one tab does not remove a sign-in from another', async () => {
    const { open } = backend()
    const { tab } = browser()
    const [here, other] = [open({ token: 'local', page: tab() }), open({ token: 'local', page: tab() })]
    const [anna, bert] = [visitor(), visitor()]
    await here.add(await anna.sign({ nonce: await here.nonce() }))
    const session = await bert.sign({ nonce: await other.nonce() })
    await Promise.all([here.revoke('eip155:1', anna.address), other.add(session)])
    for (const one of [here, other]) expect(await one.all()).toMatchObject([{ data: { accountAddress: bert.address } }])
  })

  it('1. continues if another tab never releases the lock', async () => {
    const { open } = backend()
    const { tab, locks } = browser()
    const here = open({ token: 'local', page: tab(), deadline: 50 })
    void locks.request(`postern.siwx.token ${url}`, never, () => new Promise(() => {}))
    await here.add(await visitor().sign({ nonce: await here.nonce() }))
    expect(await here.all()).toHaveLength(1)
  })

  it('4. signs out with another tab, even while its own request is in flight', async () => {
    const { open, fetch } = backend()
    const { tab } = browser()
    const other = open({ token: 'local', page: tab() })
    const anna = visitor()
    await other.add(await anna.sign({ nonce: await other.nonce() }))
    const answers: (() => void)[] = []
    const here = open({
      token: 'local',
      page: tab(),
      async fetch(input, init) {
        const answer = await fetch(input, init)
        await new Promise<void>((resolve) => answers.push(resolve))
        return answer
      },
    })
    const before = here.all()
    await expect.poll(() => answers.length).toBe(1)
    await other.revoke('eip155:1', anna.address)
    expect(await here.all()).toEqual([])
    answers[0]?.()
    expect(await before).toEqual([])
  })

  it('a token in memory is lost with the page', async () => {
    const { open } = backend()
    const here = open({ token: 'memory' })
    await here.add(await visitor().sign({ nonce: await here.nonce() }))
    expect(await open({ token: 'memory' }).all()).toEqual([])
  })

  it('1. concurrent sign-ins all stay', async () => {
    const { open } = backend()
    const sessions = open({ token: 'memory' })
    const all = await Promise.all([1, 2, 3].map(async () => visitor().sign({ nonce: await sessions.nonce() })))
    await Promise.all(all.map((session) => sessions.add(session)))
    expect(await sessions.all()).toHaveLength(3)
  })

  it('1. continues after a rejected sign-in', async () => {
    const { open } = backend()
    const sessions = open({ token: 'memory' })
    const [bad, good] = [await visitor().sign(), await visitor().sign({ nonce: await sessions.nonce() })]
    const [refused, added] = await Promise.allSettled([sessions.add(bad), sessions.add(good)])
    expect(refused).toMatchObject({
      reason: { code: 'NONCE_INVALID', message: 'The nonce is unknown, used, expired or was tried too often' },
    })
    expect(added.status).toBe('fulfilled')
    expect(await sessions.all()).toHaveLength(1)
  })

  it('set sends only the difference to the server', async () => {
    const { open, requests } = backend()
    const sessions = open({ token: 'memory' })
    const [stays, goes, comes] = await Promise.all(
      [1, 2, 3].map(async () => visitor().sign({ nonce: await sessions.nonce() })),
    )
    if (!stays || !goes || !comes) throw new Error('Three were signed')
    await sessions.set([stays, goes])
    requests.length = 0
    await sessions.set([stays, comes])
    expect(requests).toEqual(['me', 'authenticate', 'sign-out'])
    const left = (await sessions.all()).map(({ data }) => data.accountAddress)
    expect(left).toEqual([stays.data.accountAddress, comes.data.accountAddress])
    await sessions.set([])
    expect(await sessions.all()).toEqual([])
  })

  it('accepts sign-ins on several chains with one nonce', async () => {
    const { open, requests } = backend()
    const sessions = open({ token: 'memory' })
    const [anna, nonce] = [visitor(), await sessions.nonce()]
    const all = [await anna.sign({ nonce }), await anna.sign({ nonce, chainId: 'eip155:8453' })]
    requests.length = 0
    await sessions.set(all)
    expect(requests).toEqual(['authenticate'])
    expect((await sessions.all()).map(({ message }) => message)).toEqual(all.map(({ message }) => message))
  })

  it('set keeps the old sessions if a new one is rejected', async () => {
    const { open } = backend()
    const sessions = open({ token: 'memory' })
    const before = await visitor().sign({ nonce: await sessions.nonce() })
    await sessions.add(before)
    await expect(sessions.set([await visitor().sign()])).rejects.toMatchObject({ code: 'NONCE_INVALID' })
    expect(await sessions.all()).toMatchObject([{ message: before.message }])
  })

  it('set keeps the new session of an account that signed in again', async () => {
    const { open } = backend()
    const sessions = open({ token: 'memory' })
    const anna = visitor()
    await sessions.add(await anna.sign({ nonce: await sessions.nonce() }))
    const again = await anna.sign({ nonce: await sessions.nonce() })
    await sessions.set([again])
    expect(await sessions.all()).toMatchObject([{ message: again.message }])
  })

  it.each([
    ['fails', () => Promise.reject(new TypeError('Failed to fetch')), 'SERVER_UNREACHABLE'],
    ['responds with a page', answering('<html>'), 'SERVER_UNREACHABLE'],
    ['responds with other JSON', answering('{"hello": 1}'), 'SERVER_ANSWER'],
    ['responds with an error in another format', answering('{"error": "no"}', 500), 'SERVER_ANSWER'],
    ['responds with malformed reasons', answering('{"reasons": [{"name": 1}]}', 400), 'SERVER_ANSWER'],
  ])('2. rejects if the server %s', async (_, fetch, code) => {
    const sessions = serverSessions({ url, fetch, page: null })
    await expect(sessions.nonce()).rejects.toMatchObject({ code })
    await expect(sessions.all()).rejects.toMatchObject({ code })
  })

  it('2. rejects if the server misses the deadline', async () => {
    const fetch: typeof globalThis.fetch = (_, init) =>
      new Promise((_, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      })
    await expect(serverSessions({ url, fetch, page: null, deadline: 1 }).all()).rejects.toMatchObject({
      code: 'SERVER_UNREACHABLE',
      cause: { name: 'TimeoutError' },
    })
  })

  it('reports a mismatch between page and server about token storage', async () => {
    const pairs = [
      [backend({ cookie: {} }), 'local'],
      [backend(), 'cookie'],
    ] as const
    for (const [{ open }, token] of pairs) {
      const sessions = open({ token })
      const session = await visitor().sign({ nonce: await sessions.nonce() })
      await expect(sessions.add(session)).rejects.toMatchObject({ code: 'SERVER_ANSWER' })
    }
  })

  it('3. returns the signed message and data if the server stores proofs', async () => {
    const { open } = backend({ proofs: memoryProofs({ now: () => noon }), cookie: {} })
    const here = open()
    const session = await visitor().sign({ nonce: await here.nonce(), statement: 'Welcome' })
    await here.add(session)
    const [first] = await open().all()
    expect(first).toMatchObject({ message: session.message, signature: session.signature })
    expect(first?.data).toMatchObject(session.data)
  })

  it('3. a session expires when the server’s does, if that is earlier', async () => {
    const { open } = backend()
    const here = open({ token: 'memory' })
    const far = new Date(Date.UTC(2030, 0)).toISOString()
    await here.add(await visitor().sign({ nonce: await here.nonce(), expirationTime: far }))
    expect((await here.all())[0]?.data.expirationTime).toBe('2026-11-28T12:00:00.000Z')
  })

  it('counts unconfirmed sessions as none and keeps the token', async () => {
    const { open, fetch } = backend({ proofs: memoryProofs({ now: () => noon }) })
    let isAway = false
    const unverifiable = answering(
      '{"status":"error","reasons":[{"name":"UNVERIFIABLE","description":"Not now"}]}',
      503,
    )
    const sessions = open({ token: 'memory', fetch: (input, init) => (isAway ? unverifiable : fetch)(input, init) })
    await sessions.add(await visitor().sign({ nonce: await sessions.nonce() }))
    isAway = true
    expect(await sessions.all()).toEqual([])
    isAway = false
    expect(await sessions.all()).toHaveLength(1)
  })

  it('rejects a malformed session from the server', async () => {
    for (const session of [
      null,
      7,
      {},
      { chainId: 'eip155:1\n', address: 'a', domain: 'd', uri: 'u', nonce: 'n', expiresAt: 1 },
      { chainId: 'eip155:1', address: 'a', domain: 'd', uri: 'u', nonce: 'n', expiresAt: 1e300 },
    ]) {
      const sessions = serverSessions({ url, fetch: answering(JSON.stringify({ sessions: [session] })), page: null })
      await expect(sessions.all()).rejects.toMatchObject({ code: 'SERVER_ANSWER' })
    }
  })

  it('concurrent reads share one request', async () => {
    const { open, requests } = backend({ cookie: {} })
    const sessions = open()
    await Promise.all([sessions.all(), sessions.all(), sessions.all()])
    expect(requests).toEqual(['me'])
  })
})
