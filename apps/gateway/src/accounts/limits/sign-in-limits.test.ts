import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../platform/db/open'
import { devices, rateLimits, users } from '../../platform/db/schema'
import { Problem } from '../../platform/http/problem'
import { createPostgresLimiter } from '../../platform/limits/postgres'
import { hashSecret } from '../../platform/secrets/secrets'
import { noon } from '../../testing/clock'
import { openTestDatabase } from '../../testing/databases'
import { solve } from '../../testing/solve'
import { createChallenges } from '../codes/challenges'
import { createSignInLimits, type SignInLimits, type SignInWay } from './sign-in-limits'

let database: Database
let signIns: SignInLimits
let at: number
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  at = noon
  await database.orm.delete(rateLimits)
  await database.orm.delete(users)
  const hash = (text: string) => text
  const limits = createPostgresLimiter({ orm: database.orm, hash, now: () => at })
  signIns = createSignInLimits({
    orm: database.orm,
    limits,
    challenges: createChallenges({ hash, now: () => at, pickNumber: () => 100 }),
    // A tenth of the real ones: 6 of a caller, 48 of its /48, 200 of a project's new devices.
    amounts: { caller: { burst: 6, every: 300_000 }, project: { burst: 300, every: 10_000 }, unsolvedCallerShare: 1 },
  })
})

const ways: readonly SignInWay[] = ['social', 'farcaster']
const failureOf = (begun: Promise<void>) =>
  begun.then(
    () => null,
    (error: unknown) => (error instanceof Problem ? error.reasons[0]?.name : error),
  )
const begin = (way: SignInWay, address: string, deviceToken = `device at ${address}`) =>
  failureOf(signIns.take(way, { caller: { projectId: 'demo', address }, deviceToken }))

/** With the work that the gateway asks for. */
async function beginSolved(way: SignInWay, address: string, deviceToken = `device at ${address}`) {
  const caller = { projectId: 'demo', address }
  const solution = solve(await signIns.challenge(deviceToken, caller))
  return failureOf(signIns.take(way, { caller, deviceToken, solution }))
}

async function addDevice(deviceToken: string, userId = `user of ${deviceToken}`) {
  const time = new Date(at)
  await database.orm
    .insert(users)
    .values({ id: userId, provider: 'github', subjectHash: userId, createdAt: time })
    .onConflictDoNothing()
  await database.orm.insert(devices).values({
    id: `id of ${deviceToken} ${userId}`,
    userId,
    tokenHash: hashSecret(deviceToken),
    createdAt: time,
    usedAt: time,
  })
}

/** Every /64 begins as many as it may. @returns how many began. */
async function flood(way: SignInWay, networks: readonly string[], each = 6) {
  let begun = 0
  for (const network of networks)
    for (let index = 0; index < each; index += 1) if ((await begin(way, network)) === null) begun += 1
  return begun
}
const networksOf = (site: number, count: number) =>
  Array.from({ length: count }, (_, index) => `2001:db8:${site.toString(16)}:${index.toString(16)}::/64`)

describe.each(ways)('1. sign-ins with %s', (way) => {
  test('of one IPv6 /48 leave a project’s users elsewhere theirs', async () => {
    // Eight callers' worth.
    expect(await flood(way, networksOf(1, 20))).toBe(48)
    expect(await begin(way, networksOf(1, 21)[20] ?? '')).toBe('TOO_MANY_ATTEMPTS')
    expect(await begin(way, '192.0.2.1')).toBeNull()
    expect(await begin(way, networksOf(2, 1)[0] ?? '')).toBeNull()
  })

  test('cost work once strangers have used up half of theirs; known devices go on without', async () => {
    await addDevice('known')
    const networks = [1, 2, 3].flatMap((site) => networksOf(site, 8))
    expect(await flood(way, networks)).toBe(100)
    expect(await begin(way, '192.0.2.1')).toBe('CHALLENGE_REQUIRED')
    expect(await beginSolved(way, '192.0.2.1')).toBeNull()
    expect(await begin(way, '192.0.2.1', 'known')).toBeNull()
  })

  test('are limited per caller, solved or not', async () => {
    expect(await flood(way, ['192.0.2.1'], 8)).toBe(6)
    expect(await beginSolved(way, '192.0.2.1')).toBe('TOO_MANY_ATTEMPTS')
  })
})

test('1. a challenge is for one device, project and use', async () => {
  const caller = { projectId: 'demo', address: '192.0.2.1' }
  for (const site of [1, 2, 3]) await flood('social', networksOf(site, 8))
  const solution = solve(await signIns.challenge('mine', caller))
  const take = (changes: object) =>
    failureOf(signIns.take('social', { caller, deviceToken: 'mine', solution, ...changes }))
  expect(await take({ deviceToken: 'other' })).toBe('CHALLENGE_REQUIRED')
  expect(await take({ solution: { ...solution, number: solution.number + 1 } })).toBe('CHALLENGE_REQUIRED')
  expect(await take({})).toBeNull()
  expect(await take({})).toBe('CHALLENGE_REQUIRED')
})

test('2. all devices of one user share a limit, so they leave the reserve to others', async () => {
  for (let index = 0; index < 40; index += 1) await addDevice(`device ${index}`, 'one user')
  await addDevice('other')
  const begun = []
  for (let index = 0; index < 40; index += 1)
    begun.push(await begin('social', `198.51.100.${index}`, `device ${index}`))
  expect(begun.filter((failure) => failure === null)).toHaveLength(30)
  expect(await begin('social', '192.0.2.1', 'other')).toBeNull()
})

test('2. a device of several users takes from each of their limits', async () => {
  const users = ['first user', 'second user', 'third user']
  for (const user of users) await addDevice('shared', user)
  for (let index = 0; index < 30; index += 1) await begin('social', `198.51.100.${index}`, 'shared')
  for (const user of users) {
    await addDevice(`device of ${user}`, user)
    expect(await begin('social', '192.0.2.1', `device of ${user}`)).toBe('TOO_MANY_ATTEMPTS')
  }
})

test('2. a device of more than ten users is new', async () => {
  for (let index = 0; index < 11; index += 1) await addDevice('shared', `user ${index}`)
  for (const site of [1, 2, 3]) await flood('social', networksOf(site, 8))
  expect(await begin('social', '192.0.2.1', 'shared')).toBe('CHALLENGE_REQUIRED')
})
