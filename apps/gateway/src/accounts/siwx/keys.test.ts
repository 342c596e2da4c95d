import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../platform/db/open'
import { siwxKeys } from '../../platform/db/siwx-schema'
import { createSecrets, newSecretKeys, type Secrets } from '../../platform/secrets/secrets'
import { clock } from '../../testing/clock'
import { databases, everyRow } from '../../testing/databases'
import { createRotatingKeys } from './keys'

const day = 86_400_000

describe.each(databases)('signing keys on $kind', ({ kind, open }) => {
  let database: Database
  let secrets: Secrets
  let time: ReturnType<typeof clock>
  beforeEach(async () => {
    database = await open()
    secrets = createSecrets(newSecretKeys())
    time = clock()
  })
  afterEach(() => database.close())

  const gateway = (changes: { readonly secrets?: Secrets; readonly orm?: Database['orm'] } = {}) =>
    createRotatingKeys({
      orm: changes.orm ?? database.orm,
      sealer: (changes.secrets ?? secrets).signIns,
      rotateEvery: 30 * day,
      tokenLifetime: 7 * day,
      now: time.now,
    })
  const kids = async (keys = gateway()) => (await keys.jwks()).keys.map(({ kid }) => kid)

  test('1. a key signs for thirty days, also after a restart, then the next one does', async () => {
    const first = (await gateway().current()).kid
    time.pass(30 * day - 1)
    expect((await gateway().current()).kid).toBe(first)
    time.pass(1)
    expect((await gateway().current()).kid).not.toBe(first)
  })

  test('2. the next key is published a day before it signs, even without sign-ins', async () => {
    const keys = gateway()
    const { kid } = await keys.current()
    time.pass(29 * day - 1)
    expect(await kids(keys)).toEqual([kid])
    time.pass(1)
    await keys.sweep()
    const [next, ...others] = await kids(keys)
    expect(others).toEqual([kid])
    expect((await keys.current()).kid).toBe(kid)
    time.pass(day)
    expect((await keys.current()).kid).toBe(next)
  })

  test('3. a key is published until its last token expires, then deleted', async () => {
    const keys = gateway()
    const { kid } = await keys.current()
    time.pass(37 * day - 1)
    expect(await kids(keys)).toContain(kid)
    time.pass(1)
    expect(await kids(keys)).not.toContain(kid)
    await keys.sweep()
    expect(await rowsText()).toContain(kid)
    time.pass(3_600_001)
    await keys.sweep()
    expect(await rowsText()).not.toContain(kid)
  })

  // The embedded database has one connection.
  const withConnections = kind === 'PostgreSQL' ? [kind] : []
  test.each(withConnections)('3. a sweep does not wait for a key that another transaction of %s locks', async () => {
    const keys = gateway()
    const { kid } = await keys.current()
    time.pass(60 * day)
    await database.orm.transaction(async (holder) => {
      await holder.select().from(siwxKeys).for('update')
      await keys.sweep()
    })
    expect(await rowsText()).toContain(kid)
    await keys.sweep()
    expect(await rowsText()).not.toContain(kid)
  })

  test('4. gateways that create keys at the same time agree', async () => {
    const four = [gateway(), gateway(), gateway(), gateway()]
    const signing = async () => new Set((await Promise.all(four.map((keys) => keys.current()))).map(({ kid }) => kid))
    expect((await signing()).size).toBe(1)
    time.pass(29.5 * day)
    expect((await signing()).size).toBe(1)
    expect(await kids()).toHaveLength(2)
  })

  test('5. gateways with different secrets sign with their own keys, without replacing each other’s', async () => {
    const old = gateway()
    const before = (await old.current()).kid
    const rotated = gateway({ secrets: createSecrets(newSecretKeys()) })
    const after = (await rotated.current()).kid
    expect(after).not.toBe(before)
    expect((await old.current()).kid).toBe(before)
    expect((await rotated.current()).kid).toBe(after)
    expect(new Set(await kids())).toEqual(new Set([before, after]))
  })

  test('5. the private key is sealed in the database and never published', async () => {
    const { kid } = await gateway().current()
    const published = await gateway().jwks()
    expect(Object.keys(published.keys[0] ?? {}).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x'])
    const [row] = await database.orm.select().from(siwxKeys)
    const sealed = row?.privateKey ?? ''
    const seed = secrets.signIns.open(sealed, `siwx key ${kid}`)
    expect(seed).toMatch(/^[\w-]{43}$/)
    expect(await rowsText()).not.toContain(seed)
    expect(() => createSecrets(newSecretKeys()).signIns.open(sealed, `siwx key ${kid}`)).toThrow('does not open')
  })

  test('6. many tokens at once read the keys once', async () => {
    const queries = { select: 0, insert: 0 }
    const orm = new Proxy(database.orm, {
      get(target, name, receiver) {
        if (name === 'select' || name === 'insert') queries[name] += 1
        return Reflect.get(target, name, receiver)
      },
    })
    const keys = gateway({ orm })
    const flood = () => Promise.all(Array.from({ length: 500 }, () => keys.jwks()))
    await flood()
    expect(queries).toEqual({ select: 2, insert: 1 })
    await flood()
    expect(queries).toEqual({ select: 2, insert: 1 })
    time.pass(5_001)
    await flood()
    expect(queries).toEqual({ select: 3, insert: 1 })
  })

  async function rowsText(): Promise<string> {
    return (await everyRow(database)).get('siwx_keys') ?? ''
  }
})
