import { describe, expect, it } from 'vitest'
import { iso, keyVerifier, noon, visitor } from '../testing/sign-in'
import type { SignInMessage } from '../types'
import { eip155Verifier } from '../verifiers/eip155'
import { type SignatureVerifier, UnverifiableError } from '../verifiers/verifier'
import { createNonces } from './nonces'
import { type SignInRules, verifySignIn } from './verify-sign-in'

const minute = 60_000

function rules(changes: Partial<SignInRules> = {}): SignInRules & { spent: string[] } {
  const spent: string[] = []
  return {
    domain: 'example.com',
    networks: ['eip155:1', 'eip155:8453'],
    verifiers: [keyVerifier()],
    now: () => noon,
    useNonce: async (nonce) => !spent.includes(nonce) && spent.push(nonce) > 0,
    ...changes,
    spent,
  }
}

async function reasonFor(changes: Partial<SignInMessage>, signInRules: SignInRules = rules()): Promise<string> {
  const outcome = await verifySignIn(await visitor().sign(changes), signInRules)
  return outcome.ok ? 'OK' : outcome.reason
}

describe('verifySignIn', () => {
  it('accepts a valid sign-in and returns the signed data', async () => {
    const anna = visitor()
    const signed = await anna.sign({ statement: 'Welcome', expirationTime: iso(noon + minute) })
    expect(await verifySignIn(signed, rules())).toEqual({ ok: true, data: signed.data, contract: false })
  })

  it('1. rejects text that is not a message, non-string input and oversized input', async () => {
    const { message, signature } = await visitor().sign()
    for (const wrong of ['', 'Hello', `${message}\n`, ` ${message}`, message.repeat(2), 'x'.repeat(1_000_000)])
      expect(await verifySignIn({ message: wrong, signature }, rules())).toMatchObject({ reason: 'MALFORMED' })
    for (const wrong of ['', 'f'.repeat(1_000_000)])
      expect(await verifySignIn({ message, signature: wrong }, rules())).toMatchObject({ reason: 'MALFORMED' })
    const untyped: { message: string; signature: string } = JSON.parse('{"message": ["a"], "signature": {}}')
    expect(await verifySignIn(untyped, rules())).toMatchObject({ reason: 'MALFORMED' })
  })

  it('1. rejects a message altered after signing', async () => {
    const { message, signature } = await visitor().sign({ statement: 'Pay nothing' })
    const altered = { message: message.replace('nothing', 'a lot'), signature }
    expect(await verifySignIn(altered, rules())).toMatchObject({ reason: 'SIGNATURE_INVALID' })
  })

  it.each([
    ['evil.com'],
    ['evil.example.com'],
    ['example.com.evil.com'],
    ['example.com:8443'],
    ['EXAMPLE.com'],
    ['example.com.'],
    ['xample.com'],
  ])('2. rejects a message for %s', async (domain) => {
    expect(await reasonFor({ domain, uri: `https://${domain}` })).not.toBe('OK')
    expect(await reasonFor({ domain, uri: 'https://example.com' })).not.toBe('OK')
  })

  it('2. rejects a domain with userinfo', async () => {
    const { message, signature } = await visitor().sign()
    const withUserinfo = message.replace(/^example\.com/, 'example.com@evil.com')
    expect(await verifySignIn({ message: withUserinfo, signature }, rules())).toMatchObject({ ok: false })
  })

  it('2. accepts several domains, and compares their ports', async () => {
    const signInRules = rules({ domain: ['example.com', 'localhost:3000'] })
    expect(await reasonFor({ domain: 'localhost:3000', uri: 'http://localhost:3000' }, signInRules)).toBe('OK')
    expect(await reasonFor({ domain: 'localhost:3001', uri: 'http://localhost:3001' }, signInRules)).toBe(
      'DOMAIN_MISMATCH',
    )
    expect(await reasonFor({ domain: 'localhost', uri: 'http://localhost' }, signInRules)).toBe('DOMAIN_MISMATCH')
  })

  it.each([
    ['https://evil.com'],
    ['https://example.com@evil.com/'],
    ['https://user:word@example.com/'],
    ['https://example.com:8443/'],
    ['https://evil.example.com/'],
    ['did:key:z6Mk'],
    ['ftp://example.com/'],
  ])('2. rejects the URI %s', async (uri) => {
    expect(await reasonFor({ uri })).toBe('URI_MISMATCH')
  })

  it('2. requires the exact origin of the requesting page, including its scheme', async () => {
    const makeRules = () => rules({ origin: 'https://example.com' })
    expect(await reasonFor({ uri: 'https://example.com/login' }, makeRules())).toBe('OK')
    expect(await reasonFor({ uri: 'http://example.com' }, makeRules())).toBe('URI_MISMATCH')
    const plain = { domain: 'localhost:3000', origin: 'http://localhost:3000' }
    expect(await reasonFor({ ...plain, uri: 'http://localhost:3000' }, rules(plain))).toBe('OK')
    expect(await reasonFor({ ...plain, uri: 'https://localhost:3000' }, rules(plain))).toBe('URI_MISMATCH')
  })

  it('1. rejects a message over the server’s limit in bytes', async () => {
    const signed = await visitor().sign({ statement: 'x'.repeat(1000) })
    const bytes = new TextEncoder().encode(signed.message).length
    expect(await verifySignIn(signed, rules({ longestMessage: bytes }))).toMatchObject({ ok: true })
    expect(await verifySignIn(signed, rules({ longestMessage: bytes - 1 }))).toMatchObject({ reason: 'MALFORMED' })
  })

  it('1. rejects a field too long for a token, without using the nonce', async () => {
    const signInRules = rules()
    const uri = (length: number) => 'https://example.com/'.padEnd(length, 'a')
    expect(await reasonFor({ uri: uri(2001) }, signInRules)).toBe('MALFORMED')
    expect(signInRules.spent).toEqual([])
    expect(await reasonFor({ uri: uri(2000) }, signInRules)).toBe('OK')
    expect(await reasonFor({ nonce: 'a'.repeat(2001) })).toBe('MALFORMED')
  })

  it('2. accepts URIs from a list or a function', async () => {
    const uri = 'https://example.com/login'
    expect(await reasonFor({ uri }, rules({ uri }))).toBe('OK')
    expect(await reasonFor({ uri }, rules({ uri: ['https://example.com/other'] }))).toBe('URI_MISMATCH')
    expect(await reasonFor({ uri }, rules({ uri: (uriAsked) => uriAsked.endsWith('/login') }))).toBe('OK')
  })

  it('2. rejects another chain', async () => {
    expect(await reasonFor({ chainId: 'eip155:10' })).toBe('CHAIN_NOT_ALLOWED')
    expect(await reasonFor({ chainId: 'eip155:8453' })).toBe('OK')
    expect(await reasonFor({ chainId: 'eip155:10' }, rules({ networks: (id) => id === 'eip155:10' }))).toBe('OK')
  })

  it('2. rejects expired, not yet valid and future messages, with a minute of clock skew', async () => {
    const at = (now: number, more: Partial<SignInRules> = {}) => rules({ now: () => now, ...more })
    const end = { expirationTime: iso(noon + 5 * minute) }
    expect(await reasonFor(end, at(noon + 6 * minute - 1))).toBe('OK')
    expect(await reasonFor(end, at(noon + 6 * minute))).toBe('EXPIRED')
    expect(await reasonFor(end, at(noon + 5 * minute, { clockSkew: 0 }))).toBe('EXPIRED')
    const begin = { notBefore: iso(noon + 5 * minute) }
    expect(await reasonFor(begin, at(noon + 4 * minute))).toBe('OK')
    expect(await reasonFor(begin, at(noon + 4 * minute - 1))).toBe('NOT_YET_VALID')
    expect(await reasonFor({}, at(noon - minute))).toBe('OK')
    expect(await reasonFor({}, at(noon - minute - 1))).toBe('NOT_YET_VALID')
  })

  it('2. rejects a message issued too long ago', async () => {
    const at = (now: number) => rules({ now: () => now, maxAge: 10 * minute })
    expect(await reasonFor({}, at(noon + 11 * minute))).toBe('OK')
    expect(await reasonFor({}, at(noon + 11 * minute + 1))).toBe('TOO_OLD')
  })

  it('2. asks no verifier about a message for elsewhere', async () => {
    const verifier = keyVerifier()
    const signInRules = rules({ verifiers: [verifier] })
    await reasonFor({ domain: 'evil.com', uri: 'https://evil.com' }, signInRules)
    await reasonFor({ chainId: 'eip155:10' }, signInRules)
    expect([verifier.calls(), signInRules.spent]).toEqual([0, []])
  })

  it('3. rejects an unknown nonce before verifying the signature', async () => {
    const verifier = keyVerifier()
    const signInRules = rules({ verifiers: [verifier], checkNonce: async () => false })
    expect(await reasonFor({}, signInRules)).toBe('NONCE_INVALID')
    expect(verifier.calls()).toBe(0)
  })

  it('4. another account’s attempt does not use up the nonce', async () => {
    const signInRules = rules()
    const [anna, mallory] = [visitor(), visitor()]
    const own = await anna.sign()
    const { signature } = await mallory.sign({ accountAddress: anna.address })
    expect(await verifySignIn({ message: own.message, signature }, signInRules)).toMatchObject({
      reason: 'SIGNATURE_INVALID',
    })
    expect(await verifySignIn(own, signInRules)).toMatchObject({ ok: true })
  })

  it('4. rejects a repeated sign-in', async () => {
    const signInRules = rules()
    const signed = await visitor().sign()
    expect(await verifySignIn(signed, signInRules)).toMatchObject({ ok: true })
    expect(await verifySignIn(signed, signInRules)).toMatchObject({ reason: 'NONCE_INVALID' })
  })

  it('5. accepts only one of two concurrent sign-ins', async () => {
    const signInRules = rules()
    const signed = await visitor().sign()
    const both = await Promise.all([verifySignIn(signed, signInRules), verifySignIn(signed, signInRules)])
    expect(both.filter(({ ok }) => ok)).toHaveLength(1)
  })

  it('6. keeps the nonce valid if the signature could not be verified', async () => {
    let isDown = true
    const contract: SignatureVerifier = {
      namespace: 'eip155',
      async verify() {
        if (isDown) throw new UnverifiableError('The chain does not respond')
        return true
      },
    }
    const signInRules = rules({ verifiers: [contract] })
    const signed = await visitor().sign()
    expect(await verifySignIn(signed, signInRules)).toMatchObject({ reason: 'UNVERIFIABLE' })
    isDown = false
    expect(await verifySignIn(signed, signInRules)).toMatchObject({ ok: true })
  })

  describe('7. chain requests', () => {
    /** Rejects, or its chain is down. Counts requests. */
    function contract(answer: () => boolean) {
      const made = {
        asked: 0,
        verifier: {
          namespace: 'eip155',
          async verify(_, mayAsk) {
            if (mayAsk !== undefined && !(await mayAsk())) return false
            made.asked++
            return answer()
          },
        } satisfies SignatureVerifier,
      }
      return made
    }
    const away = (): boolean => {
      throw new UnverifiableError('The chain does not respond')
    }
    async function sent(signInRules: SignInRules, nonce: string, times: number): Promise<string[]> {
      const reasons: string[] = []
      for (let time = 0; time < times; time++) reasons.push(await reasonFor({ nonce }, signInRules))
      return reasons
    }

    it('stop after three bad signatures per nonce, whichever account they name', async () => {
      const nonces = createNonces({ now: () => noon })
      const watched = contract(() => false)
      const signInRules = rules({ verifiers: [watched.verifier], questions: nonces })
      const nonce = await nonces.create()
      expect(await sent(signInRules, nonce, 5)).toEqual([
        ...['SIGNATURE_INVALID', 'SIGNATURE_INVALID', 'SIGNATURE_INVALID'],
        ...['NONCE_INVALID', 'NONCE_INVALID'],
      ])
      expect(watched.asked).toBe(3)
      expect(await sent(signInRules, await nonces.create(), 1)).toEqual(['SIGNATURE_INVALID'])
    })

    it('are limited under concurrency', async () => {
      const nonces = createNonces({ now: () => noon })
      const watched = contract(() => false)
      const signInRules = rules({ verifiers: [watched.verifier], questions: nonces })
      const nonce = await nonces.create()
      await Promise.all(Array.from({ length: 100 }, () => reasonFor({ nonce }, signInRules)))
      expect(watched.asked).toBeLessThanOrEqual(15)
    })

    it('a nonce survives a long node outage', async () => {
      const nonces = createNonces({ now: () => noon })
      let answer = away
      const watched = contract(() => answer())
      const signInRules = rules({ verifiers: [watched.verifier], questions: nonces })
      const nonce = await nonces.create()
      expect(new Set(await sent(signInRules, nonce, 14))).toEqual(new Set(['UNVERIFIABLE']))
      answer = () => true
      expect(await sent(signInRules, nonce, 2)).toEqual(['OK', 'NONCE_INVALID'])
      answer = away
      expect((await sent(signInRules, await nonces.create(), 17)).slice(15)).toEqual(['NONCE_INVALID', 'NONCE_INVALID'])
    })

    it('do not matter for a key: forged attempts leave its nonce valid', async () => {
      const nonces = createNonces({ now: () => noon })
      const fetch = async () => Response.json({ result: '0x00' })
      const verifier = eip155Verifier({ rpcUrl: () => 'https://rpc.example.com', fetch })
      const signInRules = rules({ verifiers: [verifier], questions: nonces, useNonce: nonces.use })
      const nonce = await nonces.create()
      const [anna, mallory] = [visitor(), visitor()]
      const own = await anna.sign({ nonce })
      const forged = { message: own.message, signature: (await mallory.sign({ nonce })).signature }
      for (let time = 0; time < 5; time++) expect(await verifySignIn(forged, signInRules)).toMatchObject({ ok: false })
      expect(await verifySignIn(own, signInRules)).toMatchObject({ ok: true, contract: false })
    })
  })

  it('6. is UNVERIFIABLE without a verifier for the namespace', async () => {
    expect(await reasonFor({}, rules({ verifiers: [] }))).toBe('UNVERIFIABLE')
  })

  it('asks a contract each time, so a signature that became invalid is rejected', async () => {
    let owner = 'anna'
    const contract: SignatureVerifier = { namespace: 'eip155', verify: async () => owner === 'anna' }
    const before = rules({ verifiers: [contract] })
    const signed = await visitor().sign()
    expect(await verifySignIn(signed, before)).toMatchObject({ ok: true })
    owner = 'bert'
    expect(await verifySignIn(signed, rules({ verifiers: [contract] }))).toMatchObject({ reason: 'SIGNATURE_INVALID' })
  })

  it('passes on a verifier’s unexpected error', async () => {
    const broken: SignatureVerifier = { namespace: 'eip155', verify: () => Promise.reject(new RangeError('broken')) }
    await expect(verifySignIn(await visitor().sign(), rules({ verifiers: [broken] }))).rejects.toThrow('broken')
  })
})
