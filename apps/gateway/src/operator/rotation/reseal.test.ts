import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSignIns } from '../../accounts/siwx/siwx'
import { createAccounts, type Identity } from '../../accounts/users/accounts'
import type { Database } from '../../platform/db/open'
import { devices, users } from '../../platform/db/schema'
import { siwxKeys } from '../../platform/db/siwx-schema'
import { createSecrets, newSecretKeys, purposes, type SecretKeys } from '../../platform/secrets/secrets'
import { databases } from '../../testing/databases'
import { runReseal } from './command'
import { reseal } from './reseal'

const now = () => 1_800_000_000_000
const alice: Identity = { provider: 'email', subject: 'alice@example.com', email: 'alice@example.com', userName: null }
const bob: Identity = { provider: 'github', subject: '77', email: 'bob@example.com', userName: 'bob' }

/** `keys` with a new first key of each purpose. */
function rotated(keys: SecretKeys): SecretKeys {
  const fresh = newSecretKeys()
  const rings = purposes.map((purpose) => [
    purpose,
    [...fresh[purpose].map(({ key }) => ({ id: '2', key })), ...keys[purpose]],
  ])
  return withRings(Object.fromEntries(rings), keys)
}
const onlyNewest = (keys: SecretKeys): SecretKeys =>
  withRings(Object.fromEntries(purposes.map((purpose) => [purpose, keys[purpose].slice(0, 1)])), keys)
const withRings = (rings: Partial<SecretKeys>, keys: SecretKeys): SecretKeys => ({ ...keys, ...rings })

describe.each(databases)('secrets reseal on $kind', ({ open }) => {
  let database: Database
  const old = newSecretKeys()
  const both = rotated(old)
  const accountsOf = (keys: SecretKeys) => createAccounts({ orm: database.orm, secrets: createSecrets(keys), now })
  const signInsOf = (keys: SecretKeys) =>
    createSignIns({ database, secrets: createSecrets(keys), rotateEvery: 30 * 86_400_000, now })

  beforeEach(async () => {
    database = await open()
  })
  afterEach(() => database.close())

  test('1., 2. a user is found, shown and known on the device by the new keys alone', async () => {
    const user = await accountsOf(old).userOf(alice)
    await accountsOf(old).deviceOf(user, { tokenHash: 'device', projectId: 'demo', isRestoring: false })
    expect(await reseal(database, createSecrets(both), now)).toMatchObject({
      users: { sealed: 1, failed: 0 },
      waiting: 0,
    })
    const accounts = accountsOf(onlyNewest(both))
    const again = await accounts.userOf(alice)
    expect([again.id, accounts.show(again).email]).toEqual([user.id, 'alice@example.com'])
    const [device] = await database.orm.select().from(devices).where(eq(devices.userId, user.id))
    expect(device?.subjectHash).toBe(accounts.hashesOf('email', 'alice@example.com')[0])
  })

  test('2. a user of a social account is shown by the new keys, and waits for the next sign-in to be found', async () => {
    const { id } = await accountsOf(old).userOf(bob)
    const { text } = await runReseal(database, createSecrets(both), now)
    expect(text).toContain('1 users of social accounts')
    const [row] = await database.orm.select().from(users)
    if (row === undefined) throw new Error('The user is gone')
    expect(accountsOf(onlyNewest(both)).show(row)).toMatchObject({ email: 'bob@example.com', userName: 'bob' })
    expect((await accountsOf(both).userOf(bob)).id).toBe(id)
    expect((await reseal(database, createSecrets(both), now)).waiting).toBe(0)
    expect((await accountsOf(onlyNewest(both)).userOf(bob)).id).toBe(id)
  })

  test('1. keys that sign tokens open by the new keys alone', async () => {
    const signIns = signInsOf(old)
    await signIns.keys.jwks()
    const before = await database.orm.select().from(siwxKeys)
    expect(before.length).toBeGreaterThan(0)
    expect((await reseal(database, createSecrets(both), now)).signIns).toEqual({ sealed: before.length, failed: 0 })
    const { signIns: sealer } = createSecrets(onlyNewest(both))
    for (const { kid, privateKey } of await database.orm.select().from(siwxKeys)) {
      expect(sealer.open(privateKey, `siwx key ${kid}`)).toMatch(/^[\w-]{43}$/)
    }
  })

  test('1. a row that no key opens is left and counted, and a second run changes nothing', async () => {
    await accountsOf(old).userOf(alice)
    const rows = await database.orm.select().from(users)
    const { text, failed } = await runReseal(database, createSecrets(onlyNewest(both)), now)
    expect([text.includes('No key opens 1 users'), failed]).toEqual([true, true])
    expect(await database.orm.select().from(users)).toEqual(rows)
    await reseal(database, createSecrets(both), now)
    expect((await reseal(database, createSecrets(both), now)).users).toEqual({ sealed: 0, failed: 0 })
  })
})
