import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { codes, emailFlows, rateLimits, users } from '../../platform/db/schema'
import { modalOrigin, startTestApp, type TestApp, walletOrigin } from '../../testing/app'
import { noon } from '../../testing/clock'
import {
  approve,
  call,
  codeIn,
  haveAccount,
  linkIn,
  newToken,
  notMeIn as notMeOf,
  pressNotMe,
  signInByEmail,
  succeed,
} from '../../testing/sign-in'

const origin = 'https://app.example.com'
const email = 'name@example.com'
let app: TestApp
let at = noon
beforeAll(async () => {
  app = await startTestApp({ now: () => at })
})
afterAll(() => app.close())
beforeEach(async () => {
  // Later than all tests before: limits in memory are free again.
  at += 24 * 60 * 60_000
  for (const table of [users, emailFlows, codes, rateLimits]) await app.database.orm.delete(table)
  app.mails.length = 0
})

const notMeIn = (address: string) => notMeOf(app, address)
const open = (token: string) => app.get(`${walletOrigin}/auth/not-me?token=${token}`)
const press = (token: string, headers: Record<string, string> = {}) => pressNotMe(app, token, headers)
const begin = async (deviceToken: string) => {
  await haveAccount(app, email)
  return succeed(app, 'email', { email, deviceToken, origin })
}

describe('1. the token', () => {
  test('is made only by the gateway, for 30 days', async () => {
    await begin(newToken())
    const token = notMeIn(email)
    expect((await open(token)).status).toBe(200)
    const [id, sealed = ''] = token.split('.')
    const changed = sealed.slice(0, -1) + (sealed.endsWith('A') ? 'B' : 'A')
    for (const other of ['', newToken(), `${id}.${changed}`, `${id}.${'A'.repeat(2_000)}`, '%22%3E%3Cscript%3E']) {
      expect((await open(other)).status).toBe(404)
      expect((await press(other)).status).toBe(404)
    }
    at += 30 * 24 * 60 * 60_000
    expect((await open(token)).status).toBe(410)
    expect((await press(token)).status).toBe(410)
  })

  test('names no address', async () => {
    await begin(newToken())
    expect(Buffer.from(notMeIn(email), 'base64url').toString('latin1')).not.toContain('name@')
  })
})

describe('2. only the button acts', () => {
  test('opening the link changes nothing', async () => {
    const deviceToken = newToken()
    const { flow } = await begin(deviceToken)
    const notMe = notMeIn(email)
    for (let count = 0; count < 3; count += 1) {
      const page = await open(notMe)
      expect(await page.text()).toContain('<button type="submit">This was not me</button>')
      expect(page.headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'")
    }
    await approve(app, linkIn(app, email))
    expect((await call(app, 'emailVerify', { flow, otp: codeIn(app, email), deviceToken })).status).toBe(200)
  })

  test('another site’s form does nothing', async () => {
    await begin(newToken())
    const token = notMeIn(email)
    for (const Origin of ['https://evil.test', 'null', modalOrigin]) {
      expect((await press(token, { Origin })).status).toBe(403)
    }
    expect((await app.get(`${walletOrigin}/auth/device?token=${linkIn(app, email)}`)).status).toBe(200)
  })
})

describe('3. a sign-in', () => {
  test('its link stops working', async () => {
    await begin(newToken())
    const link = linkIn(app, email)
    expect(await (await press(notMeIn(email))).text()).toContain('signed out')
    expect((await approve(app, link)).status).toBe(404)
    expect(app.mails).toHaveLength(1)
  })

  test('its code stops working', async () => {
    const deviceToken = newToken()
    const { flow } = await begin(deviceToken)
    await approve(app, linkIn(app, email))
    await press(notMeIn(email))
    const otp = codeIn(app, email)
    expect((await call(app, 'emailVerify', { flow, otp, deviceToken })).failure).toBe('CODE_EXPIRED')
    at += 30_000
    expect((await begin(deviceToken)).action).toBe('VERIFY_DEVICE')
  })

  test('its device is signed out and new again; others stay', async () => {
    const own = await signInByEmail(app, email)
    const thief = await signInByEmail(app, email)
    const notMe = notMeIn(email)
    expect((await press(notMe)).status).toBe(200)
    expect((await press(notMe)).status).toBe(200)
    expect((await call(app, 'session', {}, { token: thief.sessionToken })).failure).toBe('DEVICE_REVOKED')
    expect((await call(app, 'session', {}, { token: own.sessionToken })).status).toBe(200)
    at += 30_000
    expect((await begin(thief.deviceToken)).action).toBe('VERIFY_DEVICE')
  })

  test('also if the thief has moved the account to another address', async () => {
    const thief = await signInByEmail(app, email)
    const token = thief.sessionToken
    const notMe = notMeIn(email)
    await succeed(app, 'emailChange', { email: 'thief@example.com' }, { token })
    await succeed(app, 'emailChangePrimary', { otp: codeIn(app, email) }, { token })
    await succeed(app, 'emailChangeSecondary', { otp: codeIn(app, 'thief@example.com') }, { token })
    await press(notMe)
    expect((await call(app, 'session', {}, { token })).failure).toBe('DEVICE_REVOKED')
  })

  test('another account on the same device stays signed in', async () => {
    const deviceToken = newToken()
    await signInByEmail(app, email, deviceToken)
    const notMe = notMeIn(email)
    const { sessionToken: token } = await signInByEmail(app, 'other@example.com', deviceToken)
    await press(notMe)
    expect((await call(app, 'session', {}, { token })).status).toBe(200)
  })
})

describe('4. a request of a signed-in device', () => {
  test.each(['export', 'recovery', 'move', 'deletePrevious', 'delete'] as const)(
    '%s: signs that device out',
    async (purpose) => {
      const { sessionToken: token } = await signInByEmail(app, email)
      const other = await signInByEmail(app, email)
      await succeed(app, 'confirm', { purpose }, { token })
      await press(notMeIn(email))
      expect((await call(app, 'deleteAccount', { otp: codeIn(app, email) }, { token })).failure).toBe('DEVICE_REVOKED')
      expect((await call(app, 'session', {}, { token: other.sessionToken })).status).toBe(200)
    },
  )

  test('a change of address: the old address signs the device out', async () => {
    const { sessionToken: token } = await signInByEmail(app, email)
    await succeed(app, 'emailChange', { email: 'new@example.com' }, { token })
    await press(notMeIn(email))
    expect((await call(app, 'session', {}, { token })).failure).toBe('DEVICE_REVOKED')
  })
})

test('5. a code to a new address: its reader ends the change, and signs no one out', async () => {
  const { sessionToken: token } = await signInByEmail(app, email)
  await succeed(app, 'emailChange', { email: 'stranger@example.com' }, { token })
  await succeed(app, 'emailChangePrimary', { otp: codeIn(app, email) }, { token })
  const otp = codeIn(app, 'stranger@example.com')
  await press(notMeIn('stranger@example.com'))
  expect((await call(app, 'emailChangeSecondary', { otp }, { token })).failure).toBe('CODE_EXPIRED')
  expect((await call(app, 'session', {}, { token })).status).toBe(200)
})
