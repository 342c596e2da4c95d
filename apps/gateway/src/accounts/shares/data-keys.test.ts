import { randomUUID } from 'node:crypto'
import type { Recovery, WalletAddresses } from '@postern/protocol'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../platform/db/open'
import { devices, users } from '../../platform/db/schema'
import { authShares, recoveryShares, shareKeys } from '../../platform/db/wallet-schema'
import { SealError } from '../../platform/secrets/sealer'
import { createSecrets, newSecretKeys, type SecretKeys } from '../../platform/secrets/secrets'
import { noon } from '../../testing/clock'
import { databases } from '../../testing/databases'
import { passphrase } from '../../testing/wallet'
import { createWalletStore, type Owner, type Split, type WalletStore } from './store'

const addresses: WalletAddresses = {
  eip155: '0x00000000219ab540356cBB839Cbe05303d7705Fa',
  solana: '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2',
  bip122: '0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c',
}
const byGateway: Recovery = { method: 'gateway' }
const fresh = { addresses, recovery: byGateway, recoveryProof: null }
const chosen = { recovery: passphrase, recoveryProof: { generation: 1, signature: `0x${'1'.repeat(130)}` } }

describe.each(databases)('data keys on $kind', ({ open }) => {
  let database: Database
  let keys: SecretKeys
  let store: WalletStore
  let first: Owner
  let second: Owner
  beforeAll(async () => {
    database = await open()
  })
  afterAll(() => database.close())
  beforeEach(async () => {
    keys = newSecretKeys()
    store = storeWith(keys)
    await database.orm.delete(users)
    first = await newOwner()
    second = await newDevice(first.userId)
  })

  async function newOwner(): Promise<Owner> {
    const userId = randomUUID()
    const row = { id: userId, provider: 'email', subjectHash: userId, createdAt: new Date(noon) }
    await database.orm.insert(users).values(row)
    return newDevice(userId)
  }

  async function newDevice(userId: string): Promise<Owner> {
    const deviceId = randomUUID()
    const at = new Date(noon)
    await database.orm.insert(devices).values({ id: deviceId, userId, tokenHash: deviceId, createdAt: at, usedAt: at })
    return { userId, deviceId }
  }

  function storeWith(secretKeys: SecretKeys): WalletStore {
    const secrets = createSecrets(secretKeys)
    const { authShares: authSealer, recoveryShares: recoverySealer } = secrets
    return createWalletStore({ database, authSealer, recoverySealer, now: () => noon })
  }

  function newSplit(name: string = randomUUID()): Split {
    const [authShare, recoveryShare] = [`auth-${name}`, `recovery-${name}`]
    return { deviceName: 'Chrome', authShare, recoveryShare, proofText: `text ${name}`, addressProof: null }
  }

  /** A copy of the rows with shares, as a backup has them. */
  async function rowsOf({ userId }: Owner) {
    const auth = await database.orm.select().from(authShares).where(eq(authShares.userId, userId))
    const recovery = await database.orm.select().from(recoveryShares).where(eq(recoveryShares.userId, userId))
    return { auth, recovery }
  }

  /** Puts a copy over the live rows: what a thief of both opens with the live keys. */
  async function restore({ userId }: Owner, { auth, recovery }: Awaited<ReturnType<typeof rowsOf>>): Promise<void> {
    await database.orm.delete(authShares).where(eq(authShares.userId, userId))
    await database.orm.insert(authShares).values(auth)
    await database.orm.insert(recoveryShares).values(recovery)
  }

  test('2. a copy of the rows from before a move does not open with the live keys', async () => {
    await store.create(first, fresh, newSplit())
    await store.putDevice(second, byGateway, newSplit())
    const backup = await rowsOf(first)
    expect(await store.setRecovery(first, chosen, newSplit())).toBe('done')
    await restore(first, backup)
    await expect(store.recoverable(first)).rejects.toThrow(SealError)
    await expect(store.authShare(first)).rejects.toThrow(SealError)
    await expect(store.authShare(second)).rejects.toThrow(SealError)
  })

  test('1. a data key of another user or kind does not open', async () => {
    await store.create(first, fresh, newSplit())
    const other = await newOwner()
    await store.create(other, fresh, newSplit())
    const [theirs] = await database.orm.select().from(shareKeys).where(eq(shareKeys.userId, other.userId))
    const [own] = await database.orm.select().from(shareKeys).where(eq(shareKeys.userId, first.userId))
    if (theirs === undefined || own === undefined) throw new Error('A user has no data key')
    const put = (set: { auth?: string; recovery?: string }) =>
      database.orm.update(shareKeys).set(set).where(eq(shareKeys.userId, first.userId))
    await put({ auth: theirs.auth })
    await expect(store.authShare(first)).rejects.toThrow(SealError)
    await put({ auth: own.recovery })
    await expect(store.authShare(first)).rejects.toThrow(SealError)
    await put({ auth: own.auth, recovery: theirs.recovery })
    await expect(store.recoverable(first)).rejects.toThrow(SealError)
  })

  test('2. a move leaves the auth shares of other devices, and no old data key', async () => {
    const [theirs, changed] = [newSplit(), newSplit()]
    await store.create(first, fresh, newSplit())
    await store.putDevice(second, byGateway, theirs)
    const before = await database.orm.select().from(shareKeys).where(eq(shareKeys.userId, first.userId))
    await store.setRecovery(first, chosen, changed)
    expect(await store.authShare(second)).toBe(theirs.authShare)
    expect(await store.authShare(first)).toBe(changed.authShare)
    const after = await database.orm.select().from(shareKeys).where(eq(shareKeys.userId, first.userId))
    expect([before.length, after.length]).toEqual([1, 1])
    expect([after[0]?.auth, after[0]?.recovery]).not.toContain(before[0]?.auth)
    expect([after[0]?.auth, after[0]?.recovery]).not.toContain(before[0]?.recovery)
  })

  test('2. a refused move keeps the data keys', async () => {
    const split = newSplit()
    await store.create(first, fresh, split)
    const before = await database.orm.select().from(shareKeys)
    expect(await store.setRecovery(first, chosen, split)).toBe('replayed')
    expect(await database.orm.select().from(shareKeys)).toEqual(before)
    expect(await store.authShare(first)).toBe(split.authShare)
  })

  test('2. shares read during a move open, whether the old or the new', async () => {
    const [own, changed] = [newSplit(), newSplit()]
    await store.create(first, fresh, own)
    const reads = Array.from({ length: 20 }, () => store.recoverable(first))
    const [, ...shares] = await Promise.all([store.setRecovery(first, chosen, changed), ...reads])
    for (const pair of shares) expect([own.recoveryShare, changed.recoveryShare]).toContain(pair?.recoveryShare)
  })

  test('3. shares from before data keys open, and are sealed by the job', async () => {
    const [own, theirs] = [newSplit(), newSplit()]
    await store.create(first, fresh, own)
    await store.putDevice(second, byGateway, theirs)
    await withoutDataKeys(first, { [first.deviceId]: own, [second.deviceId]: theirs })
    const backup = await rowsOf(first)
    expect(await store.authShare(first)).toBe(own.authShare)
    expect(await store.sealOlder()).toEqual({ sealed: 1, failed: 0 })
    expect(await store.sealOlder()).toEqual({ sealed: 0, failed: 0 })
    const { auth, recovery } = await rowsOf(first)
    for (const { sealed } of [...auth, ...recovery]) expect(sealed).toMatch(/^data-key\./)
    expect([await store.authShare(first), await store.authShare(second)]).toEqual([own.authShare, theirs.authShare])
    // What such a backup holds ends only with the gateway's key.
    await restore(first, backup)
    expect(await store.authShare(first)).toBe(own.authShare)
    await restore(first, { auth, recovery })
    await rotate()
    expect(await store.authShare(second)).toBe(theirs.authShare)
    await restore(first, backup)
    await expect(store.authShare(first)).rejects.toThrow(SealError)
  })

  test('3. a move of shares from before data keys makes them', async () => {
    const [own, theirs, changed] = [newSplit(), newSplit(), newSplit()]
    await store.create(first, fresh, own)
    await store.putDevice(second, byGateway, theirs)
    await withoutDataKeys(first, { [first.deviceId]: own, [second.deviceId]: theirs })
    expect(await store.setRecovery(first, chosen, changed)).toBe('done')
    expect([await store.authShare(first), await store.authShare(second)]).toEqual([changed.authShare, theirs.authShare])
    const { auth, recovery } = await rowsOf(first)
    for (const { sealed } of [...auth, ...recovery]) expect(sealed).toMatch(/^data-key\./)
  })

  test('3. after a rotation the job wraps the data keys with the current keys; the older ones can go', async () => {
    const split = newSplit()
    await store.create(first, fresh, split)
    await rotate()
    expect((await store.recoverable(first))?.recoveryShare).toBe(split.recoveryShare)
    const [row] = await database.orm.select().from(shareKeys)
    expect([row?.auth, row?.recovery]).toEqual([expect.stringMatching(/^2\./), expect.stringMatching(/^2\./)])
  })

  test('3. shares that no key opens stop the job for no one else', async () => {
    await store.create(first, fresh, newSplit())
    keys = newSecretKeys()
    store = storeWith(keys)
    const other = await newOwner()
    const split = newSplit()
    await store.create(other, fresh, split)
    await withoutDataKeys(other, { [other.deviceId]: split })
    await database.orm.update(shareKeys).set({ auth: 'older.AAAA' }).where(eq(shareKeys.userId, first.userId))
    expect(await store.sealOlder()).toEqual({ sealed: 1, failed: 1 })
    expect(await store.authShare(other)).toBe(split.authShare)
  })

  test('4. the data keys are deleted with the user', async () => {
    await store.create(first, fresh, newSplit())
    await database.orm.delete(users).where(eq(users.id, first.userId))
    expect(await database.orm.select().from(shareKeys)).toEqual([])
  })

  /** Stores the shares as earlier versions did. */
  async function withoutDataKeys({ userId }: Owner, splits: Readonly<Record<string, Split>>): Promise<void> {
    const secrets = createSecrets(keys)
    await database.orm.delete(shareKeys).where(eq(shareKeys.userId, userId))
    for (const [deviceId, { authShare, recoveryShare }] of Object.entries(splits)) {
      const ofDevice = (table: typeof authShares | typeof recoveryShares) =>
        and(eq(table.userId, userId), eq(table.deviceId, deviceId))
      const auth = secrets.authShares.seal(authShare, [userId, deviceId, 'auth'].join('|'))
      const recovery = secrets.recoveryShares.seal(recoveryShare, [userId, deviceId, 'recovery'].join('|'))
      await database.orm.update(authShares).set({ sealed: auth }).where(ofDevice(authShares))
      await database.orm.update(recoveryShares).set({ sealed: recovery }).where(ofDevice(recoveryShares))
    }
  }

  /** New keys of the gateway, the job, then without the older ones. */
  async function rotate(): Promise<void> {
    const next = newSecretKeys()
    const authKey = { id: '2', key: next.authShare[0]?.key ?? '' }
    const recoveryKey = { id: '2', key: next.recoveryShare[0]?.key ?? '' }
    const both = storeWith({
      ...keys,
      authShare: [authKey, ...keys.authShare],
      recoveryShare: [recoveryKey, ...keys.recoveryShare],
    })
    expect(await both.sealOlder()).toEqual({ sealed: 1, failed: 0 })
    store = storeWith({ ...keys, authShare: [authKey], recoveryShare: [recoveryKey] })
  }
})
