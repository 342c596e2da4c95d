import type { AnalyticsEvent } from '@postern/protocol'
import { AnalyticsConfig } from '@postern/protocol'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { analyticsCounts, analyticsEvents } from '../../platform/db/money-schema'
import type { Database } from '../../platform/db/open'
import { Project, ProjectInput } from '../../projects/project'
import { createProjectStore, type ProjectStore } from '../../projects/store'
import { startTestApp, type TestApp } from '../../testing/app'
import { noon } from '../../testing/clock'
import { databases } from '../../testing/databases'
import { readEvent, type StoredEvent } from './event'
import { createAnalytics } from './store'

const address = '0x00000000219ab540356cBB839Cbe05303d7705Fa'
const eventOf = (
  changes: Partial<AnalyticsEvent> = {},
  props: Partial<AnalyticsEvent['props']> = {},
): AnalyticsEvent => ({
  eventId: crypto.randomUUID(),
  url: 'https://app.example.com/users/ada?token=hush#there',
  domain: 'app.example.com',
  timestamp: noon,
  props: { type: 'track', event: 'MODAL_OPEN', ...props },
  ...changes,
})

describe('POST /e', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
    const allowedOrigins = ['https://app.example.com']
    for (const [id, more] of Object.entries({
      off: { analytics: { enabled: false } },
      flagged: { features: { analytics: false } },
      named: { analytics: { addresses: true, consent: false } },
    }))
      await app.projects.add(ProjectInput.parse({ id, name: id, allowedOrigins, defaultAncestors: false, ...more }))
  })
  afterAll(() => app.close())
  beforeEach(() => app.database.orm.delete(analyticsEvents))

  const send = (event: unknown, project = 'strict', headers: Record<string, string> = {}) =>
    app.request(`/e?projectId=${project}`, { method: 'POST', body: JSON.stringify(event), headers })
  const stored = async () => {
    await app.analytics.flush()
    return app.database.orm.select().from(analyticsEvents)
  }

  test("stores the event with only the page's origin, and no address", async () => {
    const properties = { method: 'browser', view: 'Connect', mobile: false, ms: 12 }
    const event = eventOf({}, { properties, address })
    expect((await send(event)).status).toBe(202)
    expect(await stored()).toMatchObject([
      {
        projectId: 'strict',
        eventId: event.eventId,
        type: 'track',
        event: 'MODAL_OPEN',
        origin: 'https://app.example.com',
        properties,
        address: null,
      },
    ])
    const all = JSON.stringify(await stored())
    for (const secret of ['hush', 'users', address]) expect(all).not.toContain(secret)
    expect(app.log()).not.toContain('hush')
  })

  test('stores nothing if the project disables analytics, by its setting or by its feature flag', async () => {
    for (const project of ['off', 'flagged']) expect((await send(eventOf(), project)).status).toBe(202)
    expect(await stored()).toEqual([])
  })

  test('stores addresses if the project allows them', async () => {
    await send(eventOf({}, { address, properties: { to: address } }), 'named')
    expect(await stored()).toMatchObject([{ address, properties: { to: address } }])
  })

  test('rejects an event of a page that the project does not allow, from any caller', async () => {
    for (const url of [
      'https://evil.test/',
      'https://app.example.com.evil.test/',
      'https://app.example.com@evil.test/',
    ])
      expect((await send(eventOf({ url }))).status).toBe(403)
    expect((await send(eventOf(), 'strict', { Origin: 'https://evil.test' })).status).toBe(403)
    expect((await send(eventOf(), 'unknown')).status).toBe(401)
    expect(await stored()).toEqual([])
  })

  test.each<[string, unknown]>([
    ['nothing', null],
    ['no event', {}],
    ['no page', eventOf({ url: 'about:blank' })],
    ['a script for a page', eventOf({ url: 'javascript:alert(1)' })],
    ['an invalid name', eventOf({}, { event: 'modal open' })],
    ['a name with a zero byte', eventOf({}, { event: 'MODAL\0' })],
    ['an invalid type', eventOf({}, { type: '<b>' })],
    ['a name without end', eventOf({}, { event: 'A'.repeat(65) })],
    ['an id without end', eventOf({ eventId: 'x'.repeat(65) })],
    ['an id with a zero byte', eventOf({ eventId: 'x\0' })],
  ])('is refused with %s', async (_, event) => {
    expect((await send(event)).status).toBe(400)
  })

  test('an event with invalid characters does not lose other events', async () => {
    const strange = { a: '\0', b: '\ud800', c: 'x\udfff', d: '\u202e', e: '\\u0000', f: "';--" }
    await send(eventOf({}, { properties: strange, address: `${address}\0` }), 'named')
    await send(eventOf({}, { address: `${address}\ud800` }), 'named')
    await send(eventOf())
    expect(await stored()).toMatchObject([
      { properties: { d: '\u202e', e: '\\u0000', f: "';--" }, address: null },
      { address: null },
      { projectId: 'strict' },
    ])
  })

  test('rejects an oversized event', async () => {
    expect((await send(eventOf({}, { properties: { a: 'x'.repeat(20_000) } }))).status).toBe(413)
  })

  test("GET /getAnalyticsConfig returns the project's settings", async () => {
    const config = async (project: string) =>
      AnalyticsConfig.parse(await (await app.get(`/getAnalyticsConfig?projectId=${project}`)).json())
    expect(await config('strict')).toEqual({
      isAnalyticsEnabled: true,
      isConsentNeeded: true,
      isAddressAllowed: false,
    })
    expect(await config('named')).toEqual({ isAnalyticsEnabled: true, isConsentNeeded: false, isAddressAllowed: true })
    expect(await config('off')).toMatchObject({ isAnalyticsEnabled: false })
    expect(await config('flagged')).toMatchObject({ isAnalyticsEnabled: false })
  })
})

describe('readEvent', () => {
  const at = '2026-01-01T00:00:00.000Z'
  const project = Project.parse({
    ...ProjectInput.parse({ id: 'demo', name: 'Demo', defaultAncestors: true }),
    createdAt: at,
    updatedAt: at,
  })
  const propertiesOf = (properties: Record<string, unknown>, addresses = false) => {
    const read = readEvent(
      eventOf({}, { properties }),
      { ...project, analytics: { ...project.analytics, addresses } },
      0,
    )
    return read.ok ? read.event.properties : null
  }

  test.each([
    ['an EVM address', address],
    ['one in a sentence', `from ${address}.`],
    ['one without its beginning', address.slice(2)],
    ['a CAIP-10 account', `eip155:1:${address}`],
    ['a transaction', `0x${'ab'.repeat(32)}`],
    ['an address of Solana', 'oeYf6KAJkLYhBuR8CiGc6L4D4Xtfepr85fuDgA9kq96'],
    ['an address of Bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ['an old one', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
    ['one after an underscore', 'to_bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ['one between two', 'from_oeYf6KAJkLYhBuR8CiGc6L4D4Xtfepr85fuDgA9kq96_'],
  ])('3 drops %s, unless the project allows addresses', (_, text) => {
    expect(propertiesOf({ text })).toEqual({})
    expect(propertiesOf({ text }, true)).toEqual({ text })
  })

  test('3 drops properties with an address in their name, unless the project allows addresses', () => {
    const properties = { oeYf6KAJkLYhBuR8CiGc6L4D4Xtfepr85fuDgA9kq96: true, [`to_${address}`]: 1, method: 'browser' }
    expect(propertiesOf(properties)).toEqual({ method: 'browser' })
    expect(propertiesOf(properties, true)).toEqual(properties)
  })

  test('3 always drops email addresses', () => {
    for (const addresses of [true, false]) expect(propertiesOf({ text: 'ada@example.com' }, addresses)).toEqual({})
  })

  test('2 drops nested, oversized and excess properties', () => {
    const properties = {
      a: { deep: 1 },
      b: [1],
      c: null,
      d: 'x'.repeat(129),
      e: 'with\0zero',
      '<f>': 1,
      g: 'kept',
      h: 0,
      i: false,
    }
    expect(propertiesOf(properties)).toEqual({ g: 'kept', h: 0, i: false })
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`p${at}`, at]))
    expect(Object.keys(propertiesOf(many) ?? {})).toHaveLength(20)
    expect(propertiesOf(JSON.parse('{"__proto__": "x", "constructor": "y"}'))).toEqual({ constructor: 'y' })
  })
})

describe.each(databases)('events on $kind', ({ open }) => {
  let database: Database
  let projects: ProjectStore
  let now = 0
  const warnings: unknown[] = []
  const log = { warn: (line: unknown) => void warnings.push(line) }
  const make = (more: { max?: number; perProject?: number; perDay?: number } = {}) =>
    createAnalytics({ database, log, now: () => now, days: 30, ...more })
  const eventAt = (changes: Partial<StoredEvent> = {}): StoredEvent => ({
    projectId: 'one',
    eventId: crypto.randomUUID(),
    type: 'track',
    event: 'CONNECT',
    origin: 'https://app.example.com',
    properties: {},
    address: null,
    receivedAt: now,
    ...changes,
  })
  const counts = () => database.orm.select().from(analyticsCounts).orderBy(analyticsCounts.day, analyticsCounts.event)
  const events = () => database.orm.select().from(analyticsEvents)
  beforeAll(async () => {
    database = await open()
    projects = createProjectStore(database, () => now)
  })
  afterAll(() => database.close())
  beforeEach(async () => {
    now = Date.UTC(2026, 0, 31, 12)
    warnings.length = 0
    for (const id of ['one', 'two']) {
      await projects.remove(id)
      await projects.add(ProjectInput.parse({ id, name: id }))
    }
  })

  test('3, 4 counts events by project, day and name, and a duplicate once', async () => {
    const analytics = make()
    const twice = eventAt()
    for (const event of [twice, twice, eventAt(), eventAt({ event: 'SWAP' }), eventAt({ projectId: 'two' })])
      analytics.take(event)
    await analytics.flush()
    analytics.take(twice)
    analytics.take(eventAt())
    await analytics.flush()
    expect(await counts()).toEqual(
      expect.arrayContaining([
        { projectId: 'one', day: '2026-01-31', event: 'CONNECT', count: 3 },
        { projectId: 'one', day: '2026-01-31', event: 'SWAP', count: 1 },
        { projectId: 'two', day: '2026-01-31', event: 'CONNECT', count: 1 },
      ]),
    )
    expect(await events()).toHaveLength(5)
  })

  test('4 counts at most a hundred names per project and day', async () => {
    const analytics = make()
    for (let at = 0; at < 150; at += 1) analytics.take(eventAt({ event: `MADE_UP_${at}` }))
    await analytics.flush()
    expect(await counts()).toHaveLength(100)
  })

  test('2 limits the queue, also per project, and logs how many events it drops', async () => {
    const analytics = make({ max: 5, perProject: 3 })
    const results = ['one', 'one', 'one', 'one', 'two', 'two', 'two'].map((projectId) =>
      analytics.take(eventAt({ projectId })),
    )
    expect(results).toEqual([true, true, true, false, true, true, false])
    await analytics.flush()
    expect(await events()).toHaveLength(5)
    expect(warnings).toEqual([{ dropped: 2 }])
    expect(analytics.take(eventAt())).toBe(true)
  })

  test('2 limits the events per project and day, without affecting other projects and days', async () => {
    const analytics = make({ perDay: 3 })
    for (let at = 0; at < 2; at += 1) analytics.take(eventAt())
    await analytics.flush()
    for (let at = 0; at < 4; at += 1) analytics.take(eventAt())
    analytics.take(eventAt({ projectId: 'two' }))
    await analytics.flush()
    expect(await events()).toHaveLength(4)
    await analytics.flush()
    expect(warnings).toEqual([{ dropped: 3 }])
    now += 86_400_000
    analytics.take(eventAt())
    await analytics.flush()
    expect(await events()).toHaveLength(5)
  })

  test('1 two replicas that write at once lose no events', async () => {
    const [here, other] = [make(), make()]
    for (let at = 0; at < 600; at += 1) (at % 2 ? here : other).take(eventAt())
    await Promise.all([here.flush(), other.flush()])
    expect(await counts()).toMatchObject([{ count: 600 }])
  })

  test('ignores events of a deleted project, and keeps those of others', async () => {
    const analytics = make()
    analytics.take(eventAt())
    analytics.take(eventAt({ projectId: 'two' }))
    await projects.remove('two')
    await analytics.flush()
    expect(await events()).toMatchObject([{ projectId: 'one' }])
  })

  test('deletes events with their project', async () => {
    const analytics = make()
    analytics.take(eventAt())
    await analytics.flush()
    await projects.remove('one')
    expect(await events()).toEqual([])
    expect(await counts()).toEqual([])
  })

  test('5 deletes events after the retention period, and keeps the counts', async () => {
    const analytics = make()
    analytics.take(eventAt())
    await analytics.flush()
    now += 30 * 86_400_000 - 1
    await analytics.sweep()
    expect(await events()).toHaveLength(1)
    now += 2
    await analytics.sweep()
    expect(await events()).toEqual([])
    expect(await counts()).toMatchObject([{ count: 1 }])
  })

  test('5 keeps events as long as their project says', async () => {
    await projects.update('one', { analyticsDays: 7 })
    const analytics = make()
    analytics.take(eventAt())
    await analytics.flush()
    now += 7 * 86_400_000 - 1
    await analytics.sweep()
    expect(await events()).toHaveLength(1)
    now += 2
    await analytics.sweep()
    expect(await events()).toEqual([])
  })

  test('stores SQL in an event as plain text', async () => {
    const analytics = make()
    const hostile = "'); drop table analytics_events; --"
    analytics.take(eventAt({ eventId: hostile, properties: { text: hostile } }))
    await analytics.flush()
    const [row] = await database.orm.select().from(analyticsEvents).where(eq(analyticsEvents.eventId, hostile))
    expect(row?.properties).toEqual({ text: hostile })
    await database.orm.execute(sql`select 1 from analytics_events`)
  })
})
