import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { iso, noon, visitor } from '../testing/sign-in'
import type { SignInMessage } from '../types'
import { type SignatureVerifier, UnverifiableError } from '../verifiers/verifier'
import { createNonces } from './nonces'
import { api, minute, reason, server, site } from './testing/server'

describe('createSiwxHandler', () => {
  it('signs a user in, returns the session, and signs out', async () => {
    const { post, get, signed } = server()
    const anna = visitor()
    const response = await post('authenticate', await signed(anna))
    const { token, session, expiresAt } = await response.json()
    expect(session).toMatchObject({ chainId: 'eip155:1', address: anna.address })
    expect(expiresAt).toBe(noon + 7 * 24 * 60 * minute)
    expect(await (await get('me', { token })).json()).toEqual({ sessions: [session], expiresAt, now: noon })
    expect(await (await post('sign-out', {}, { token })).json()).toEqual({ sessions: [] })
    expect((await get('me', { token })).status).toBe(401)
  })

  it('ignores paths that are not its own', async () => {
    const { handler } = server()
    for (const path of ['/', '/siwx', '/siwx/', '/siwx/other', '/siwx/me/', '/siwxme', '/other/me', '/siwx/__proto__'])
      expect(await handler(new Request(`https://api.example.com${path}`))).toBeUndefined()
  })

  it('says which method a path requires', async () => {
    const response = await server().get('nonce')
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
  })

  it('forbids caching of responses', async () => {
    const { post, get } = server()
    for (const response of [await post('nonce', {}), await get('me'), await post('authenticate', {})])
      expect(response.headers.get('cache-control')).toBe('no-store')
  })

  describe('2. the signed message', () => {
    it.each<[string, number, Partial<SignInMessage>]>([
      ['DOMAIN_MISMATCH', 403, { domain: 'evil.com', uri: 'https://evil.com' }],
      ['DOMAIN_MISMATCH', 403, { domain: 'example.com:8443', uri: 'https://example.com:8443' }],
      ['URI_MISMATCH', 403, { uri: 'https://evil.com' }],
      ['CHAIN_NOT_ALLOWED', 403, { chainId: 'eip155:10' }],
      ['EXPIRED', 401, { expirationTime: iso(noon - 2 * minute) }],
      ['NOT_YET_VALID', 401, { notBefore: iso(noon + 2 * minute) }],
      ['NOT_YET_VALID', 401, { issuedAt: iso(noon + 5 * minute) }],
      ['NONCE_INVALID', 401, { nonce: 'abcdefgh12345678' }],
    ])('answers %s with %i', async (name, status, fields) => {
      const { post, signed } = server()
      const response = await post('authenticate', await signed(visitor(), fields))
      expect([response.status, await reason(response)]).toEqual([status, name])
    })

    it('rejects data that differs from the text', async () => {
      const { post, signed } = server()
      const [anna, mallory] = [visitor(), visitor()]
      const session = await signed(anna)
      const changes: Partial<SignInMessage>[] = [
        { accountAddress: mallory.address },
        { chainId: 'eip155:8453' },
        { statement: 'Hello' },
        { expirationTime: iso(noon + minute) },
      ]
      for (const change of changes) {
        const response = await post('authenticate', { ...session, data: { ...session.data, ...change } })
        expect(await reason(response)).toBe('MALFORMED')
      }
      expect((await post('authenticate', session)).status).toBe(200)
    })

    it('accepts a sign-in without data, and ignores a cacao', async () => {
      const { post, signed } = server()
      const { data, ...bare } = await signed(visitor())
      expect((await post('authenticate', bare)).status).toBe(200)
      const cacao = { h: { t: 'caip122' }, p: { iss: 'did:pkh:eip155:1:0x0' }, s: { t: 'eip191', s: '0x' } }
      const response = await post('authenticate', { ...(await signed(visitor())), cacao })
      expect((await response.json()).session.address).not.toBe('0x0')
    })

    it('rejects the signature of another account or text, and keeps the nonce valid', async () => {
      const { post, signed } = server()
      const [anna, mallory] = [visitor(), visitor()]
      const { data, message, signature } = await signed(anna)
      const altered = message.replace('Chain ID: 1\n', 'Chain ID: 8453\n')
      expect(altered).not.toBe(message)
      for (const forged of [
        { message, signature: (await mallory.sign(data)).signature },
        { message: altered, signature },
        { message: message.replace(anna.address, mallory.address), signature },
      ])
        expect(await reason(await post('authenticate', forged))).toBe('SIGNATURE_INVALID')
      expect((await post('authenticate', { message, signature })).status).toBe(200)
    })

    it('rejects a replayed sign-in, and accepts only one of two concurrent ones', async () => {
      const { post, signed } = server()
      const session = await signed(visitor())
      const both = await Promise.all([post('authenticate', session), post('authenticate', session)])
      expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
      expect(await reason(await post('authenticate', session))).toBe('NONCE_INVALID')
    })

    it('rejects a nonce after ten minutes', async () => {
      const { post, signed, pass } = server()
      const session = await signed(visitor())
      pass(10 * minute)
      expect(await reason(await post('authenticate', session))).toBe('NONCE_INVALID')
    })

    it('returns 503 while the chain does not respond; the same sign-in works later', async () => {
      let isDown = true
      const contract: SignatureVerifier = {
        namespace: 'eip155',
        async verify() {
          if (isDown) throw new UnverifiableError('https://rpc.example.com/secret-key answered 500')
          return true
        },
      }
      const { post, signed } = server({ verifiers: [contract] })
      const session = await signed(visitor())
      const response = await post('authenticate', session)
      expect(response.status).toBe(503)
      expect(await response.text()).not.toContain('secret-key')
      isDown = false
      expect((await post('authenticate', session)).status).toBe(200)
    })
  })

  describe('3. sessions per account and chain', () => {
    it('adds another account and another chain', async () => {
      const { get, signIn } = server()
      const [anna, bert] = [visitor(), visitor()]
      const first = await signIn(anna)
      const second = await signIn(bert, {}, { token: first })
      const third = await signIn(anna, { chainId: 'eip155:8453' }, { token: second })
      const { sessions } = await (await get('me', { token: third })).json()
      expect(sessions).toMatchObject([
        { chainId: 'eip155:1', address: anna.address },
        { chainId: 'eip155:1', address: bert.address },
        { chainId: 'eip155:8453', address: anna.address },
      ])
    })

    it('replaces the session of the same account and chain', async () => {
      const { get, signIn } = server()
      const anna = visitor()
      const first = await signIn(anna)
      const token = await signIn(anna, {}, { token: first })
      expect((await (await get('me', { token })).json()).sessions).toHaveLength(1)
      expect((await get('me', { token: first })).status).toBe(401)
    })

    it('adds nothing to an invalid token', async () => {
      const { get, signIn } = server()
      const token = await signIn(visitor(), {}, { token: 'eyJhbGciOiJub25lIn0.e30.' })
      expect((await (await get('me', { token })).json()).sessions).toHaveLength(1)
    })

    it('drops the oldest of more than sixteen', async () => {
      const { get, signIn } = server()
      const all = Array.from({ length: 17 }, visitor)
      let token = ''
      for (const who of all) token = await signIn(who, {}, { token })
      const { sessions } = await (await get('me', { token })).json()
      expect(sessions.map(({ address }: { address: string }) => address)).toEqual(
        all.slice(1).map(({ address }) => address),
      )
    })
  })

  describe('4. one account on several chains at once', () => {
    it('signs in on all with one nonce, which is then used', async () => {
      const { post, get, nonce } = server()
      const [anna, one] = [visitor(), await nonce()]
      const all = [await anna.sign({ nonce: one }), await anna.sign({ nonce: one, chainId: 'eip155:8453' })]
      const { token, sessions } = await (await post('authenticate', { sessions: all })).json()
      expect(sessions).toMatchObject([{ chainId: 'eip155:1' }, { chainId: 'eip155:8453' }])
      expect(await reason(await post('authenticate', { sessions: all }))).toBe('NONCE_INVALID')
      expect(await reason(await post('authenticate', all[1], { token }))).toBe('NONCE_INVALID')
      const left = await post('sign-out', { chainId: 'eip155:1', address: anna.address }, { token })
      expect((await left.json()).sessions).toMatchObject([{ chainId: 'eip155:8453' }])
      expect((await (await get('me', { token })).json()).sessions).toMatchObject([{ chainId: 'eip155:8453' }])
    })

    it('rejects all if one is invalid, a duplicate, or has another account or nonce', async () => {
      const { post, nonce } = server()
      const [anna, bert] = [visitor(), visitor()]
      const one = await nonce()
      const first = await anna.sign({ nonce: one })
      const second = await anna.sign({ nonce: one, chainId: 'eip155:8453' })
      const altered = { ...second, signature: first.signature }
      const send = async (...sessions: unknown[]) => reason(await post('authenticate', { sessions }))
      expect(await send(first, altered)).toBe('SIGNATURE_INVALID')
      const fresh = await nonce()
      const third = await anna.sign({ nonce: fresh })
      expect(await send(third, await bert.sign({ nonce: fresh, chainId: 'eip155:8453' }))).toBe('MALFORMED')
      expect(await send(await anna.sign({ nonce: await nonce() }), await anna.sign({ nonce: await nonce() }))).toBe(
        'MALFORMED',
      )
      const last = await anna.sign({ nonce: await nonce() })
      expect(await send(last, last)).toBe('MALFORMED')
      expect(await send()).toBe('MALFORMED')
    })
  })

  describe('5. signing out', () => {
    it('ends the account’s session on the chain and no other', async () => {
      const { post, get, signIn } = server()
      const [anna, bert] = [visitor(), visitor()]
      let token = await signIn(anna)
      token = await signIn(bert, {}, { token })
      token = await signIn(anna, { chainId: 'eip155:8453' }, { token })
      const account = { chainId: 'eip155:1', address: anna.address.toLowerCase() }
      const answer = await (await post('sign-out', account, { token })).json()
      const left = [
        { chainId: 'eip155:1', address: bert.address },
        { chainId: 'eip155:8453', address: anna.address },
      ]
      expect(answer.sessions).toMatchObject(left)
      expect((await (await get('me', { token: answer.token })).json()).sessions).toMatchObject(left)
    })

    it('ends nothing if only one of the two matches, and rejects one alone', async () => {
      const { post, signIn } = server()
      const anna = visitor()
      const token = await signIn(anna)
      for (const account of [
        { chainId: 'eip155:8453', address: anna.address },
        { chainId: 'eip155:1', address: visitor().address },
      ])
        expect((await (await post('sign-out', account, { token })).json()).sessions).toHaveLength(1)
      for (const half of [{ chainId: 'eip155:1' }, { address: anna.address }])
        expect(await reason(await post('sign-out', half, { token }))).toBe('MALFORMED')
    })

    it('succeeds without a session', async () => {
      const { post, send } = server()
      expect(await (await post('sign-out', {})).json()).toEqual({ sessions: [] })
      const bare = new Request(`${api}/sign-out`, { method: 'POST', headers: { origin: site } })
      expect(await (await send(bare)).json()).toEqual({ sessions: [] })
    })
  })

  it('6. ends a stolen token, and those sessions in a token that the thief derived from it', async () => {
    const { post, get, signIn } = server()
    const token = await signIn(visitor())
    const forked = await signIn(visitor(), {}, { token })
    await post('sign-out', {}, { token })
    expect((await get('me', { token })).status).toBe(401)
    expect((await (await get('me', { token: forked })).json()).sessions).toHaveLength(1)
  })

  describe('7. internal errors', () => {
    const broken = { create: () => Promise.reject(new Error('postgres://user:word@db')) }

    it('are hidden from the user and reported to the server', async () => {
      const seen: unknown[] = []
      const { post } = server({ nonces: { ...createNonces(), ...broken }, onError: (error) => seen.push(error) })
      const response = await post('nonce', {})
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([500, site])
      expect(await response.text()).not.toContain('postgres')
      expect(seen).toEqual([new Error('postgres://user:word@db')])
    })

    it('are thrown if there is no onError', async () => {
      await expect(server({ nonces: { ...createNonces(), ...broken } }).post('nonce', {})).rejects.toThrow('postgres')
    })
  })

  it('publishes the public half of its keys to any origin', async () => {
    const { get, signIn } = server()
    await signIn(visitor())
    const response = await get('jwks.json', { origin: 'https://any.example' })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('cache-control')).toBe('public, max-age=300')
    const { keys: published } = await response.json()
    expect(published).toMatchObject([{ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' }])
    expect(published[0]).not.toHaveProperty('d')
  })

  it('the token identifies the user to other services', async () => {
    const anna = visitor()
    const token = await server().signIn(anna)
    expect(decodeJwt(token)).toMatchObject({
      iss: 'https://api.example.com',
      aud: 'example',
      sub: `eip155:1:${anna.address}`,
      sessions: [{ chainId: 'eip155:1', address: anna.address }],
    })
  })
})
