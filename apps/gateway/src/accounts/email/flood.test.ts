/** A locked-out device that guesses at full speed. */
import { rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { ProjectInput } from '../../projects/project'
import type { ProjectStore } from '../../projects/store'
import { startTestApp, type TestApp } from '../../testing/app'
import { callLimit } from '../../testing/call-limit'
import { approve, call, codeIn, haveAccount, linkIn, newToken, signInByEmail, succeed } from '../../testing/sign-in'

const origin = 'https://app.example.com'
const at = 1_800_000_000_000
const now = () => at

const dates = { createdAt: new Date(at).toISOString(), updatedAt: new Date(at).toISOString() }
const demo = {
  ...ProjectInput.parse({ id: 'demo', name: 'Demo', allowedOrigins: [origin] }),
  defaultAncestors: true,
  ...dates,
}
const inMemory: ProjectStore = {
  find: async () => demo,
  list: async () => [demo],
  add: async () => null,
  update: async () => null,
  remove: async () => false,
}

async function lockOut(app: TestApp, email: string) {
  const deviceToken = newToken()
  await haveAccount(app, email)
  const { flow } = await succeed(app, 'email', { email, deviceToken, origin })
  await approve(app, linkIn(app, email))
  const right = codeIn(app, email)
  const otp = right === '000000' ? '000001' : '000000'
  for (let count = 0; count < 11; count += 1) await call(app, 'emailVerify', { flow, otp, deviceToken })
  return { flow, deviceToken, otp: right }
}

test('a hundred tries of a locked-out device use up no calls of others behind the same address', async () => {
  const app = await startTestApp({ now, ...callLimit({ perSecond: 1, burst: 20 }, now) })
  const locked = await lockOut(app, 'victim@example.com')
  for (let count = 0; count < 100; count += 1) {
    expect(await call(app, 'emailVerify', locked)).toMatchObject({ status: 429, failure: 'TOO_MANY_ATTEMPTS' })
  }
  expect((await signInByEmail(app, 'other@example.com')).status).toBe('signedIn')
  await app.close()
})

test('tries of a locked-out device do not reach the database, nor do page requests', async () => {
  const app = await startTestApp({ now, projects: inMemory })
  const locked = await lockOut(app, 'victim@example.com')
  await app.database.close()
  const answers = await Promise.all(Array.from({ length: 100 }, () => call(app, 'emailVerify', locked)))
  expect(new Set(answers.map(({ failure }) => failure))).toEqual(new Set(['TOO_MANY_ATTEMPTS']))
  expect(answers[0]?.retryAfter).toBeGreaterThan(0)
  for (const url of ['/?projectId=demo', '/assets/main-abc.js', '/projects/v1/origins?projectId=demo']) {
    expect((await app.get(url)).status).toBe(200)
  }
  await rm(app.sdkDir, { recursive: true })
})
