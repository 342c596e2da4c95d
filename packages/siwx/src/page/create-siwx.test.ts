import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parseMessage } from '../message/parse'
import { iso, keyVerifier, noon, visitor } from '../testing/sign-in'
import type { SignInMessage } from '../types'
import { UnverifiableError } from '../verifiers/verifier'
import { createSiwx, type SiwxOptions } from './create-siwx'
import { localSessions } from './local-sessions'
import { browser } from './testing/browser'

const minute = 60_000
const day = 24 * 60 * minute

beforeEach(() => {
  vi.useFakeTimers({ now: noon, toFake: ['setTimeout', 'clearTimeout', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

function plugin(options: Partial<SiwxOptions> = {}) {
  const sessions = localSessions({ page: browser().tab() })
  return createSiwx({ sessions, domain: 'example.com', uri: 'https://example.com', ...options })
}

/** Flushes store calls. */
const settled = () => vi.advanceTimersByTimeAsync(0)

describe('createSiwx', () => {
  describe('1. a message', () => {
    it('contains page, account, chain and time, and its text is what is signed', async () => {
      const anna = visitor()
      const message = await plugin({ statement: 'Welcome', resources: ['https://example.com/terms'] }).createMessage({
        chainId: 'eip155:8453',
        accountAddress: anna.address,
      })
      expect(message).toMatchObject({
        accountAddress: anna.address,
        chainId: 'eip155:8453',
        domain: 'example.com',
        uri: 'https://example.com',
        version: '1',
        statement: 'Welcome',
        issuedAt: iso(noon),
        expirationTime: iso(noon + 7 * day),
        resources: ['https://example.com/terms'],
      })
      expect(parseMessage(message.toString())).toEqual({ ...message })
    })

    it('creates a session once signed, for an address in any case', async () => {
      const siwx = plugin({ verifiers: [keyVerifier()] })
      const anna = visitor()
      const address = anna.address.toLowerCase()
      const message = await siwx.createMessage({ chainId: 'eip155:1', accountAddress: address })
      const { signature } = await anna.sign({ ...message, accountAddress: anna.address })
      await siwx.addSession({ data: { ...message }, message: message.toString(), signature })
      expect(await siwx.getSessions('eip155:1', anna.address)).toHaveLength(1)
    })

    it('crosses to the modal as plain data', async () => {
      const message = await plugin().createMessage({ chainId: 'eip155:1', accountAddress: visitor().address })
      expect(structuredClone(message)).toEqual({ ...message })
      expect(Object.keys(message)).not.toContain('toString')
    })

    it('has a new nonce each time, or the one that the verifying server issued', async () => {
      const input = { chainId: 'eip155:1', accountAddress: visitor().address } as const
      const siwx = plugin()
      expect((await siwx.createMessage(input)).nonce).not.toBe((await siwx.createMessage(input)).nonce)
      const sessions = { ...localSessions({ page: null }), nonce: async () => 'fromtheserver' }
      expect((await plugin({ sessions }).createMessage(input)).nonce).toBe('fromtheserver')
      const nonce = async () => 'fromtheowner'
      expect((await plugin({ sessions, nonce }).createMessage(input)).nonce).toBe('fromtheowner')
    })

    it('is rejected if it could not be parsed back', async () => {
      const input = { chainId: 'eip155:1', accountAddress: visitor().address } as const
      await expect(plugin({ statement: 'a\nURI: https://evil.com' }).createMessage(input)).rejects.toThrow()
      await expect(plugin({ nonce: async () => 'a b' }).createMessage(input)).rejects.toThrow()
      await expect(plugin().createMessage({ ...input, accountAddress: '0x1' })).rejects.toThrow()
    })
  })

  describe('2. a session', () => {
    it.each<[string, Partial<SignInMessage>]>([
      ['DOMAIN_MISMATCH', { domain: 'evil.com' }],
      ['URI_MISMATCH', { uri: 'http://example.com' }],
      ['URI_MISMATCH', { uri: 'https://evil.com' }],
      ['URI_MISMATCH', { uri: 'did:key:z6Mk' }],
      ['EXPIRED', { expirationTime: iso(noon) }],
      ['NOT_YET_VALID', { notBefore: iso(noon + 2 * minute) }],
    ])('is refused by %s', async (code, fields) => {
      const siwx = plugin()
      const anna = visitor()
      await expect(siwx.addSession(await anna.sign(fields))).rejects.toMatchObject({ code })
      expect(await siwx.getSessions('eip155:1', anna.address)).toEqual([])
    })

    it('is rejected if its text and data differ, or it is malformed', async () => {
      const siwx = plugin()
      const session = await visitor().sign()
      const other = { ...session, data: { ...session.data, accountAddress: visitor().address } }
      await expect(siwx.addSession(other)).rejects.toMatchObject({ code: 'MALFORMED' })
      await expect(siwx.addSession(JSON.parse('{"data": {}}'))).rejects.toMatchObject({ code: 'MALFORMED' })
    })

    it('is rejected if a verifier rejects it or cannot decide', async () => {
      const [anna, mallory] = [visitor(), visitor()]
      const session = await anna.sign()
      const { signature } = await mallory.sign(session.data)
      const siwx = plugin({ verifiers: [keyVerifier()] })
      await expect(siwx.addSession({ ...session, signature })).rejects.toMatchObject({ code: 'SIGNATURE_INVALID' })
      await siwx.addSession(session)
      await expect(plugin({ verifiers: [] }).addSession(session)).rejects.toMatchObject({ code: 'UNVERIFIABLE' })
      const down = { namespace: 'eip155' as const, verify: () => Promise.reject(new UnverifiableError('Down')) }
      await expect(plugin({ verifiers: [down] }).addSession(session)).rejects.toMatchObject({ code: 'UNVERIFIABLE' })
    })

    it('stays if the store rejects another', async () => {
      const sessions = localSessions({ page: null })
      const siwx = plugin({ sessions })
      const anna = visitor()
      await siwx.addSession(await anna.sign())
      const refusing = plugin({ sessions: { ...sessions, add: () => Promise.reject(new Error('No')) } })
      await expect(refusing.addSession(await anna.sign())).rejects.toThrow('No')
      expect(await siwx.getSessions('eip155:1', anna.address)).toHaveLength(1)
    })
  })

  describe('3. chain and address', () => {
    it('both must match to find or end a session', async () => {
      const siwx = plugin()
      const [anna, bert] = [visitor(), visitor()]
      await siwx.setSessions([await anna.sign(), await bert.sign({ chainId: 'eip155:8453', nonce: 'anothernonce' })])
      expect(await siwx.getSessions('eip155:1', anna.address.toLowerCase())).toHaveLength(1)
      expect(await siwx.getSessions('eip155:8453', anna.address)).toEqual([])
      expect(await siwx.getSessions('eip155:1', bert.address)).toEqual([])
      await siwx.revokeSession('eip155:8453', anna.address)
      expect(await siwx.getSessions('eip155:1', anna.address)).toHaveLength(1)
      await siwx.revokeSession('eip155:1', anna.address)
      expect(await siwx.getSessions('eip155:1', anna.address)).toEqual([])
      expect(await siwx.getSessions('eip155:8453', bert.address)).toHaveLength(1)
    })

    it('several sessions are rejected if one is invalid', async () => {
      const siwx = plugin()
      const anna = visitor()
      const wrong = await visitor().sign({ domain: 'evil.com', nonce: 'anothernonce' })
      await expect(siwx.setSessions([await anna.sign(), wrong])).rejects.toMatchObject({ code: 'DOMAIN_MISMATCH' })
      expect(await siwx.getSessions('eip155:1', anna.address)).toEqual([])
    })

    it('an existing session stays as it was stored', async () => {
      const siwx = plugin({ verifiers: [keyVerifier()] })
      const anna = visitor()
      const session = await anna.sign()
      await siwx.addSession(session)
      await siwx.setSessions([{ ...session, signature: '0x', message: 'Another' }])
      expect(await siwx.getSessions('eip155:1', anna.address)).toEqual([session])
    })
  })

  describe('4. a session that expires', () => {
    it('is removed at that moment, and listeners hear it once', async () => {
      const siwx = plugin()
      const anna = visitor()
      let heard = 0
      siwx.subscribe(() => heard++)
      await siwx.addSession(await anna.sign({ expirationTime: iso(noon + minute) }))
      await settled()
      expect([heard, siwx.getSnapshot().length]).toEqual([1, 1])
      await vi.advanceTimersByTimeAsync(minute - 1)
      expect(siwx.getSnapshot()).toHaveLength(1)
      await vi.advanceTimersByTimeAsync(1)
      expect([heard, siwx.getSnapshot().length]).toEqual([2, 0])
      expect(await siwx.getSessions('eip155:1', anna.address)).toEqual([])
    })

    it('is gone after the machine slept, even without listeners', async () => {
      const siwx = plugin()
      const anna = visitor()
      await siwx.addSession(await anna.sign({ expirationTime: iso(noon + minute) }))
      vi.setSystemTime(noon + minute)
      expect(siwx.getSnapshot()).toEqual([])
    })

    it('is timed correctly beyond the max timer delay', async () => {
      const siwx = plugin()
      siwx.subscribe(() => {})
      await siwx.addSession(await visitor().sign({ expirationTime: iso(noon + 60 * day) }))
      await vi.advanceTimersByTimeAsync(60 * day - 1)
      expect(siwx.getSnapshot()).toHaveLength(1)
      await vi.advanceTimersByTimeAsync(1)
      expect(siwx.getSnapshot()).toEqual([])
    })
  })

  describe('5. listeners', () => {
    it('get the same array until something changes', async () => {
      const siwx = plugin()
      const end = siwx.subscribe(() => {})
      await siwx.addSession(await visitor().sign())
      await settled()
      const before = siwx.getSnapshot()
      await siwx.getSessions('eip155:1', visitor().address)
      expect(siwx.getSnapshot()).toBe(before)
      end()
    })

    it('hear changes from another tab', async () => {
      const { tab } = browser()
      const [here, other] = [
        plugin({ sessions: localSessions({ page: tab() }) }),
        plugin({ sessions: localSessions({ page: tab() }) }),
      ]
      other.subscribe(() => {})
      await here.addSession(await visitor().sign())
      await settled()
      expect(other.getSnapshot()).toHaveLength(1)
    })

    it('leave no timer or store listener behind', async () => {
      const page = browser().tab()
      const siwx = plugin({ sessions: localSessions({ page }) })
      const ends = [siwx.subscribe(() => {}), siwx.subscribe(() => {})]
      await siwx.addSession(await visitor().sign({ expirationTime: iso(noon + minute) }))
      await settled()
      expect([vi.getTimerCount(), page.listening()]).toEqual([1, 1])
      for (const end of ends) end()
      expect([vi.getTimerCount(), page.listening()]).toEqual([0, 0])
    })

    it('see no session while the store fails, and the next change after it recovers', async () => {
      const store = localSessions({ page: null })
      let isDown = true
      const all = () => (isDown ? Promise.reject(new Error('Down')) : store.all())
      const siwx = plugin({ sessions: { ...store, all } })
      siwx.subscribe(() => {})
      await settled()
      expect(siwx.getSnapshot()).toEqual([])
      await expect(siwx.getSessions('eip155:1', visitor().address)).rejects.toThrow('Down')
      isDown = false
      await store.add(await visitor().sign())
      await settled()
      expect(siwx.getSnapshot()).toHaveLength(1)
    })
  })

  it('requires sign-in and signs out with the connection by default', () => {
    expect([plugin().getRequired?.(), plugin().signOutOnDisconnect]).toEqual([true, true])
    let required = false
    const siwx = plugin({ required: () => required, signOutOnDisconnect: false })
    expect([siwx.getRequired?.(), siwx.signOutOnDisconnect]).toEqual([false, false])
    required = true
    expect(siwx.getRequired?.()).toBe(true)
    expect(plugin({ required: false }).getRequired?.()).toBe(false)
  })
})
