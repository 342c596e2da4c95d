import { describe, expect, it } from 'vitest'
import { visitor } from '../testing/sign-in'
import type { CaipNetworkId } from '../types'
import { memoryProofs, type ProofStore } from './proofs'
import { contractServer, cookieFrom, reason, server } from './testing/server'

type Told = { readonly chainId: CaipNetworkId; readonly address: string }
const chains = (count: number) => Array.from({ length: count }, (_, at): CaipNetworkId => `eip155:${at + 1}`)
const chainsOf = (sessions: readonly Told[]) => sessions.map(({ chainId }) => chainId)

/** Proofs, and the ids under which any are. */
function watchedProofs(): ProofStore & { readonly ids: Set<string> } {
  const ids = new Set<string>()
  const proofs = memoryProofs()
  return {
    ...proofs,
    ids,
    async put(id, proof, expiresAt) {
      ids.add(id)
      await proofs.put(id, proof, expiresAt)
    },
    async remove(id) {
      ids.delete(id)
      await proofs.remove(id)
    },
  }
}

describe('8. what a token has no room for', () => {
  /** A cookie has room for some of fourteen chains, each with a long URI. */
  function crowded() {
    const proofs = watchedProofs()
    const made = server({ cookie: {}, networks: () => true, uri: () => true, proofs })
    const uri = 'https://example.com/'.padEnd(300, 'a')
    async function signInOn(all: readonly CaipNetworkId[], cookie = '') {
      const [who, nonce] = [visitor(), await made.nonce()]
      const signed = await Promise.all(all.map((chainId) => who.sign({ chainId, nonce, uri })))
      const response = await made.post('authenticate', { sessions: signed }, { cookie })
      const body: { session: Told; sessions: Told[] } = await response.json()
      return { ...body, who, cookie: cookieFrom(response) }
    }
    return { ...made, proofs, signInOn }
  }

  it('is not told as kept, and has no proof: the first chains of a sign-in stay', async () => {
    const { signInOn, get, proofs } = crowded()
    const { session, sessions, cookie } = await signInOn(chains(14))
    expect(sessions.length).toBeGreaterThan(1)
    expect(sessions.length).toBeLessThan(14)
    expect(chainsOf(sessions)).toEqual(chains(14).slice(0, sessions.length))
    expect(session).toEqual(sessions[0])
    const { sessions: known } = await (await get('me', { cookie })).json()
    expect(chainsOf(known)).toEqual(chainsOf(sessions))
    expect(proofs.ids.size).toBe(sessions.length)
  })

  it('is another account’s before any of what begins', async () => {
    const { signInOn, get, proofs } = crowded()
    const first = await signInOn(chains(3))
    const second = await signInOn(chains(4), first.cookie)
    expect(second.sessions).toHaveLength(4)
    const { sessions }: { sessions: Told[] } = await (await get('me', { cookie: second.cookie })).json()
    const ofFirst = sessions.filter(({ address }) => address === first.who.address)
    expect(ofFirst.length).toBeLessThan(3)
    expect(chainsOf(ofFirst)).toEqual(chains(3).slice(3 - ofFirst.length))
    // What left has ended in the token before too, and its proof is gone.
    const before = await get('me', { cookie: first.cookie })
    expect(before.status === 200 ? (await before.json()).sessions.length : 0).toBe(ofFirst.length)
    expect(proofs.ids.size).toBe(sessions.length)
  })

  it('ends nothing where not one session fits', async () => {
    const { post, get, signed } = server({ cookie: { name: 'x'.repeat(1500) }, uri: () => true })
    const anna = visitor()
    const cookie = cookieFrom(await post('authenticate', await signed(anna)))
    const long = await signed(anna, { uri: 'https://example.com/'.padEnd(2000, 'a') })
    expect(await reason(await post('authenticate', long, { cookie }))).toBe('MALFORMED')
    expect((await (await get('me', { cookie })).json()).sessions).toHaveLength(1)
  })

  it('keeps what there was where the proofs cannot be kept', async () => {
    const broken = { ...memoryProofs(), put: () => Promise.reject(new Error('no disk')) }
    let proofs: ProofStore = memoryProofs()
    const through: ProofStore = {
      put: (...given) => proofs.put(...given),
      get: (id) => proofs.get(id),
      remove: (id) => proofs.remove(id),
    }
    const { post, get, signed, signIn } = server({ proofs: through, onError: () => {} })
    const anna = visitor()
    const token = await signIn(anna)
    proofs = broken
    expect((await post('authenticate', await signed(anna), { token })).status).toBe(500)
    expect((await get('me', { token })).status).toBe(200)
  })
})

describe('9. a chain where nobody can sign in any more', () => {
  function narrowing() {
    let allowed: readonly CaipNetworkId[] = ['eip155:1', 'eip155:8453']
    const made = contractServer({ networks: (id) => allowed.includes(id) })
    return { ...made, allow: (...ids: CaipNetworkId[]) => (allowed = ids) }
  }

  it('has no sessions: they are not told, not carried on, and nobody is asked about them', async () => {
    const { get, signIn, account, allow, asked, pass } = narrowing()
    const [anna, bert] = [visitor(), visitor()]
    const both = await signIn(anna, { chainId: 'eip155:8453' }, { token: await signIn(visitor(), account) })
    allow('eip155:8453')
    pass(60_000)
    const { sessions } = await (await get('me', { token: both })).json()
    expect(sessions).toMatchObject([{ chainId: 'eip155:8453', address: anna.address }])
    expect(asked()).toBe(1)
    const next = await signIn(bert, { chainId: 'eip155:8453' }, { token: both })
    allow('eip155:1', 'eip155:8453')
    expect(chainsOf((await (await get('me', { token: next })).json()).sessions)).toEqual(['eip155:8453', 'eip155:8453'])
  })

  it('has nobody signed in where it was the only one', async () => {
    const { get, post, signIn, allow } = narrowing()
    const token = await signIn(visitor())
    allow('eip155:8453')
    expect((await get('me', { token })).status).toBe(401)
    expect(await (await post('sign-out', {}, { token })).json()).toEqual({ sessions: [] })
    allow('eip155:1')
    expect((await get('me', { token })).status).toBe(401)
  })
})

it('4. a contract signs in on many chains at once with one nonce, each of which is asked', async () => {
  const { post, nonce, asked, account } = contractServer({ networks: () => true })
  const [who, one] = [visitor(), await nonce()]
  const signed = await Promise.all(chains(16).map((chainId) => who.sign({ chainId, nonce: one, ...account })))
  const { sessions } = await (await post('authenticate', { sessions: signed })).json()
  expect([sessions.length, asked()]).toEqual([16, 16])
})
