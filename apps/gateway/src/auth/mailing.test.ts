import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '../db/open'
import { rateLimits } from '../db/schema'
import { openTestDatabase } from '../testing/databases'
import { createLimits } from './limits'
import { createMailing, type Mailing } from './mailing'

let database: Database
let mailing: Mailing
let at: number
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  await database.orm.delete(rateLimits)
  at = 1_800_000_000_000
  const limits = createLimits({ orm: database.orm, hash: (text) => text, now: () => at })
  const codes = { issue: () => Promise.reject(new Error('No code is asked for.')) }
  const rates = { perCaller: 12, perProject: 60 }
  mailing = createMailing({ mailer: { send: async () => {} }, limits, codes, rates, log: { warn: () => {} } })
})

/** Of a known device. */
const isSent = (device: string, email: string, network: string) =>
  mailing
    .take({
      caller: { projectId: 'demo', address: network },
      cooldown: device,
      budget: device,
      address: email,
      isKnown: true,
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
  // A sixth of the project's.
  expect(await sentBy(70, (index) => `name@mail${index}.example`, networkOf)).toBe(10)
  expect(await victimIsServed()).toBe(true)
  expect(await isSent('other', 'name@other.example', '2001:db8:2:1::/64')).toBe(true)
})

test('3. known devices of one catch-all domain cannot lock out another known device', async () => {
  const networkOf = (index: number) => `198.51.100.${index}`
  // A sixth of the project's, then all that new devices have.
  expect(await sentBy(70, (index) => `a${index}@m${index}.catch-all.com`, networkOf)).toBe(50)
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
