import { manualClock } from '@postern/base/testing/manual-clock'
import { describe, expect, it } from 'vitest'
import { randomSecret } from '../random'
import { digestOf, readProof } from '../testing/fake-proofs'
import { createDpop } from './dpop'

const ownOrigin = 'https://wallet.test'
const share = '/wallet/device/share?projectId=demo'
const post = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }
const refusal = (nonce: string) =>
  new Response('{}', {
    status: 401,
    headers: { 'dpop-nonce': nonce, 'www-authenticate': 'DPoP algs="ES256", error="use_dpop_nonce"' },
  })

function setUp(...answers: Response[]) {
  const sent: { headers: Headers; body: unknown }[] = []
  const dpop = createDpop({
    ownOrigin,
    randomSecret,
    clock: manualClock(),
    async fetch(_, init) {
      sent.push({ headers: new Headers(init?.headers), body: init?.body })
      return answers.shift() ?? new Response('{}')
    },
  })
  const proofAt = (at: number) => readProof(sent[at]?.headers.get('dpop') ?? '')
  return { dpop, sent, proofAt }
}

describe('proofs of possession', () => {
  it('1. makes keys that no script can export, each another', async () => {
    const { dpop } = setUp()
    const [one, two] = [await dpop.newKey(), await dpop.newKey()]
    for (const format of ['jwk', 'pkcs8'] as const)
      await expect(crypto.subtle.exportKey(format, one.privateKey)).rejects.toThrow()
    const published = async (key: CryptoKey) => JSON.stringify(await crypto.subtle.exportKey('jwk', key))
    expect(await published(one.publicKey)).not.toBe(await published(two.publicKey))
  })

  it('2. signs for one method, URL and token, with an id of its own', async () => {
    const { dpop, sent, proofAt } = setUp()
    const key = await dpop.newKey()
    await dpop.fetch(share, post, { key, token: 'secret' })
    await dpop.fetch('/auth/email/verify', post, { key })
    const [first, second] = [await proofAt(0), await proofAt(1)]
    expect(first.isSigned && second.isSigned).toBe(true)
    expect(first.payload).toMatchObject({ htm: 'POST', htu: `${ownOrigin}/wallet/device/share` })
    expect(first.payload.ath).toBe(await digestOf('secret'))
    expect(second.payload.ath).toBeUndefined()
    expect(second.payload.jti).not.toBe(first.payload.jti)
    expect(first.header.jwk).toEqual(second.header.jwk)
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual(['DPoP secret', null])
    expect(sent[0]?.headers.get('content-type')).toBe('application/json')
  })

  it('3. repeats a refused call once, with the same body, a new id and the nonce of the refusal', async () => {
    const { dpop, sent, proofAt } = setUp(refusal('one'))
    const key = await dpop.newKey()
    expect((await dpop.fetch(share, post, { key, token: 'secret' })).status).toBe(200)
    const [first, second] = [await proofAt(0), await proofAt(1)]
    expect([first.payload.nonce, second.payload.nonce]).toEqual([undefined, 'one'])
    expect(second.payload.jti).not.toBe(first.payload.jti)
    expect(sent.map(({ body }) => body)).toEqual(['{}', '{}'])
    await dpop.fetch(share, post, { key, token: 'secret' })
    expect(sent).toHaveLength(3)
    expect((await proofAt(2)).payload.nonce).toBe('one')
  })

  it('3. gives up after the second refusal, and repeats no other failure', async () => {
    const { dpop, sent } = setUp(refusal('one'), refusal('two'), new Response('{}', { status: 401 }))
    const key = await dpop.newKey()
    expect((await dpop.fetch(share, post, { key, token: 'secret' })).status).toBe(401)
    expect(sent).toHaveLength(2)
    expect((await dpop.fetch(share, post, { key, token: 'secret' })).status).toBe(401)
    expect(sent).toHaveLength(3)
  })

  it('4. takes the nonce from every answer, also from calls without a proof', async () => {
    const { dpop, sent, proofAt } = setUp(new Response('{}', { headers: { 'dpop-nonce': 'from email' } }))
    await dpop.fetch('/auth/email', post, null)
    expect(sent[0]?.headers.has('dpop')).toBe(false)
    await dpop.fetch('/auth/email/verify', post, { key: await dpop.newKey() })
    expect((await proofAt(1)).payload.nonce).toBe('from email')
  })
})
