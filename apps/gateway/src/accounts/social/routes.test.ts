import { otherSocialKeys } from '@postern/devnet'
import type { SocialProvider } from '@postern/protocol'
import { socialProviders } from '@postern/protocol'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { readProjectKeys } from '../../projects/keys'
import { ProjectInput } from '../../projects/project'
import { startTestApp, type TestApp } from '../../testing/app'
import { noon } from '../../testing/clock'
import { call, newToken, succeed } from '../../testing/sign-in'
import { openPopup, type Providers, site, startProviders } from '../../testing/social'
import { readSocials } from './config'
import { createProviders } from './social'

const origin = 'https://app.example.com'
const ada = { answer: 'allow', name: 'Ada', email: 'ada@example.com', verified: 'yes' } as const
let providers: Providers
let app: TestApp
let at = noon
beforeAll(async () => {
  providers = await startProviders()
  const config = readSocials(providers.env, false, [])
  const projects = readProjectKeys(JSON.stringify({ shop: { social: otherSocialKeys() } }), new Set(), [])
  app = await startTestApp({
    production: false,
    walletOrigin: site,
    now: () => at,
    providersOf: createProviders({ config, projects, walletOrigin: site, fetch, now: () => at }),
    waiting: { timeout: 200, interval: 20 },
  })
  await app.projects.add(ProjectInput.parse({ id: 'shop', name: 'Shop', allowedOrigins: [origin] }))
}, 60_000)
afterAll(async () => {
  await app.close()
  await providers.stop()
  vi.useRealTimers()
})
beforeEach(() => {
  // Resets rate limits.
  at += 3_600_000
  // The devnet's providers keep the system's clock.
  vi.setSystemTime(at)
})
const faulty = new Set<SocialProvider>()
afterEach(async () => {
  for (const provider of faulty) await providers.fault(provider, 'none')
  faulty.clear()
})

async function fault(provider: SocialProvider, kind: string): Promise<void> {
  faulty.add(provider)
  await providers.fault(provider, kind)
}

async function begin(provider: SocialProvider = 'github', projectId = 'demo') {
  const [claim, deviceToken] = [newToken(), newToken()]
  const { flow, uri } = await succeed(app, 'social', { provider, claim, deviceToken, origin }, { site, projectId })
  return { flow, uri, claim, deviceToken }
}
type StartedFlow = Awaited<ReturnType<typeof begin>>

const claimWith = ({ flow, claim }: StartedFlow, more: { ticket?: string; code?: string } = {}) =>
  call(app, 'socialClaim', { flow, claim, ...more }, { site })

/** What the last page hands to the frame. */
async function handOver(response: Response): Promise<{ flow: string; ticket: string }> {
  const html = await response.text()
  const flow = /data-flow="([^"]+)"/.exec(html)?.[1]
  const ticket = /data-ticket="([^"]+)"/.exec(html)?.[1]
  if (flow === undefined || ticket === undefined) throw new Error(`No ticket in ${html}`)
  return { flow, ticket }
}

const showCode = (body: object, headers: Record<string, string> = { Origin: site, 'Sec-Fetch-Site': 'same-origin' }) =>
  app.request(`${site}/auth/social/code`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

describe('providers', () => {
  const shown: Readonly<Record<SocialProvider, { email: string | null; named: boolean }>> = {
    google: { email: ada.email, named: true },
    github: { email: ada.email, named: true },
    apple: { email: ada.email, named: false },
    facebook: { email: ada.email, named: true },
    x: { email: null, named: true },
    discord: { email: ada.email, named: true },
  }
  test.each(socialProviders)('%s signs a user in, and finds the same user again', async (provider) => {
    const users: string[] = []
    for (let time = 0; time < 2; time++) {
      const opened = await begin(provider)
      expect(await claimWith(opened)).toMatchObject({ status: 200, json: { status: 'pending' } })
      const { flow, ticket } = await handOver(await openPopup(app).signIn(opened.uri, ada))
      expect(flow).toBe(opened.flow)
      const { json } = await claimWith(opened, { ticket })
      expect(json).toMatchObject({ status: 'signedIn', user: { provider, email: shown[provider].email } })
      const signedIn = await succeed(app, 'session', {}, { site, token: tokenOf(json) })
      if (shown[provider].named) expect(signedIn.user.userName).toMatch(/ada/i)
      users.push(signedIn.user.id)
    }
    expect(new Set(users).size).toBe(1)
  })

  test('ignores an address that the provider did not verify', async () => {
    for (const provider of ['google', 'github', 'discord'] as const) {
      const opened = await begin(provider)
      const response = await openPopup(app).signIn(opened.uri, { ...ada, name: 'Eve', verified: 'no' })
      const { json } = await claimWith(opened, { ticket: (await handOver(response)).ticket })
      expect(json).toMatchObject({ status: 'signedIn', user: { email: null } })
    }
  })

  test('two providers with the same address are two users', async () => {
    const ids = new Set<unknown>()
    for (const provider of ['google', 'github'] as const) {
      const opened = await begin(provider)
      const { ticket } = await handOver(await openPopup(app).signIn(opened.uri, ada))
      ids.add(JSON.stringify((await claimWith(opened, { ticket })).json).replace(/.*"user":\{"id":"([^"]+)".*/, '$1'))
    }
    expect(ids.size).toBe(2)
  })
})

describe('a project with clients of its own', () => {
  const userOf = async (provider: SocialProvider, projectId: string) => {
    const opened = await begin(provider, projectId)
    const { ticket } = await handOver(await openPopup(app).signIn(opened.uri, { ...ada, name: 'Grace' }))
    const { json } = await claimWith(opened, { ticket })
    return (await succeed(app, 'session', {}, { site, token: tokenOf(json) })).user.id
  }
  const clientOf = async (provider: SocialProvider, projectId: string) => {
    const response = await openPopup(app).go((await begin(provider, projectId)).uri)
    return new URL(response.headers.get('Location') ?? '').searchParams.get('client_id')
  }

  test.each(socialProviders)('sends its users to %s as itself, and others as the gateway', async (provider) => {
    expect(await clientOf(provider, 'shop')).toBe(`other.${provider}`)
    expect(await clientOf(provider, 'demo')).toBe(`devnet.${provider}`)
  })

  test.each(['google', 'github', 'x', 'discord'] as const)('has the same users at %s', async (provider) => {
    expect(await userOf(provider, 'shop')).toBe(await userOf(provider, 'demo'))
  })

  test('has users of its own where the provider numbers them by developer', async () => {
    expect(await userOf('facebook', 'shop')).not.toBe(await userOf('facebook', 'demo'))
    // Both clients are of one team.
    expect(await userOf('apple', 'shop')).toBe(await userOf('apple', 'demo'))
  })

  test('cannot be made to take a code that another client was given', async () => {
    const [shop, demo] = [await begin('github', 'shop'), await begin('github', 'demo')]
    const [shopPopup, demoPopup] = [openPopup(app), openPopup(app)]
    const authorize = async (popup: typeof shopPopup, uri: string) =>
      (await popup.go(uri)).headers.get('Location') ?? ''
    const foreign = await demoPopup.answer(await authorize(demoPopup, demo.uri), ada)
    const own = await shopPopup.answer(await authorize(shopPopup, shop.uri), ada)
    const url = new URL(typeof own === 'string' ? own : own.url)
    url.searchParams.set(
      'code',
      new URL(typeof foreign === 'string' ? foreign : foreign.url).searchParams.get('code') ?? '',
    )
    await shopPopup.go(url.href)
    expect(await claimWith(shop)).toMatchObject({ failure: 'PROVIDER_FAILED' })
  })
})

test('redirects with PKCE, state and nonce, and without secrets in the URL', async () => {
  const opened = await begin('google')
  const response = await openPopup(app).go(opened.uri)
  expect(response.status).toBe(302)
  const url = new URL(response.headers.get('Location') ?? '')
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    redirect_uri: `${site}/auth/social/callback/google`,
    scope: 'openid email profile',
  })
  for (const secret of [opened.flow, opened.claim, opened.deviceToken]) expect(url.href).not.toContain(secret)
  expect(response.headers.get('Referrer-Policy')).toBe('no-referrer')
  expect(response.headers.getSetCookie()[0]).toMatch(/HttpOnly/i)
  expect(response.headers.getSetCookie()[0]).toMatch(/SameSite=Lax/i)
})

describe('1. and 4. a sign-in needs the browser that opened the link and the frame that started it', () => {
  test('a link that a user opened for an attacker does not sign the attacker in', async () => {
    const attacker = await begin()
    const victim = openPopup(app)
    const { ticket } = await handOver(await victim.signIn(attacker.uri, ada))
    // The victim's browser has the ticket; the attacker only flow and claim.
    expect((await claimWith(attacker)).json).toEqual({ status: 'pending' })
    expect(await claimWith(attacker, { ticket: newToken() })).toMatchObject({ failure: 'STATE_MISMATCH' })
    const stranger = { ...attacker, claim: newToken() }
    expect(await claimWith(stranger, { ticket })).toMatchObject({ status: 403, failure: 'STATE_MISMATCH' })
  })

  test('a link works in one browser only', async () => {
    const opened = await begin()
    const [first, second] = [openPopup(app), openPopup(app)]
    expect((await first.go(opened.uri)).status).toBe(302)
    expect((await first.go(opened.uri)).status).toBe(302)
    expect((await second.go(opened.uri)).status).toBe(400)
  })

  test('the pages cannot be framed or fetched', async () => {
    const opened = await begin()
    for (const destination of ['iframe', 'empty', 'image']) {
      const response = await app.get(opened.uri, { 'Sec-Fetch-Dest': destination })
      expect(response.status).toBe(403)
      expect(response.headers.getSetCookie()).toEqual([])
    }
    const page = await app.get(`${site}/auth/social/opening`)
    expect(page.status).toBe(200)
    expect(page.headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'")
    expect(page.headers.get('Cross-Origin-Opener-Policy')).toBe('unsafe-none')
  })
})

describe('2. state and cookie', () => {
  test('an unknown state is rejected, and ends the browser’s pending flow', async () => {
    await fault('github', 'bad-state')
    const opened = await begin()
    const response = await openPopup(app).signIn(opened.uri, ada)
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('This sign-in wasn’t started here')
    expect(await claimWith(opened)).toMatchObject({ failure: 'STATE_MISMATCH' })
  })

  test('a callback in another browser is rejected', async () => {
    const opened = await begin()
    const popup = openPopup(app)
    const started = await popup.go(opened.uri)
    const back = await popup.answer(started.headers.get('Location') ?? '', ada)
    if (typeof back !== 'string') throw new Error('GitHub answers by a redirect')
    expect((await openPopup(app).go(back)).status).toBe(400)
    expect(await claimWith(opened)).toMatchObject({ failure: 'STATE_MISMATCH' })
  })

  test('a callback at another provider’s path is rejected', async () => {
    const opened = await begin('github')
    const popup = openPopup(app)
    const started = await popup.go(opened.uri)
    const back = await popup.answer(started.headers.get('Location') ?? '', ada)
    if (typeof back !== 'string') throw new Error('GitHub answers by a redirect')
    expect((await popup.go(back.replace('/github?', '/discord?'))).status).toBe(400)
    expect((await claimWith(opened)).json).toEqual({ status: 'pending' })
  })

  test.each([
    '/auth/social/callback/github',
    '/auth/social/callback/github?state=',
    '/auth/social/callback/github?code=x',
  ])('rejects %s', async (path) => {
    expect((await openPopup(app).go(`${site}${path}`)).status).toBe(400)
  })
})

describe('3. a callback', () => {
  test('works once', async () => {
    const opened = await begin()
    const popup = openPopup(app)
    const started = await popup.go(opened.uri)
    const back = await popup.answer(started.headers.get('Location') ?? '', ada)
    if (typeof back !== 'string') throw new Error('GitHub answers by a redirect')
    const { ticket } = await handOver(await popup.go(back))
    const again = await popup.go(back)
    expect(again.status).toBe(400)
    expect(await again.text()).not.toContain('data-ticket')
    expect((await claimWith(opened, { ticket })).json).toMatchObject({ status: 'signedIn' })
    expect((await popup.go(back)).status).toBe(400)
  })

  test.each(socialProviders)('after a refusal at %s is CONSENT_DENIED', async (provider) => {
    const opened = await begin(provider)
    const response = await openPopup(app).signIn(opened.uri, { answer: 'deny' })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('The sign-in was declined')
    expect(await claimWith(opened)).toMatchObject({ status: 403, failure: 'CONSENT_DENIED' })
  })

  const failures: [SocialProvider, string][] = [
    ['google', 'down'],
    ['github', 'down'],
    ['google', 'bad-nonce'],
    ['google', 'bad-signature'],
    ['apple', 'bad-nonce'],
    ['apple', 'bad-signature'],
  ]
  test.each(failures)('of %s with %s is PROVIDER_FAILED', async (provider, kind) => {
    await fault(provider, kind)
    const opened = await begin(provider)
    const response = await openPopup(app).signIn(opened.uri, ada)
    expect(response.status).toBe(400)
    expect(await claimWith(opened)).toMatchObject({ status: 502, failure: 'PROVIDER_FAILED' })
    expect(app.log()).toContain(`"provider":"${provider}"`)
  })

  test('is rejected after ten minutes', async () => {
    const opened = await begin()
    const popup = openPopup(app)
    const started = await popup.go(opened.uri)
    const back = await popup.answer(started.headers.get('Location') ?? '', ada)
    at += 10 * 60_000
    expect((await popup.go(typeof back === 'string' ? back : back.url)).status).toBe(400)
    expect(await claimWith(opened)).toMatchObject({ status: 410, failure: 'CODE_EXPIRED' })
    expect((await openPopup(app).go(opened.uri)).status).toBe(400)
  })
})

describe('six digits, if the page cannot reach the frame', () => {
  async function withCode() {
    const opened = await begin()
    const handed = await handOver(await openPopup(app).signIn(opened.uri, ada))
    const response = await showCode(handed)
    expect(response.status).toBe(200)
    const code = /"code":"(\d{6})"/.exec(await response.text())?.[1] ?? ''
    return { opened, handed, code }
  }
  const other = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, '0')

  test('sign in once, in the frame that started the flow, and replace the ticket', async () => {
    const { opened, handed, code } = await withCode()
    expect((await claimWith(opened)).json).toEqual({ status: 'code' })
    expect(await claimWith(opened, { ticket: handed.ticket })).toMatchObject({ failure: 'STATE_MISMATCH' })
    expect(await claimWith(opened, { code: other(code) })).toMatchObject({ status: 403, failure: 'WRONG_CODE' })
    expect((await claimWith(opened, { code })).json).toMatchObject({ status: 'signedIn' })
    expect(await claimWith(opened, { code })).toMatchObject({ status: 410, failure: 'CODE_SPENT' })
  })

  test('of another flow are rejected', async () => {
    const own = await withCode()
    const theirs = await withCode()
    if (own.code !== theirs.code) {
      expect(await claimWith(own.opened, { code: theirs.code })).toMatchObject({ failure: 'WRONG_CODE' })
    }
    expect(await claimWith({ ...own.opened, claim: newToken() }, { code: own.code })).toMatchObject({
      failure: 'STATE_MISMATCH',
    })
  })

  test('allow five tries, even concurrently', async () => {
    const { opened, code } = await withCode()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => claimWith(opened, { code: other(code, index + 1) })),
    )
    expect(answers.filter(({ failure }) => failure === 'WRONG_CODE').length).toBeLessThanOrEqual(5)
    expect(await claimWith(opened, { code })).toMatchObject({ status: 429, failure: 'TOO_MANY_ATTEMPTS' })
  })

  test('count per account over all its flows, with a day’s limit, and leave the ticket its way', async () => {
    const eve = { ...ada, name: 'Victim', email: 'victim@example.com' } as const
    const arrived = async (person: typeof ada | typeof eve = eve) => {
      const opened = await begin()
      return { opened, ...(await handOver(await openPopup(app).signIn(opened.uri, person))) }
    }
    const withDigits = async (person: typeof ada | typeof eve = eve) => {
      const { opened, ...handed } = await arrived(person)
      return { opened, code: /"code":"(\d{6})"/.exec(await (await showCode(handed)).text())?.[1] ?? '' }
    }
    let wrong = 0
    for (let flow = 0; flow < 6; flow += 1) {
      const { opened, code } = await withDigits()
      for (let tries = 1; tries <= 5; tries += 1)
        if ((await claimWith(opened, { code: other(code, tries) })).failure === 'WRONG_CODE') wrong += 1
    }
    expect(wrong).toBe(20)
    const next = await withDigits()
    const refused = await claimWith(next.opened, { code: next.code })
    expect(refused).toMatchObject({ status: 429, failure: 'TOO_MANY_ATTEMPTS', retryAfter: 72 * 60 })
    const byTicket = await arrived()
    expect((await claimWith(byTicket.opened, { ticket: byTicket.ticket })).json).toMatchObject({ status: 'signedIn' })
    const others = await withDigits(ada)
    expect((await claimWith(others.opened, { code: others.code })).json).toMatchObject({ status: 'signedIn' })
    at += 72 * 60_000
    vi.setSystemTime(at)
    const later = await withDigits()
    expect((await claimWith(later.opened, { code: later.code })).json).toMatchObject({ status: 'signedIn' })
  })

  test('are issued once, to the page with the ticket, on our own site', async () => {
    const opened = await begin()
    const handed = await handOver(await openPopup(app).signIn(opened.uri, ada))
    expect((await showCode(handed, { Origin: 'https://evil.test' })).status).toBe(403)
    expect((await showCode({ ...handed, ticket: newToken() })).status).toBe(410)
    expect((await showCode({ ...handed, flow: newToken() })).status).toBe(410)
    expect((await showCode({ flow: handed.flow })).status).toBe(400)
    expect((await showCode(handed)).status).toBe(200)
    expect((await showCode(handed)).status).toBe(410)
  })
})

describe('start of a sign-in', () => {
  const body = { claim: newToken(), deviceToken: newToken(), provider: 'github' } as const

  test('needs an origin that the project allows', async () => {
    expect((await call(app, 'social', { ...body, origin: 'https://evil.test' }, { site })).status).toBe(403)
  })

  test('needs a social that the project wants', async () => {
    await app.projects.update('strict', { features: { socials: ['google'] } })
    expect((await call(app, 'social', { ...body, origin }, { site, projectId: 'strict' })).status).toBe(403)
    const google = { ...body, provider: 'google', origin } as const
    expect((await call(app, 'social', google, { site, projectId: 'strict' })).status).toBe(200)
  })

  test('needs a social with credentials', async () => {
    const bare = await startTestApp()
    expect((await call(bare, 'social', { ...body, origin })).status).toBe(403)
    const { host } = new URL(site)
    expect((await bare.get('/auth/social/callback/github', { Host: host })).status).toBe(421)
    await bare.close()
  })

  test('is limited to a burst of sixty per caller', async () => {
    const answers = await Promise.all(
      Array.from({ length: 62 }, () => call(app, 'social', { ...body, origin }, { site })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60)
    expect(answers.find(({ status }) => status === 429)).toMatchObject({ failure: 'TOO_MANY_ATTEMPTS' })
  })
})

test('the page shows no digits before a press on it', async () => {
  const opened = await begin()
  const html = await (await openPopup(app).signIn(opened.uri, ada)).text()
  expect(html).toContain('I started this: show the code')
  expect(html).toMatch(/<div id="ask" hidden>/)
  // The flow waits: without the press there is nothing to type.
  expect((await claimWith(opened)).json).toEqual({ status: 'pending' })
  expect(await claimWith(opened, { code: '000000' })).toMatchObject({ failure: 'WRONG_CODE' })
})

test('no secret of a sign-in is in the database or the log', async () => {
  const opened = await begin('google')
  const popup = openPopup(app)
  const started = await popup.go(opened.uri)
  const authorizeUrl = new URL(started.headers.get('Location') ?? '')
  const said = { ...ada, name: 'Needle', email: 'needle@example.com' }
  const back = await popup.answer(authorizeUrl.href, said)
  const { ticket } = await handOver(await popup.go(typeof back === 'string' ? back : back.url))
  const { json } = await claimWith(opened, { ticket })
  const dump = JSON.stringify(await app.database.orm.execute(sql`select * from social_flows, users`))
  expect(dump).toContain('google')
  const cookie = started.headers.getSetCookie()[0]?.split(/[=.;]/)[2] ?? ''
  const secrets = [
    ...[opened.flow, opened.claim, opened.deviceToken, ticket, cookie, tokenOf(json), said.email, said.name],
    ...['state', 'nonce', 'code_challenge'].map((name) => authorizeUrl.searchParams.get(name) ?? ''),
    new URL(typeof back === 'string' ? back : back.url).searchParams.get('code') ?? '',
  ]
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(5)
    expect(dump).not.toContain(secret)
    expect(app.log()).not.toContain(secret)
  }
})

function tokenOf(json: unknown): string {
  return /"sessionToken":"([^"]+)"/.exec(JSON.stringify(json))?.[1] ?? ''
}
