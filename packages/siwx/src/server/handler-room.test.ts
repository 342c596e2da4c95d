import { describe, expect, it } from 'vitest'
import { noon, visitor } from '../testing/sign-in'
import type { CaipNetworkId } from '../types'
import { memoryProofs, type ProofStore } from './proofs'
import { contractServer, cookieFrom, reason, server } from './testing/server'

type SessionAccount = { readonly chainId: CaipNetworkId; readonly address: string }
const chains = (count: number) => Array.from({ length: count }, (_, at): CaipNetworkId => `eip155:${at + 1}`)
const chainsOf = (sessions: readonly SessionAccount[]) => sessions.map(({ chainId }) => chainId)

function watchedProofs(): ProofStore & { readonly ids: Set<string> } {
  const ids = new Set<string>()
  const proofs = memoryProofs({ now: () => noon })
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

describe('8. sessions that do not fit in a token', () => {
  /** A cookie fits only some of fourteen chains, each with a long URI. */
  function setUpManyChains() {
    const proofs = watchedProofs()
    const made = server({ cookie: {}, networks: () => true, uri: () => true, proofs })
    const uri = 'https://example.com/'.padEnd(300, 'a')
    async function signInOn(all: readonly CaipNetworkId[], cookie = '') {
      const [who, nonce] = [visitor(), await made.nonce()]
      const signed = await Promise.all(all.map((chainId) => who.sign({ chainId, nonce, uri })))
      const response = await made.post('authenticate', { sessions: signed }, { cookie })
      const body: { session: SessionAccount; sessions: SessionAccount[] } = await response.json()
      return { ...body, who, cookie: cookieFrom(response) }
    }
    return { ...made, proofs, signInOn }
  }

  it('are not reported and have no proof; the first chains of a sign-in stay', async () => {
    const { signInOn, get, proofs } = setUpManyChains()
    const { session, sessions, cookie } = await signInOn(chains(14))
    expect(sessions.length).toBeGreaterThan(1)
    expect(sessions.length).toBeLessThan(14)
    expect(chainsOf(sessions)).toEqual(chains(14).slice(0, sessions.length))
    expect(session).toEqual(sessions[0])
    const { sessions: known } = await (await get('me', { cookie })).json()
    expect(chainsOf(known)).toEqual(chainsOf(sessions))
    expect(proofs.ids.size).toBe(sessions.length)
  })

  it('another account’s sessions are dropped before new ones', async () => {
    const { signInOn, get, proofs } = setUpManyChains()
    const first = await signInOn(chains(3))
    const second = await signInOn(chains(4), first.cookie)
    expect(second.sessions).toHaveLength(4)
    const { sessions }: { sessions: SessionAccount[] } = await (await get('me', { cookie: second.cookie })).json()
    const ofFirst = sessions.filter(({ address }) => address === first.who.address)
    expect(ofFirst.length).toBeLessThan(3)
    expect(chainsOf(ofFirst)).toEqual(chains(3).slice(3 - ofFirst.length))
    // Dropped sessions end in the earlier token too.
    const before = await get('me', { cookie: first.cookie })
    expect(before.status === 200 ? (await before.json()).sessions.length : 0).toBe(ofFirst.length)
    expect(proofs.ids.size).toBe(sessions.length)
  })

  it('no session ends if no new one fits', async () => {
    const { post, get, signed } = server({ cookie: { name: 'x'.repeat(1500) }, uri: () => true })
    const anna = visitor()
    const cookie = cookieFrom(await post('authenticate', await signed(anna)))
    const long = await signed(anna, { uri: 'https://example.com/'.padEnd(2000, 'a') })
    expect(await reason(await post('authenticate', long, { cookie }))).toBe('MALFORMED')
    expect((await (await get('me', { cookie })).json()).sessions).toHaveLength(1)
  })

  it('existing sessions stay if the proofs cannot be stored', async () => {
    const broken = { ...memoryProofs({ now: () => noon }), put: () => Promise.reject(new Error('no disk')) }
    let proofs: ProofStore = memoryProofs({ now: () => noon })
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

describe('9. a chain that no longer allows sign-in', () => {
  function narrowing() {
    let allowed: readonly CaipNetworkId[] = ['eip155:1', 'eip155:8453']
    const made = contractServer({ networks: (id) => allowed.includes(id) })
    return { ...made, allow: (...ids: CaipNetworkId[]) => (allowed = ids) }
  }

  it('its sessions are not reported, carried over or rechecked', async () => {
    const { get, signIn, account, allow, requests, pass } = narrowing()
    const [anna, bert] = [visitor(), visitor()]
    const both = await signIn(anna, { chainId: 'eip155:8453' }, { token: await signIn(visitor(), account) })
    allow('eip155:8453')
    pass(60_000)
    const { sessions } = await (await get('me', { token: both })).json()
    expect(sessions).toMatchObject([{ chainId: 'eip155:8453', address: anna.address }])
    expect(requests()).toBe(1)
    const next = await signIn(bert, { chainId: 'eip155:8453' }, { token: both })
    allow('eip155:1', 'eip155:8453')
    expect(chainsOf((await (await get('me', { token: next })).json()).sessions)).toEqual(['eip155:8453', 'eip155:8453'])
  })

  it('the user is signed out if it was the only chain', async () => {
    const { get, post, signIn, allow } = narrowing()
    const token = await signIn(visitor())
    allow('eip155:8453')
    expect((await get('me', { token })).status).toBe(401)
    expect(await (await post('sign-out', {}, { token })).json()).toEqual({ sessions: [] })
    allow('eip155:1')
    expect((await get('me', { token })).status).toBe(401)
  })
})

it('4. a contract signs in on many chains with one nonce, and each chain is asked', async () => {
  const { post, nonce, requests, account } = contractServer({ networks: () => true })
  const [who, one] = [visitor(), await nonce()]
  const signed = await Promise.all(chains(16).map((chainId) => who.sign({ chainId, nonce: one, ...account })))
  const { sessions } = await (await post('authenticate', { sessions: signed })).json()
  expect([sessions.length, requests()]).toEqual([16, 16])
})
