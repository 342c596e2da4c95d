import { describe, expect, it } from 'vitest'
import { visitor } from '../testing/sign-in'
import { requireSession } from './require-session'
import { contractServer, minute, server, site } from './testing/server'

describe('requireSession', () => {
  it('returns the sessions, by header or by cookie', async () => {
    const { signIn, sessions } = server()
    const anna = visitor()
    const token = await signIn(anna)
    const byHeader = new Request('https://api.example.com/orders', { headers: { authorization: `Bearer ${token}` } })
    expect((await requireSession(byHeader, { sessions })).sessions).toMatchObject([{ address: anna.address }])
    const byCookie = new Request('https://api.example.com/orders', { headers: { cookie: `__Host-siwx=${token}` } })
    expect((await requireSession(byCookie, { sessions, cookie: {} })).sessions).toHaveLength(1)
    await expect(requireSession(byCookie, { sessions })).rejects.toMatchObject({ status: 401 })
  })

  it('throws a response if no user is signed in or a foreign page asks', async () => {
    const { signIn, sessions } = server()
    const token = await signIn(visitor())
    const withoutToken = requireSession(new Request('https://api.example.com/orders'), { sessions })
    const thrown = await withoutToken.catch((error: unknown) => error)
    expect(thrown).toBeInstanceOf(Response)
    expect(thrown).toMatchObject({ status: 401 })
    const headers = { cookie: `__Host-siwx=${token}`, origin: 'https://evil.example.com' }
    const request = new Request('https://api.example.com/orders', { method: 'POST', headers })
    await expect(requireSession(request, { sessions, cookie: {}, origins: [site] })).rejects.toMatchObject({
      status: 403,
    })
  })

  it('ignores sessions on chains outside its networks, earlier ones too', async () => {
    const { signIn, sessions } = server()
    const anna = visitor()
    const base = await signIn(anna, { chainId: 'eip155:8453' })
    const both = await signIn(anna, {}, { token: base })
    const from = (token: string) =>
      new Request('https://api.example.com/orders', { headers: { authorization: `Bearer ${token}` } })
    const chains = async (token: string) =>
      (await requireSession(from(token), { sessions, networks: ['eip155:1'] })).sessions.map(({ chainId }) => chainId)
    expect(await chains(both)).toEqual(['eip155:1'])
    await expect(chains(base)).rejects.toMatchObject({ status: 401 })
    const networks = (id: string) => id === 'eip155:8453'
    expect((await requireSession(from(both), { sessions, networks })).sessions).toHaveLength(1)
  })

  describe('with recheck', () => {
    const from = (token: string) => new Request('https://api.example.com/orders', { headers: bearer(token) })
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

    it('rejects a contract’s session once the contract does, in every copy of its token', async () => {
      const { signIn, sessions, proofs, verifiers, account, turn, now, pass } = contractServer()
      const token = await signIn(visitor(), account)
      const copy = await signIn(visitor(), {}, { token })
      const options = { sessions, recheck: { proofs, verifiers, now } }
      turn(false)
      pass(5 * minute - 1)
      expect((await requireSession(from(token), options)).sessions).toHaveLength(1)
      pass(1)
      expect((await requireSession(from(token), { sessions })).sessions).toHaveLength(1)
      await expect(requireSession(from(token), options)).rejects.toMatchObject({ status: 401 })
      await expect(requireSession(from(token), { sessions })).rejects.toMatchObject({ status: 401 })
      expect((await requireSession(from(copy), options)).sessions).toMatchObject([{ chainId: 'eip155:1' }])
    })

    it('checks each time with `after: 0`, and an unresponsive chain ends nothing', async () => {
      const { signIn, sessions, proofs, verifiers, account, turn, now, requests } = contractServer()
      const token = await signIn(visitor(), account)
      const options = { sessions, recheck: { proofs, verifiers, now, after: 0 } }
      await requireSession(from(token), options)
      await requireSession(from(token), options)
      expect(requests()).toBe(3)
      turn('down')
      expect((await requireSession(from(token), options)).sessions).toHaveLength(1)
      turn(false)
      await expect(requireSession(from(token), options)).rejects.toMatchObject({ status: 401 })
    })
  })
})
