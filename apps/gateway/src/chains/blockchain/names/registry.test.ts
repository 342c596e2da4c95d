import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../../platform/db/open'
import { databases } from '../../../testing/databases'
import { createNameRegistry, describeName, maxNames, type NameRegistry, quarantine } from './registry'

const ada = '0x00000000000000000000000000000000000ada00'
const bob = '0x0000000000000000000000000000000000000b0b'

describe.each(databases)('the name registry on $kind', ({ open }) => {
  let database: Database
  let names: NameRegistry
  let now = 0
  beforeAll(async () => {
    database = await open()
  })
  afterAll(() => database.close())
  beforeEach(async () => {
    now = Date.UTC(2026, 0, 1)
    await database.orm.execute(sql`delete from names`)
    names = createNameRegistry(database, { suffix: '.postern', now: () => now })
  })
  const add = (label: string, address: string, by = names) => by.add({ label, address, attributes: {}, chainId: null })

  test('1 a name belongs to the first address that claims it', async () => {
    expect(await names.find('lovelace')).toBeNull()
    const added = await add('lovelace', ada)
    expect(added).toEqual({
      label: 'lovelace',
      address: ada,
      attributes: {},
      chainId: null,
      registeredAt: new Date(now),
    })
    expect(await add('lovelace', bob)).toBe('taken')
    expect(await add('lovelace', ada)).toBe('taken')
    expect(await names.find('lovelace')).toMatchObject({ address: ada })
  })

  test('1 twenty concurrent claims on two replicas register it once', async () => {
    const other = createNameRegistry(database, { suffix: '.postern', now: () => now })
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        add('lovelace', `0x${String(at).padStart(40, '0')}`, at % 2 ? names : other),
      ),
    )
    expect(claims.filter((claim) => typeof claim === 'object')).toHaveLength(1)
    expect(claims.filter((claim) => claim === 'taken')).toHaveLength(19)
  })

  test('1 the table rejects duplicates in any letter case', async () => {
    await add('lovelace', ada)
    const insert = (label: string) =>
      database.orm.execute(sql`insert into names (label, coin_type, address, slot, attributes, registered_at)
        values (${label}, 60, ${bob}, 1, '{}', now())`)
    for (const label of ['lovelace', 'Lovelace', 'LOVELACE', 'love_lace', 'abc', '\u212aelvin'])
      await expect(insert(label)).rejects.toThrow()
  })

  test('2 an address has at most five names', async () => {
    for (let at = 0; at < maxNames; at += 1) expect(await add(`name-${at}`, ada)).toMatchObject({ address: ada })
    expect(await add('one-more', ada)).toBe('full')
    expect(await add('one-more', bob)).toMatchObject({ address: bob })
  })

  test('2 concurrent claims on two replicas do not exceed the limit', async () => {
    const other = createNameRegistry(database, { suffix: '.postern', now: () => now })
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, at) => add(`name-${at}`, ada, at % 2 ? names : other)),
    )
    expect(claims.filter((claim) => typeof claim === 'object')).toHaveLength(maxNames)
    expect((await createNameRegistry(database, { suffix: '.postern', now: () => now }).of(ada)).length).toBe(maxNames)
  })

  test('3 a released name resolves to nothing, and is blocked for 90 days', async () => {
    const other = createNameRegistry(database, { suffix: '.postern', now: () => now })
    await names.add({ label: 'lovelace', address: ada, attributes: { bio: 'of numbers' }, chainId: 'eip155:1' })
    const freeFrom = new Date(now + quarantine)
    expect(await names.release('lovelace', ada)).toEqual({ freeFrom })
    expect(await names.find('lovelace')).toBeNull()
    expect(await names.of(ada)).toEqual([])
    expect(await names.release('lovelace', ada)).toBeNull()
    now += quarantine - 1
    for (const each of [names, other])
      for (const who of [ada, bob]) expect(await add('lovelace', who, each)).toEqual({ freeFrom })
    expect(await names.unavailable(['lovelace'])).toEqual(new Set(['lovelace']))
    expect(await names.resting('lovelace')).toEqual({ freeFrom })
    now += 1
    expect(await names.resting('lovelace')).toBeNull()
    expect(await names.unavailable(['lovelace'])).toEqual(new Set())
    const [first, hers] = await Promise.all([add('lovelace', bob), add('lovelace', ada, other)])
    expect([first, hers]).toContain('taken')
    expect([first, hers]).toContainEqual(expect.objectContaining({ label: 'lovelace', attributes: {}, chainId: null }))
  })

  test('3 only the owner can release a name', async () => {
    await add('lovelace', ada)
    expect(await names.release('lovelace', bob)).toBeNull()
    expect(await names.release('byron', ada)).toBeNull()
    expect(await names.find('lovelace')).toMatchObject({ address: ada })
    expect(await add('byron', bob)).toMatchObject({ address: bob })
  })

  test('3 released names free their slots, and no slot is taken twice', async () => {
    for (let at = 0; at < maxNames; at += 1) await add(`name-${at}`, ada)
    await names.release('name-2', ada)
    await names.release('name-4', ada)
    const claims = await Promise.all(Array.from({ length: 6 }, (_, at) => add(`more-${at}`, ada)))
    expect(claims.filter((claim) => claim !== 'full')).toHaveLength(2)
    expect(await names.of(ada)).toHaveLength(maxNames)
  })

  test('3 a claim during a release fails', async () => {
    await add('lovelace', ada)
    const other = createNameRegistry(database, { suffix: '.postern', now: () => now })
    const [released, ...claims] = await Promise.all([
      names.release('lovelace', ada),
      ...Array.from({ length: 20 }, (_, at) => add('lovelace', bob, at % 2 ? names : other)),
    ])
    expect(released).not.toBeNull()
    expect(claims.filter((claim) => typeof claim === 'object' && 'label' in claim)).toEqual([])
    expect(await names.find('lovelace')).toBeNull()
  })

  test('4 a registration shows at once on its replica, and within 30 s on others', async () => {
    const other = createNameRegistry(database, { suffix: '.postern', now: () => now })
    for (const each of [names, other]) {
      expect(await each.find('lovelace')).toBeNull()
      expect(await each.of(ada)).toEqual([])
    }
    await add('lovelace', ada)
    expect(await names.of(ada)).toMatchObject([{ label: 'lovelace' }])
    expect(await names.find('lovelace')).toMatchObject({ address: ada })
    now += 30_001
    expect(await other.find('lovelace')).toMatchObject({ address: ada })
    expect(await other.of(ada)).toHaveLength(1)
  })

  test('of returns the newest first, and taken returns the registered labels', async () => {
    await add('first', ada)
    now += 1_000
    await add('second', ada)
    expect((await names.of(ada)).map(({ label }) => label)).toEqual(['second', 'first'])
    expect(await names.unavailable(['first', 'third', 'second'])).toEqual(new Set(['first', 'second']))
    expect(await names.unavailable([])).toEqual(new Set())
  })
})

test('describeName returns the shape of interop', () => {
  const registeredAt = new Date(Date.UTC(2026, 0, 1))
  const avatar = 'data:image/png;base64,AAAA'
  expect(
    describeName({ label: 'ada1', address: bob, attributes: { avatar }, chainId: null, registeredAt }, '.postern'),
  ).toEqual({
    name: 'ada1.postern',
    registered_at: '2026-01-01T00:00:00.000Z',
    addresses: {
      60: { address: '0x0000000000000000000000000000000000000B0b', created: '2026-01-01T00:00:00.000Z' },
    },
    attributes: [{ avatar }],
  })
})
