import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '../../platform/db/open'
import { rateLimits } from '../../platform/db/schema'
import { Problem } from '../../platform/http/problem'
import { createPostgresLimiter } from '../../platform/limits/postgres'
import { openTestDatabase } from '../../testing/databases'
import { createMailing, type Mailing, type Sending } from './mailing'

let database: Database
let mailing: Mailing
let at: number
let warnings: unknown[]
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  await database.orm.delete(rateLimits)
  at = 1_800_000_000_000
  warnings = []
  const limits = createPostgresLimiter({ orm: database.orm, hash: (text) => text, now: () => at })
  const codes = { issue: () => Promise.reject(new Error('No code is asked for.')) }
  const rates = { perCaller: 12, perProject: 60 }
  mailing = createMailing({
    mailer: { send: async () => {} },
    limits,
    codes,
    rates,
    log: { warn: (line: unknown) => void warnings.push(line) },
    now: () => at,
  })
})

/** Of a known device. */
const isSent = (device: string, email: string, network: string) =>
  mailing
    .take({
      caller: { projectId: 'demo', address: network },
      cooldown: device,
      budgets: [device],
      address: email,
      isKnown: true,
      challenge: 'exempt',
    })
    .then(
      () => true,
      () => false,
    )

async function sentBy(count: number, emailOf: (index: number) => string, networkOf: (index: number) => string) {
  let sent = 0
  for (let index = 0; index < count; index += 1) {
    if (await isSent(`device ${index}`, emailOf(index), networkOf(index))) sent += 1
  }
  return sent
}

const victimIsServed = () => isSent('victim', 'name@example.com', '192.0.2.1')

test('3. known devices of one /48 cannot lock out another known device', async () => {
  const networkOf = (index: number) => `2001:db8:1:${(index % 60).toString(16)}::/64`
  // A sixth of the reserve.
  expect(await sentBy(70, (index) => `name@mail${index}.example`, networkOf)).toBe(10)
  expect(await victimIsServed()).toBe(true)
  expect(await isSent('other', 'name@other.example', '2001:db8:2:1::/64')).toBe(true)
})

test('3. known devices of one catch-all domain cannot lock out another known device', async () => {
  const networkOf = (index: number) => `198.51.100.${index}`
  // A twelfth of the reserve, then all that new devices have.
  expect(await sentBy(70, (index) => `a${index}@m${index}.catch-all.com`, networkOf)).toBe(45)
  expect(await victimIsServed()).toBe(true)
})

test('3. known devices of two hostile domains in many networks leave the reserve to others', async () => {
  const networkOf = (index: number) => `198.51.${100 + (index >> 8)}.${index & 255}`
  const emailOf = (index: number) => `a${index}@hostile-${index % 2}.example`
  // A twelfth of the reserve each, then all that new devices have.
  expect(await sentBy(300, emailOf, networkOf)).toBe(5 + 5 + 40)
  expect(await victimIsServed()).toBe(true)
  // 50 of the reserve's 60 are left, of which the victim has one. The devices have the same names as above.
  at += 30_000
  expect(
    await sentBy(
      60,
      (index) => `b@other-${index}.example`,
      (index) => `203.0.113.${index}`,
    ),
  ).toBe(49)
})

test.each([
  ['co.uk', 45],
  ['com.au', 45],
  ['xn--55qx5d.cn', 45],
  ['github.io', 45],
  ['uk.com', 45],
])('3. known devices of one domain under %s, and strangers, cannot lock out another one there', async (suffix, all) => {
  const networkOf = (index: number) => `198.51.100.${index}`
  expect(await sentBy(70, (index) => `a${index}@m${index}.attacker.${suffix}`, networkOf)).toBe(all)
  expect(await isSent('victim', `name@victim.${suffix}`, '192.0.2.1')).toBe(true)
})

test('3. known devices of many domains that one company gives away leave most of the reserve to others', async () => {
  const networkOf = (index: number) => `198.51.${100 + (index >> 8)}.${index & 255}`
  // A quarter of the reserve, then all that new devices have.
  expect(await sentBy(300, (index) => `a@m${index}.duckdns.org`, networkOf)).toBe(15 + 40)
  expect(await victimIsServed()).toBe(true)
})

test('3. known devices of one mailbox share a limit', async () => {
  let sent = 0
  for (let minute = 0; minute < 4; minute += 1) {
    sent += await sentBy(
      40,
      () => 'one@catch-all.com',
      (index) => `198.51.100.${index}`,
    )
    at += 60_000
  }
  // 30 at once, then one in 100 s.
  expect(sent).toBe(31)
  expect(await victimIsServed()).toBe(true)
})

test('3. known devices of five hostile domains, and strangers, from many networks cannot lock out another known device', async () => {
  const networkOf = (index: number) => `198.51.100.${index}`
  expect(await sentByStrangers(70, 'exempt')).toBe(40)
  for (const domain of ['one', 'two', 'three', 'four', 'five']) {
    await sentBy(
      30,
      (index) => `a${index}@${domain}-hostile.com`,
      (index) => `${domain} ${networkOf(index)}`,
    )
  }
  expect(await victimIsServed()).toBe(true)
})

const kindOf = (sending: Sending) =>
  mailing.take(sending).then(
    () => 'taken',
    (error: unknown) => (error instanceof Problem ? error.reasons[0]?.name : undefined),
  )

const strangerAt = (index: number, challenge: Sending['challenge']): Sending => ({
  caller: { projectId: 'demo', address: `203.0.113.${index}` },
  cooldown: `stranger ${index}`,
  budgets: [`stranger ${index}`],
  address: `s${index}@mail${index}.com`,
  isKnown: false,
  challenge,
})

async function sentByStrangers(count: number, challenge: Sending['challenge']): Promise<number> {
  let sent = 0
  for (let index = 0; index < count; index += 1) {
    if ((await kindOf(strangerAt(index, challenge))) === 'taken') sent += 1
  }
  return sent
}

test('5. new devices without a solved challenge have half of their part, and known devices half of the reserve', async () => {
  expect(await sentByStrangers(70, 'none')).toBe(20)
  expect(await kindOf(strangerAt(90, 'none'))).toBe('CHALLENGE_REQUIRED')
  expect(await mailing.usedBy(strangerAt(90, 'none').caller)).toBe(0.5)
  const known = (index: number) => ({ ...strangerAt(index, 'none'), isKnown: true })
  let sent = 0
  for (let index = 100; index < 140; index += 1) if ((await kindOf(known(index))) === 'taken') sent += 1
  expect(sent).toBe(30)
})

test('5. a caller has a twelfth of its own without a solved challenge', async () => {
  const caller = { projectId: 'demo', address: '203.0.113.1' }
  expect(await kindOf({ ...strangerAt(1, 'none'), caller })).toBe('taken')
  expect(await kindOf({ ...strangerAt(2, 'none'), caller })).toBe('CHALLENGE_REQUIRED')
  expect(await kindOf({ ...strangerAt(2, 'exempt'), caller })).toBe('taken')
})

test('6. the log says once that a project has only its reserve left', async () => {
  await sentByStrangers(45, 'exempt')
  expect(warnings).toEqual([{ projectId: 'demo' }])
  at += 3_600_000
  await sentByStrangers(45, 'exempt')
  expect(warnings).toHaveLength(2)
})
