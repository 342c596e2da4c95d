import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomSecret } from '../random'
import { FakeIndexedDb } from '../testing/fake-indexed-db'
import { newKey } from '../testing/fake-proofs'
import type { StoredShare } from '../window-messages'
import { canKeep, indexedDbRows, memoryRows, type Rows } from './rows'
import { createWalletStore, type WalletStore } from './store'

async function share(userId: string): Promise<StoredShare> {
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
  return { userId, device: { key, iv: new Uint8Array(12), bytes: new Uint8Array([1, 2, 3]) } }
}

const put = (store: WalletStore, given: StoredShare) => store.updateShare(given.userId, () => given)

const session = {
  token: 'a'.repeat(43),
  key: await newKey(),
  expiresAt: 1,
  user: { id: 'u', email: null, userName: null, provider: 'google' },
} as const

const kinds: readonly (readonly [string, () => Rows])[] = [
  ['memory', memoryRows],
  ['IndexedDB', () => indexedDbRows(new FakeIndexedDb(), 'test')],
]

describe.each(kinds)('the wallet store in %s', (_, rows) => {
  it('creates the device token once, also for concurrent calls', async () => {
    const shared = rows()
    const tabs = [createWalletStore(shared, randomSecret), createWalletStore(shared, randomSecret)]
    const tokens = await Promise.all(tabs.flatMap((tab) => [tab.deviceToken(), tab.deviceToken()]))
    expect(new Set(tokens).size).toBe(1)
    expect(tokens[0]).toMatch(/^[A-Za-z0-9_-]{43}$/)
  })

  it('stores non-extractable keys per user', async () => {
    const store = createWalletStore(rows(), randomSecret)
    await put(store, await share('one'))
    await put(store, await share('two'))
    const kept = await store.share('one')
    expect(kept?.device.key.extractable).toBe(false)
    expect(kept?.device.bytes).toEqual(new Uint8Array([1, 2, 3]))
    await store.dropShare('one')
    expect(await store.share('one')).toBeNull()
    expect(await store.share('two')).not.toBeNull()
  })

  it('loses no concurrent change', async () => {
    const shared = rows()
    const one = createWalletStore(shared, randomSecret)
    const two = createWalletStore(shared, randomSecret)
    await Promise.all([
      one.updatePreferences((preferences) => ({ ...preferences, networkId: 'eip155:1' })),
      two.updatePreferences((preferences) => ({ ...preferences, accountTypes: { 'eip155:1': 'eoa' } })),
    ])
    expect(await one.preferences()).toEqual({ networkId: 'eip155:1', accountTypes: { 'eip155:1': 'eoa' } })
  })

  it('moves the whole record, and leaves other users’ shares', async () => {
    const from = createWalletStore(rows(), randomSecret)
    expect(await from.readRecord()).toBeNull()
    await from.deviceToken()
    await from.setSession(session)
    await put(from, await share('u'))
    const record = await from.readRecord()
    const to = createWalletStore(rows(), randomSecret)
    await put(to, await share('other'))
    if (record !== null) await to.writeRecord(record)
    expect(await to.session()).toEqual(session)
    expect((await to.session())?.key.privateKey.extractable).toBe(false)
    expect(await to.deviceToken()).toBe(await from.deviceToken())
    expect(await to.share('u')).not.toBeNull()
    expect(await to.share('other')).not.toBeNull()
  })

  it('1. replaces no share by one for other addresses, also from the window’s record', async () => {
    const bound = async (solana: string): Promise<StoredShare> => {
      const { device } = await share('u')
      const addresses = { eip155: `0x${'a'.repeat(40)}`, solana, bip122: `02${'ab'.repeat(32)}` }
      return { userId: 'u', device: { ...device, binding: { version: 2, userId: 'u', addresses, generation: 0 } } }
    }
    const store = createWalletStore(rows(), randomSecret)
    await put(store, await bound('one'))
    const token = await store.deviceToken()
    await expect(put(store, await bound('two'))).rejects.toMatchObject({ code: 'WALLET_ADDRESSES_CHANGED' })
    await expect(put(store, await share('u'))).rejects.toMatchObject({ code: 'WALLET_ADDRESSES_CHANGED' })
    const record = { deviceToken: randomSecret(), session, shares: [await bound('two')], preferences: {} }
    await expect(store.writeRecord(record)).rejects.toMatchObject({ code: 'WALLET_ADDRESSES_CHANGED' })
    expect((await store.share('u'))?.device.binding?.addresses.solana).toBe('one')
    expect(await store.deviceToken()).toBe(token)
  })

  it('has no session without its key, as an earlier version stored it', async () => {
    const shared = rows()
    const { key: _, ...old } = session
    await shared.update('session', () => old)
    expect(await createWalletStore(shared, randomSecret).session()).toBeNull()
  })

  it('2. neither hides nor replaces a share that it cannot read', async () => {
    const shared = rows()
    const unreadable = { userId: 'u', device: { version: 9 } }
    await shared.update('shares', () => [unreadable])
    const store = createWalletStore(shared, randomSecret)
    await expect(store.share('u')).rejects.toMatchObject({ code: 'WALLET_KEY_MISMATCH' })
    await expect(put(store, await share('u'))).rejects.toMatchObject({ code: 'WALLET_KEY_MISMATCH' })
    await put(store, await share('other'))
    expect(await shared.get('shares')).toContainEqual(unreadable)
  })

  it('ignores malformed values', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (junk) => {
        const shared = rows()
        for (const key of ['deviceToken', 'session', 'shares', 'preferences']) await shared.update(key, () => junk)
        const store = createWalletStore(shared, randomSecret)
        expect(await store.session()).toBeNull()
        expect(await store.share('u')).toBeNull()
        await store.preferences()
        expect(await store.deviceToken()).toMatch(/^[A-Za-z0-9_-]{43}$/)
        await put(store, await share('u'))
        expect(await store.share('u')).not.toBeNull()
      }),
      { numRuns: 25 },
    )
  })
})

describe('canKeep', () => {
  it('tests the storage by using it', async () => {
    expect(await canKeep(indexedDbRows(new FakeIndexedDb(), 'test'), crypto)).toBe(true)
    const refusing: Rows = {
      get: async () => undefined,
      update: async () => {
        throw new DOMException('denied', 'InvalidStateError')
      },
    }
    expect(await canKeep(refusing, crypto)).toBe(false)
    // A private window that stores no keys.
    const failing: Rows = {
      get: async () => undefined,
      update: async () => {
        throw new DOMException('Connection to Indexed Database server lost', 'UnknownError')
      },
    }
    await expect(canKeep(failing, crypto)).rejects.toThrow('lost')
    const forgetful: Rows = { get: async () => undefined, update: async () => undefined }
    expect(await canKeep(forgetful, crypto)).toBe(false)
  })
})
