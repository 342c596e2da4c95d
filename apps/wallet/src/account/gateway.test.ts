import { manualClock } from '@postern/base/testing/manual-clock'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomSecret } from '../random'
import { refusal } from '../testing/fake-gateway'
import { newKey } from '../testing/fake-proofs'
import { createDpop } from './dpop'
import { createGateway } from './gateway'

const secret = 'a'.repeat(43)
const session = { token: secret, key: await newKey() }
const ownOrigin = 'https://wallet.test'

function setUp(answer: () => Response | Promise<Response>, current: typeof session | null = session) {
  const clock = manualClock()
  const asked: { url: string; init: RequestInit | undefined }[] = []
  const lost: string[] = []
  const dpop = createDpop({
    clock,
    ownOrigin,
    randomSecret,
    fetch: (url, init) => {
      asked.push({ url: String(url), init })
      return Promise.race([
        Promise.resolve().then(answer),
        new Promise<never>((_, reject) => {
          if (init?.signal?.aborted) reject(init.signal.reason)
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
        }),
      ])
    },
  })
  const gateway = createGateway({
    dpop,
    clock,
    projectId: 'a&b',
    session: async () => current,
    onSessionLost: async (failure) => {
      lost.push(failure)
    },
  })
  return { gateway, clock, asked, lost }
}

const ok = (body: unknown) => () => new Response(JSON.stringify(body))

describe('the wallet’s gateway client', () => {
  it('posts JSON to its own origin, with the token only if a session is needed', async () => {
    const { gateway, asked } = setUp(ok({ status: 'approved' }))
    await gateway.call('emailDevice', { flow: secret })
    const [first] = asked
    expect(first?.url).toBe('/auth/email/device?projectId=a%26b')
    expect(first?.init).toMatchObject({ method: 'POST', body: JSON.stringify({ flow: secret }), cache: 'no-store' })
    expect(new Headers(first?.init?.headers).has('authorization')).toBe(false)
    const other = setUp(ok({ authShare: 'x' }))
    await other.gateway.call('deviceShare', {})
    expect(new Headers(other.asked[0]?.init?.headers).get('authorization')).toBe(`DPoP ${secret}`)
  })

  it('1. times out after 20 s, or 30 s for long polls', async () => {
    for (const [name, body, time] of [
      ['wallet', {}, 20_000],
      ['emailDevice', { flow: secret }, 30_000],
    ] as const) {
      const { gateway, clock, asked } = setUp(() => new Promise(() => {}))
      const call = gateway.call(name, body)
      const failed = expect(call).rejects.toMatchObject({ failure: 'TIMEOUT' })
      await expect.poll(() => asked.length).toBe(1)
      clock.advance(time - 1)
      expect(clock.pending()).toBe(1)
      clock.advance(1)
      await failed
      expect(clock.pending()).toBe(0)
    }
  })

  it('1. rejects when its signal aborts', async () => {
    const { gateway, clock } = setUp(() => new Promise(() => {}))
    const stop = new AbortController()
    const call = gateway.call('wallet', {}, { signal: stop.signal })
    stop.abort()
    await expect(call).rejects.toMatchObject({ code: 'ABORTED' })
    expect(clock.pending()).toBe(0)
  })

  it('2. 4. accepts only valid responses, and exposes nothing of a response in a failure', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.integer({ min: 200, max: 599 }), async (body, status) => {
        const { gateway } = setUp(() => new Response(JSON.stringify(body), { status: status < 206 ? 200 : status }))
        const thrown: unknown = await gateway.call('deviceShare', {}).then(
          () => null,
          (failure: unknown) => failure,
        )
        if (thrown === null) expect(body).toMatchObject({ authShare: expect.any(String) })
        else expect(String(thrown)).toMatch(/^(GatewayError: [A-Z_]+|Failure: .*)$/)
      }),
    )
  })

  it('2. treats a response that is not JSON as an unreachable service', async () => {
    const { gateway } = setUp(() => new Response('<html>', { status: 502 }))
    await expect(gateway.call('wallet', {})).rejects.toMatchObject({ failure: 'UNREACHABLE' })
  })

  it('3. makes no call that needs a session without one', async () => {
    const { gateway, asked, lost } = setUp(ok({}), null)
    await expect(gateway.call('signOut', {})).rejects.toMatchObject({ failure: 'SESSION_EXPIRED' })
    expect(asked).toEqual([])
    expect(lost).toEqual([])
  })

  it.each(['confirmExport', 'recover', 'wallet'] as const)(
    'reports a lost session at %s, but not a sign-in that is only too old for it',
    async (name) => {
      const { gateway, lost } = setUp(() => refusal('SIGN_IN_TOO_OLD'))
      await expect(gateway.call(name, {})).rejects.toMatchObject({ failure: 'SIGN_IN_TOO_OLD' })
      expect(lost).toEqual([])
      const { gateway: other, lost: ended } = setUp(() => refusal('SESSION_EXPIRED'))
      await expect(other.call(name, {})).rejects.toMatchObject({ failure: 'SESSION_EXPIRED' })
      expect(ended).toEqual(['SESSION_EXPIRED'])
    },
  )

  it('reports how long to wait, and the messages of spec §8', async () => {
    const { gateway } = setUp(() => refusal('TOO_MANY_ATTEMPTS', 61))
    await expect(gateway.call('wallet', {})).rejects.toMatchObject({ failure: 'TOO_MANY_ATTEMPTS', retryAfter: 61 })
    const { gateway: refusing } = setUp(() =>
      Response.json(
        { status: 'error', reasons: [{ name: 'WRONG_CODE', description: '' }] },
        { status: 403, headers: { 'tries-left': '2' } },
      ),
    )
    await expect(refusing.call('wallet', {})).rejects.toMatchObject({ failure: 'WRONG_CODE', triesLeft: 2 })
    const other = setUp(() => {
      const reasons = [{ name: 'projectId', description: 'Unauthorized: invalid key' }]
      return new Response(JSON.stringify({ status: 'FAILED', reasons }), { status: 401 })
    })
    await expect(other.gateway.call('wallet', {})).rejects.toMatchObject({ code: 'INVALID_PROJECT_ID' })
  })
})
