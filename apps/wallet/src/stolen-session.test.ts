/** A session belongs to its key: what a thief of the token gets, and that the user loses nothing by it. */
import { walletApi } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import { createDpop } from './account/dpop'
import { randomSecret } from './random'
import { databaseName } from './storage/ladder'
import { indexedDbRows } from './storage/rows'
import { fakeGateway } from './testing/fake-gateway'
import { newKey } from './testing/fake-proofs'
import { sign } from './testing/steps'
import { newStorage, storeIn, testFrame, walletOrigin } from './testing/test-frame'
import { openedWindow } from './testing/test-window'
import { WalletRecord } from './window-messages'

async function storedSession(storage: IDBFactory) {
  const session = await storeIn(storage).session()
  if (session === null) throw new Error('signed out')
  return session
}

describe('a session and its key', () => {
  it('gives nothing to a thief of the token, who has another key', async () => {
    const gateway = fakeGateway()
    const storage = newStorage()
    const frame = testFrame({ gateway, storage })
    await frame.signIn()
    await frame.ask('GET_USER', undefined)
    const { token } = await storedSession(storage)
    const dpop = createDpop({ fetch: gateway.fetch, ownOrigin: walletOrigin, randomSecret, clock: frame.clock })
    const asks = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }
    for (const { path, session } of Object.values(walletApi)) {
      if (!session) continue
      const answer = await dpop.fetch(path, asks, { token, key: await newKey() })
      expect(answer.ok).toBe(false)
      expect(await answer.text()).toContain('SESSION_EXPIRED')
    }
    await sign(frame)
  })

  it('is stored with a private half that no script can read', async () => {
    const storage = newStorage()
    await testFrame({ storage }).signIn()
    const { key } = await storedSession(storage)
    await expect(crypto.subtle.exportKey('jwk', key.privateKey)).rejects.toThrow()
    await expect(crypto.subtle.exportKey('pkcs8', key.privateKey)).rejects.toThrow()
  })

  it('is shared by tabs and visits, and every sign-in has another key', async () => {
    const gateway = fakeGateway()
    const storage = newStorage()
    const first = testFrame({ gateway, storage })
    await first.signIn()
    const { address } = await first.ask('GET_USER', undefined)
    const before = await storedSession(storage)
    const second = testFrame({ gateway, storage })
    expect(await second.ask('IS_CONNECTED', undefined)).toEqual({ isConnected: true })
    expect((await second.ask('GET_USER', undefined)).address).toBe(address)
    await Promise.all([sign(first), sign(second)])
    await second.ask('SIGN_OUT', undefined)
    await first.signIn()
    const after = await storedSession(storage)
    const published = (key: CryptoKey) => crypto.subtle.exportKey('jwk', key)
    expect(await published(after.key.publicKey)).not.toEqual(await published(before.key.publicKey))
  })

  it('goes to the wallet window and back with the record', async () => {
    const gateway = fakeGateway()
    const guest = testFrame({ gateway, storage: null })
    await guest.signIn()
    const { address } = await guest.ask('GET_USER', undefined)
    const taken = await (await openedWindow(guest, 'keep')).ask('takeRecord')
    const record = WalletRecord.parse(taken.ok ? taken.payload : null)
    expect(record.session?.key.privateKey.extractable).toBe(false)
    const next = testFrame({ gateway, storage: null })
    const given = await (await openedWindow(next, 'keep')).ask('giveRecord', record)
    expect(given).toMatchObject({ ok: true, payload: { signedIn: true } })
    expect((await next.ask('GET_USER', undefined)).address).toBe(address)
    await sign(next)
  })

  it('of an earlier version, without a key, is signed out: the next sign-in finds the same wallet', async () => {
    const gateway = fakeGateway()
    const storage = newStorage()
    const before = testFrame({ gateway, storage })
    await before.signIn()
    const { address } = await before.ask('GET_USER', undefined)
    const { key: _, ...old } = await storedSession(storage)
    await indexedDbRows(storage, databaseName('demo')).update('session', () => old)
    const frame = testFrame({ gateway, storage })
    expect(await frame.ask('IS_CONNECTED', undefined)).toEqual({ isConnected: false })
    await expect(frame.ask('GET_USER', undefined)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    await frame.signIn()
    expect((await frame.ask('GET_USER', undefined)).address).toBe(address)
    expect(gateway.user('alice@example.com').wallet?.rows.size).toBe(1)
  })

  it('works on after every nonce of the gateway became stale', async () => {
    const frame = testFrame()
    await frame.signIn()
    await frame.ask('GET_USER', undefined)
    for (let times = 0; times < 3; times += 1) {
      frame.gateway.renewNonce()
      await sign(frame)
    }
    expect(frame.notices.map(({ name }) => name)).not.toContain('SESSION_ENDED')
  })

  it('asks the user to sign in again if proofs never arrive, and keeps the session', async () => {
    const storage = newStorage()
    const frame = testFrame({ storage })
    await frame.signIn()
    await frame.ask('GET_USER', undefined)
    const refused = () =>
      new Response(JSON.stringify({ status: 'error', reasons: [{ name: 'DPOP_REFUSED', description: '' }] }), {
        status: 401,
        headers: { 'www-authenticate': 'DPoP error="use_dpop_nonce"' },
      })
    frame.gateway.interrupt('wallet', refused)
    await expect(frame.ask('GET_SECURITY', undefined)).rejects.toMatchObject({ code: 'SIGN_IN_AGAIN' })
    await storedSession(storage)
  })
})
