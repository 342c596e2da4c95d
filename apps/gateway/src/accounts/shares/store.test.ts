import { randomUUID } from 'node:crypto'
import type { Recovery, RecoveryProof, WalletAddresses } from '@postern/protocol'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../platform/db/open'
import { devices, users } from '../../platform/db/schema'
import { authShares, recoveryShares } from '../../platform/db/wallet-schema'
import { SealError } from '../../platform/secrets/sealer'
import { createSecrets, newSecretKeys } from '../../platform/secrets/secrets'
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
/** The caller verifies signatures. */
const chosen = (recovery: Recovery, generation: number) => ({
  recovery,
  recoveryProof: { generation, signature: `0x${String(generation).repeat(130)}` },
})
/** A first wallet, as the store returns it. */
const stored = (method: { readonly recovery: Recovery; readonly recoveryProof: RecoveryProof | null }) => ({
  addresses,
  ...method,
  addressProof: null,
  replaces: null,
  isExposed: true,
})

describe.each(databases)('the share store on $kind', ({ open }) => {
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
    second = await newDevice(first.userId)
  })

  async function newOwner(): Promise<Owner> {
    const userId = randomUUID()
    await database.orm
      .insert(users)
      .values({ id: userId, provider: 'email', subjectHash: userId, createdAt: new Date(at) })
    return newDevice(userId)
  }

  async function newDevice(userId: string): Promise<Owner> {
    const deviceId = randomUUID()
    const now = new Date(at)
    await database.orm
      .insert(devices)
      .values({ id: deviceId, userId, tokenHash: deviceId, createdAt: now, usedAt: now })
    return { userId, deviceId }
  }

  /** Ends a device as sessions do. */
  async function endDevice({ deviceId }: Owner): Promise<void> {
    await database.orm
      .update(devices)
      .set({ revokedAt: new Date(at) })
      .where(eq(devices.id, deviceId))
  }

  function newSplit(name: string = randomUUID()): Split {
    return {
      deviceName: 'Chrome',
      authShare: `auth-${name}`,
      recoveryShare: `recovery-${name}`,
      proofText: `text ${name}`,
      addressProof: null,
    }
  }

  test('1. of wallets created at once, one wins with both of its shares', async () => {
    const splits = [newSplit('a'), newSplit('b'), newSplit('c')]
    const outcomes = await Promise.all(splits.map((split) => store.create(first, fresh, split)))
    expect([...outcomes].sort()).toEqual(['done', 'exists', 'exists'])
    const winner = splits[outcomes.indexOf('done')]
    expect(await store.recoverable(first)).toEqual({
      authShare: winner?.authShare,
      recoveryShare: winner?.recoveryShare,
    })
  })

  test('2. swapped rows do not open', async () => {
    const other = await newOwner()
    await store.create(first, fresh, newSplit())
    await store.create(other, fresh, newSplit())
    const rows = await database.orm.select().from(authShares).where(eq(authShares.userId, other.userId))
    await database.orm
      .update(authShares)
      .set({ sealed: rows[0]?.sealed ?? '' })
      .where(eq(authShares.userId, first.userId))
    await expect(store.authShare(first)).rejects.toThrow(SealError)
  })

  test('2. an auth share in place of a recovery share does not open', async () => {
    await store.create(first, fresh, newSplit())
    await database.orm.execute(
      sql`update recovery_shares set sealed = (select sealed from auth_shares where auth_shares.user_id = recovery_shares.user_id) where user_id = ${first.userId}`,
    )
    await expect(store.recoverable(first)).rejects.toThrow(SealError)
  })

  test('3. accepts a proof once; a retry from the same device succeeds and changes nothing', async () => {
    const [old, current] = [newSplit(), newSplit()]
    await store.create(first, fresh, old)
    expect(await store.create(first, fresh, old)).toBe('done')
    expect(await store.putDevice(first, byGateway, current)).toBe('done')
    expect(await store.putDevice(first, byGateway, current)).toBe('done')
    expect(await store.putDevice(first, byGateway, old)).toBe('replayed')
    expect(await store.putDevice(second, byGateway, current)).toBe('replayed')
    expect(await store.setRecovery(first, chosen(passphrase, 1), old)).toBe('replayed')
    expect(await store.authShare(first)).toBe(current.authShare)
    expect(await store.authShare(second)).toBeNull()
  })

  test('3. rejects a split for a recovery method that has changed', async () => {
    await store.create(first, fresh, newSplit())
    await store.setRecovery(first, chosen(passphrase, 1), newSplit())
    expect(await store.putDevice(second, byGateway, newSplit())).toBe('changed')
    expect(await store.putDevice(second, passphrase, newSplit())).toBe('done')
  })

  test('4. a new method keeps only the recovery share that came with it', async () => {
    const changed = newSplit()
    await store.create(first, fresh, newSplit())
    await store.putDevice(second, byGateway, newSplit())
    await store.setRecovery(second, chosen(passphrase, 1), changed)
    const rows = await database.orm.select().from(recoveryShares).where(eq(recoveryShares.userId, first.userId))
    expect(rows.map(({ deviceId }) => deviceId)).toEqual([second.deviceId])
    expect((await store.recoverable(first))?.recoveryShare).toBe(changed.recoveryShare)
    expect(await store.find(first)).toEqual(stored(chosen(passphrase, 1)))
    const devices = await store.devices(first)
    expect(devices.map(({ isThis, recoverable }) => [isThis, recoverable]).sort()).toEqual([
      [false, true],
      [true, false],
    ])
  })

  test('5. of two devices that remove each other at once, one stays', async () => {
    await store.create(first, fresh, newSplit())
    await store.putDevice(second, byGateway, newSplit())
    const outcomes = await Promise.all([
      store.revoke(first.userId, second.deviceId),
      store.revoke(first.userId, first.deviceId),
    ])
    expect([...outcomes].sort()).toEqual(['done', 'last'])
    expect(await store.devices(first)).toHaveLength(1)
  })

  test('5. the only device that recovery can use cannot be removed, even if there are others', async () => {
    await store.create(first, fresh, newSplit())
    await store.putDevice(second, byGateway, newSplit())
    await store.setRecovery(first, chosen(passphrase, 1), newSplit())
    expect(await store.revoke(first.userId, first.deviceId)).toBe('last')
    expect(await store.revoke(first.userId, second.deviceId)).toBe('done')
  })

  test('6. a new wallet has the gateway’s recovery without a proof; a choice is stored with its proof', async () => {
    await store.create(first, fresh, newSplit())
    expect(await store.find(first)).toEqual(stored({ recovery: byGateway, recoveryProof: null }))
    expect(await store.setRecovery(first, chosen(passphrase, 3), newSplit())).toBe('done')
    expect(await store.find(first)).toEqual(stored(chosen(passphrase, 3)))
  })

  test('6. a choice with the same or an earlier generation cannot replace a later one', async () => {
    await store.create(first, fresh, newSplit())
    await store.putDevice(second, byGateway, newSplit())
    await store.setRecovery(first, chosen(passphrase, 3), newSplit())
    for (const generation of [1, 2, 3])
      expect(await store.setRecovery(second, chosen(byGateway, generation), newSplit())).toBe('changed')
    expect(await store.find(first)).toEqual(stored(chosen(passphrase, 3)))
    expect(await store.setRecovery(second, chosen(byGateway, 4), newSplit())).toBe('done')
  })

  test('6. of two choices at once, one wins, with its share', async () => {
    await store.create(first, fresh, newSplit())
    await store.putDevice(second, byGateway, newSplit())
    const splits = [newSplit(), newSplit()]
    const outcomes = await Promise.all([
      store.setRecovery(first, chosen(passphrase, 1), splits[0] ?? newSplit()),
      store.setRecovery(second, chosen(byGateway, 1), splits[1] ?? newSplit()),
    ])
    expect([...outcomes].sort()).toEqual(['changed', 'done'])
    const winner = splits[outcomes.indexOf('done')]
    expect((await store.recoverable(first))?.recoveryShare).toBe(winner?.recoveryShare)
  })

  test('7. a removed device cannot store a split', async () => {
    await store.create(first, fresh, newSplit())
    await store.putDevice(second, byGateway, newSplit())
    expect(await store.revoke(first.userId, second.deviceId)).toBe('done')
    await endDevice(second)
    expect(await store.putDevice(second, byGateway, newSplit())).toBe('revoked')
    expect(await store.setRecovery(second, chosen(passphrase, 1), newSplit())).toBe('revoked')
    expect(await store.authShare(second)).toBeNull()
    expect((await store.find(first))?.recovery).toEqual(byGateway)
    const stranger = await newOwner()
    await endDevice(stranger)
    expect(await store.create(stranger, fresh, newSplit())).toBe('revoked')
    expect(await store.find(stranger)).toBeNull()
  })

  test('7. a device removed while its split arrives leaves no row, in either order', async () => {
    await store.create(first, fresh, newSplit())
    for (let round = 0; round < 20; round += 1) {
      const device = await newDevice(first.userId)
      const remove = async () => {
        await store.revoke(device.userId, device.deviceId)
        await endDevice(device)
        await store.revoke(device.userId, device.deviceId)
      }
      const handIn = () => store.putDevice(device, byGateway, newSplit())
      const work = round % 2 === 0 ? [handIn(), remove()] : [remove(), handIn(), handIn()]
      await Promise.all(work)
      expect(await store.authShare(device)).toBeNull()
    }
    expect(await store.devices(first)).toHaveLength(1)
  })

  test('does not remove a device of another user', async () => {
    const other = await newOwner()
    await store.create(first, fresh, newSplit())
    await store.create(other, fresh, newSplit())
    await store.revoke(first.userId, other.deviceId)
    expect(await store.authShare(other)).not.toBeNull()
  })

  test('a new device recovers from the most recently used one', async () => {
    const [older, newer] = [newSplit(), newSplit()]
    await store.create(first, fresh, older)
    at += 120_000
    await store.putDevice(second, byGateway, newer)
    expect((await store.recoverable(first))?.authShare).toBe(newer.authShare)
    at += 120_000
    await store.authShare(first)
    expect((await store.recoverable(first))?.authShare).toBe(older.authShare)
  })

  test('deleting a user deletes all of its rows', async () => {
    await store.create(first, fresh, newSplit())
    await database.orm.delete(users).where(eq(users.id, first.userId))
    for (const table of ['wallets', 'auth_shares', 'recovery_shares', 'share_keys', 'share_proofs']) {
      const rows = await database.orm.execute(
        sql`select * from ${sql.identifier(table)} where user_id = ${first.userId}`,
      )
      expect(JSON.stringify(rows)).not.toContain(first.userId)
    }
  })
})
