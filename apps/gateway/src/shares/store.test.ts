import { randomUUID } from 'node:crypto'
import type { WalletAddresses } from '@postern/protocol'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../db/open'
import { users } from '../db/schema'
import { authShares, recoveryShares } from '../db/wallet-schema'
import { SealError } from '../secrets/sealer'
import { createSecrets, newSecretKeys } from '../secrets/secrets'
import { databases } from '../testing/databases'
import { passphrase } from '../testing/wallet'
import { createWalletStore, type Owner, type Split, type Wallet, type WalletStore } from './store'

const addresses: WalletAddresses = {
  eip155: '0x00000000219ab540356cBB839Cbe05303d7705Fa',
  solana: '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2',
  bip122: '0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c',
}
const wallet: Wallet = { addresses, recovery: { method: 'gateway' } }

describe.each(databases)('on $kind', ({ open }) => {
  let database: Database
  let store: WalletStore
  let at = 1_700_000_000_000
  beforeAll(async () => {
    database = await open()
    const secrets = createSecrets(newSecretKeys())
    store = createWalletStore({
      database,
      authSealer: secrets.authShares,
      recoverySealer: secrets.recoveryShares,
      now: () => at,
    })
  })
  afterAll(() => database.close())

  let first: Owner
  let second: Owner
  beforeEach(async () => {
    at += 3_600_000
    first = await newOwner()
    second = { userId: first.userId, deviceId: randomUUID() }
  })

  async function newOwner(): Promise<Owner> {
    const userId = randomUUID()
    await database.orm
      .insert(users)
      .values({ id: userId, provider: 'email', subjectHash: userId, createdAt: new Date(at) })
    return { userId, deviceId: randomUUID() }
  }

  function newSplit(name: string = randomUUID()): Split {
    return {
      deviceName: 'Chrome',
      authShare: `auth-${name}`,
      recoveryShare: `recovery-${name}`,
      proofText: `text ${name}`,
    }
  }

  test('1. of two wallets that are made at once one wins, and both of its shares are kept', async () => {
    const splits = [newSplit('a'), newSplit('b'), newSplit('c')]
    const outcomes = await Promise.all(splits.map((split) => store.create(first, wallet, split)))
    expect([...outcomes].sort()).toEqual(['done', 'exists', 'exists'])
    const winner = splits[outcomes.indexOf('done')]
    expect(await store.recoverable(first.userId)).toEqual({
      authShare: winner?.authShare,
      recoveryShare: winner?.recoveryShare,
    })
  })

  test('2. rows that were swapped in the database do not open', async () => {
    const other = await newOwner()
    await store.create(first, wallet, newSplit())
    await store.create(other, wallet, newSplit())
    const rows = await database.orm.select().from(authShares).where(eq(authShares.userId, other.userId))
    await database.orm
      .update(authShares)
      .set({ sealed: rows[0]?.sealed ?? '' })
      .where(eq(authShares.userId, first.userId))
    await expect(store.authShare(first)).rejects.toThrow(SealError)
  })

  test('2. an auth share in the place of a recovery share does not open', async () => {
    await store.create(first, wallet, newSplit())
    await database.orm.execute(
      sql`update recovery_shares set sealed = (select sealed from auth_shares where auth_shares.user_id = recovery_shares.user_id) where user_id = ${first.userId}`,
    )
    await expect(store.recoverable(first.userId)).rejects.toThrow(SealError)
  })

  test('3. a proof is taken once; the same call again from the same device succeeds and changes nothing', async () => {
    const [old, current] = [newSplit(), newSplit()]
    await store.create(first, wallet, old)
    expect(await store.create(first, wallet, old)).toBe('done')
    expect(await store.putDevice(first, wallet.recovery, current)).toBe('done')
    expect(await store.putDevice(first, wallet.recovery, current)).toBe('done')
    expect(await store.putDevice(first, wallet.recovery, old)).toBe('replayed')
    expect(await store.putDevice(second, wallet.recovery, current)).toBe('replayed')
    expect(await store.setRecovery(first, passphrase, old)).toBe('replayed')
    expect(await store.authShare(first)).toBe(current.authShare)
    expect(await store.authShare(second)).toBeNull()
  })

  test('3. a split for a method that is no longer the wallet’s is not taken', async () => {
    await store.create(first, wallet, newSplit())
    await store.setRecovery(first, passphrase, newSplit())
    expect(await store.putDevice(second, wallet.recovery, newSplit())).toBe('changed')
    expect(await store.putDevice(second, passphrase, newSplit())).toBe('done')
  })

  test('4. another method leaves the recovery share that came with it, and no other', async () => {
    const changed = newSplit()
    await store.create(first, wallet, newSplit())
    await store.putDevice(second, wallet.recovery, newSplit())
    await store.setRecovery(second, passphrase, changed)
    const rows = await database.orm.select().from(recoveryShares).where(eq(recoveryShares.userId, first.userId))
    expect(rows.map(({ deviceId }) => deviceId)).toEqual([second.deviceId])
    expect((await store.recoverable(first.userId))?.recoveryShare).toBe(changed.recoveryShare)
    expect(await store.find(first.userId)).toEqual({ addresses, recovery: passphrase })
    const devices = await store.devices(first)
    expect(devices.map(({ isThis, recoverable }) => [isThis, recoverable]).sort()).toEqual([
      [false, true],
      [true, false],
    ])
  })

  test('5. two devices that remove each other at once leave one', async () => {
    await store.create(first, wallet, newSplit())
    await store.putDevice(second, wallet.recovery, newSplit())
    const outcomes = await Promise.all([
      store.revoke(first.userId, second.deviceId),
      store.revoke(first.userId, first.deviceId),
    ])
    expect([...outcomes].sort()).toEqual(['done', 'last'])
    expect(await store.devices(first)).toHaveLength(1)
  })

  test('5. the only device that the recovery method can open stays, though others are there', async () => {
    await store.create(first, wallet, newSplit())
    await store.putDevice(second, wallet.recovery, newSplit())
    await store.setRecovery(first, passphrase, newSplit())
    expect(await store.revoke(first.userId, first.deviceId)).toBe('last')
    expect(await store.revoke(first.userId, second.deviceId)).toBe('done')
  })

  test('a device of somebody else is not removed', async () => {
    const other = await newOwner()
    await store.create(first, wallet, newSplit())
    await store.create(other, wallet, newSplit())
    await store.revoke(first.userId, other.deviceId)
    expect(await store.authShare(other)).not.toBeNull()
  })

  test('the device that was used last is the one that a new device recovers from', async () => {
    const [older, newer] = [newSplit(), newSplit()]
    await store.create(first, wallet, older)
    at += 120_000
    await store.putDevice(second, wallet.recovery, newer)
    expect((await store.recoverable(first.userId))?.authShare).toBe(newer.authShare)
    at += 120_000
    await store.authShare(first)
    expect((await store.recoverable(first.userId))?.authShare).toBe(older.authShare)
  })

  test('nothing of a user is left when the user is deleted', async () => {
    await store.create(first, wallet, newSplit())
    await database.orm.delete(users).where(eq(users.id, first.userId))
    for (const table of ['wallets', 'auth_shares', 'recovery_shares', 'share_proofs']) {
      const rows = await database.orm.execute(
        sql`select * from ${sql.identifier(table)} where user_id = ${first.userId}`,
      )
      expect(JSON.stringify(rows)).not.toContain(first.userId)
    }
  })
})
