import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { visitor } from '../testing/sign-in'
import { api, cookieFrom, reason, server, site } from './testing/server'

describe('createSiwxHandler with hostile input', () => {
  describe('1. origins', () => {
    it.each([
      ['http://example.com'],
      ['https://example.com:8443'],
      ['https://evil.example.com'],
      ['https://example.com.evil.com'],
      ['https://EXAMPLE.com'],
      ['null'],
      [''],
    ])('rejects %j without a CORS header, and its preflight', async (origin) => {
      const { post, get, send } = server()
      const preflight = new Request(`${api}/authenticate`, { method: 'OPTIONS', headers: { origin } })
      for (const response of [
        await post('nonce', {}, { origin }),
        await get('me', { origin }),
        await send(preflight),
      ]) {
        expect(response.status).toBe(403)
        expect(response.headers.get('access-control-allow-origin')).toBeNull()
        expect(response.headers.get('access-control-allow-credentials')).toBeNull()
        expect(response.headers.get('vary')).toBe('Origin')
      }
    })

    it('rejects a change without an Origin header', async () => {
      const { post } = server()
      for (const route of ['nonce', 'authenticate', 'sign-out'])
        expect(await reason(await post(route, {}, { origin: null }))).toBe('ORIGIN_NOT_ALLOWED')
    })

    it('rejects another site’s post with the user’s cookie, and the session stays', async () => {
      const { post, get, signed } = server({ cookie: {} })
      const cookie = cookieFrom(await post('authenticate', await signed(visitor())))
      expect((await post('sign-out', {}, { cookie, origin: 'https://evil.com' })).status).toBe(403)
      expect((await get('me', { cookie })).status).toBe(200)
    })

    it('rejects a login CSRF from another page', async () => {
      const { post, signed } = server({ cookie: {} })
      const response = await post('authenticate', await signed(visitor()), { origin: 'https://evil.com' })
      expect([response.status, response.headers.get('set-cookie')]).toEqual([403, null])
    })

    it('responds to the preflight of an allowed page', async () => {
      const { send } = server({ cookie: {} })
      const response = await send(new Request(`${api}/me`, { method: 'OPTIONS', headers: { origin: site } }))
      expect(response.status).toBe(204)
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'access-control-allow-origin': site,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers': 'authorization, content-type',
      })
    })

    it('accepts a function for origins', async () => {
      const { post } = server({ origins: (origin) => origin.endsWith('.example.com') })
      expect((await post('nonce', {}, { origin: 'https://app.example.com' })).status).toBe(200)
      expect((await post('nonce', {}, { origin: 'https://example.org' })).status).toBe(403)
    })

    it('rejects opaque and malformed origins even if every page is allowed', async () => {
      const { post, signed } = server({ origins: () => true })
      for (const origin of ['null', 'example.com', '*', '//']) {
        expect((await post('nonce', {}, { origin })).status).toBe(403)
        expect(await reason(await post('authenticate', await signed(visitor()), { origin }))).toBe('ORIGIN_NOT_ALLOWED')
      }
    })

    it('throws for settings that can never match', () => {
      for (const origin of [
        'https://example.com/',
        'https://example.com:443',
        'HTTPS://example.com',
        'example.com',
        '',
      ])
        expect(() => server({ origins: [origin] })).toThrow(TypeError)
      expect(() => server({ domain: 'https://example.com' })).toThrow(TypeError)
    })

    it('binds a sign-in to the requesting page if no domain is set', async () => {
      const { post, signed } = server({ origins: [site, 'https://other.com'] })
      const message = await signed(visitor())
      expect(await reason(await post('authenticate', message, { origin: 'https://other.com' }))).toBe('DOMAIN_MISMATCH')
      expect((await post('authenticate', message)).status).toBe(200)
    })
  })

  it('rejects a message signed for the http page of the same host', async () => {
    const { post, signed } = server()
    const response = await post('authenticate', await signed(visitor(), { uri: 'http://example.com' }))
    expect(await reason(response)).toBe('URI_MISMATCH')
    const named = server({ domain: 'example.com' })
    const again = await named.post('authenticate', await named.signed(visitor(), { uri: 'http://example.com' }))
    expect(await reason(again)).toBe('URI_MISMATCH')
  })

  describe('tokens', () => {
    it('never grow too long: a field over 2000 characters is rejected and ends no session', async () => {
      const { post, get, signed, signIn } = server({ uri: () => true })
      const token = await signIn(visitor())
      const long = await signed(visitor(), { uri: 'https://example.com/'.padEnd(2001, 'a') })
      expect(await reason(await post('authenticate', long, { token }))).toBe('MALFORMED')
      expect((await get('me', { token })).status).toBe(200)
    })

    it('never grow too long: the oldest sessions are dropped', async () => {
      const { get, signIn } = server({ uri: () => true })
      let token = ''
      for (let count = 0; count < 12; count++) {
        const uri = 'https://example.com/'.padEnd(2000, String(count))
        token = await signIn(visitor(), { uri }, { token })
        expect((await get('me', { token })).status).toBe(200)
      }
      expect((await (await get('me', { token })).json()).sessions.length).toBeGreaterThan(2)
    })
  })

  describe('bodies', () => {
    it('rejects a megabyte, declared or not, and stops reading it', async () => {
      const { post, send } = server()
      expect((await post('authenticate', 'x'.repeat(1_000_000))).status).toBe(413)
      let sent = 0
      const endless = new ReadableStream<Uint8Array>({
        pull(controller) {
          sent += 16_384
          controller.enqueue(new Uint8Array(16_384))
        },
      })
      const init = { method: 'POST', headers: { origin: site, 'content-type': 'application/json' }, body: endless }
      const response = await send(new Request(`${api}/authenticate`, { ...init, ...{ duplex: 'half' } }))
      expect(response.status).toBe(413)
      expect(sent).toBeLessThan(200_000)
    })

    it('requires JSON, which a foreign page cannot send without a preflight', async () => {
      const { send } = server()
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', '']) {
        const init = { method: 'POST', headers: { origin: site, 'content-type': type }, body: '{}' }
        expect((await send(new Request(`${api}/sign-out`, init))).status).toBe(415)
      }
    })

    it('ignores object prototype members', async () => {
      const { post, signIn, signed } = server()
      const token = await signIn(visitor())
      const text =
        '{"__proto__": {"chainId": "eip155:1", "address": "0x0", "polluted": 1}, "constructor": {"prototype": {}}}'
      expect((await post('sign-out', text, { token })).status).toBe(200)
      expect(Reflect.get({}, 'polluted')).toBeUndefined()
      const { message, signature } = await signed(visitor())
      const inherited = `{"__proto__": ${JSON.stringify({ message, signature })}}`
      expect(await reason(await post('authenticate', inherited))).toBe('MALFORMED')
      const chain = { chainId: '__proto__', address: 'constructor' }
      expect(await reason(await post('sign-out', chain, { token }))).toBe('MALFORMED')
    })

    it('responds to every body', async () => {
      const { post } = server()
      await fc.assert(
        fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async (text) => {
          const response = await post('authenticate', text)
          expect(response.status).toBe(400)
          expect(await response.json()).toMatchObject({ status: 'error', reasons: [{ name: 'MALFORMED' }] })
        }),
      )
    })
  })

  describe('cookies', () => {
    it('keeps the token from scripts, other sites and the response body', async () => {
      const { post, signed } = server({ cookie: {} })
      const response = await post('authenticate', await signed(visitor()))
      expect(response.headers.get('set-cookie')).toMatch(
        /^__Host-siwx=[\w.-]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
      )
      expect(await response.json()).not.toHaveProperty('token')
    })

    it('reads its cookie among others, adds to it, and clears it at the end', async () => {
      const { post, get, signed } = server({ cookie: { name: 'session' } })
      const first = cookieFrom(await post('authenticate', await signed(visitor())))
      const cookie = cookieFrom(await post('authenticate', await signed(visitor()), { cookie: `a=b; ${first}` }))
      const around = `xsession=no; ${cookie}; session2=no`
      expect((await (await get('me', { cookie: around })).json()).sessions).toHaveLength(2)
      const ended = await post('sign-out', {}, { cookie })
      expect(ended.headers.get('set-cookie')).toBe('session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure')
      expect((await get('me', { cookie })).status).toBe(401)
    })

    it('ignores a name padded with a no-break space, which a sibling host may set', async () => {
      const { post, get, signed } = server({ cookie: {} })
      const [anna, mallory] = [visitor(), visitor()]
      const own = cookieFrom(await post('authenticate', await signed(anna)))
      const theirs = cookieFrom(await post('authenticate', await signed(mallory)))
      for (const planted of [`\u00a0${theirs}`, theirs.replace('=', '\u00a0='), '__Host-siwx!']) {
        expect((await get('me', { cookie: planted })).status).toBe(401)
        const both = await get('me', { cookie: `${planted}; \t${own}` })
        expect(await both.json()).toMatchObject({ sessions: [{ address: anna.address }] })
      }
    })

    it('reads no cookie if none is configured', async () => {
      const { get, signIn } = server()
      const token = await signIn(visitor())
      expect((await get('me', { cookie: `__Host-siwx=${token}` })).status).toBe(401)
    })

    it('never writes a cookie that browsers would drop', async () => {
      const { post, get, signed } = server({ cookie: {}, uri: () => true })
      const uri = `https://example.com/${'a'.repeat(700)}`
      let cookie = ''
      for (let count = 0; count < 6; count++) {
        const response = await post('authenticate', await signed(visitor(), { uri }), { cookie })
        expect(response.headers.get('set-cookie')?.length).toBeLessThan(4096)
        cookie = cookieFrom(response)
      }
      expect((await (await get('me', { cookie })).json()).sessions.length).toBeGreaterThan(1)
      const endless = await signed(visitor(), { uri: `https://example.com/${'a'.repeat(3500)}` })
      expect((await post('authenticate', endless)).status).toBe(400)
    })

    it('throws for settings that browsers would reject', () => {
      for (const cookie of [
        { secure: false, sameSite: 'None' as const },
        { secure: false, name: '__Host-siwx' },
        { name: 'a=b; Domain=evil.com' },
      ])
        expect(() => server({ cookie })).toThrow(TypeError)
      expect(() => server({ basePath: 'siwx' })).toThrow(TypeError)
    })
  })
})
