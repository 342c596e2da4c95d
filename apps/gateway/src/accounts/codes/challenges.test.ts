/** Strangers who want emails, against the work that these cost. */
import { createHash } from 'node:crypto'
import { type EmailSolution, maxChallengeTries, minChallengeTries } from '@postern/protocol'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { rateLimits } from '../../platform/db/schema'
import { createSecrets, newSecretKeys } from '../../platform/secrets/secrets'
import { startTestApp, type TestApp, walletOrigin } from '../../testing/app'
import { call, newToken, succeed } from '../../testing/sign-in'
import { solve } from '../../testing/solve'
import { createAuth } from '../auth'
import { challengeLifetimeMs, createChallenges } from './challenges'

const origin = 'https://app.example.com'
const secrets = createSecrets(newSecretKeys())
let first: TestApp
let apps: readonly TestApp[]
let at: number
beforeAll(async () => {
  first = await startTestApp()
  const { database, mails, projects } = first
  const replica = () => {
    const auth = createAuth({
      database,
      secrets,
      mailer: {
        async send(mail) {
          mails.push(mail)
        },
      },
      // Of 8 emails to new devices, 4 need no challenge.
      mailRates: { perCaller: 240, perProject: 12 },
      walletOrigin,
      log: { warn() {} },
      now: () => at,
    })
    return startTestApp({ auth, projects })
  }
  apps = [await replica(), await replica()]
})
afterAll(async () => {
  for (const app of [...apps, first]) await app.close()
})
beforeEach(async () => {
  at = 1_800_000_000_000
  await first.database.orm.delete(rateLimits)
  // In memory, a refusal lasts 5 s at most.
  at += 3_600_000 * runs++
})
let runs = 1

const appAt = (replica: number): TestApp => {
  const app = apps[replica]
  if (app === undefined) throw new Error('No such replica')
  return app
}
const ask = (email: string, solution?: EmailSolution, replica = 0, projectId = 'demo') =>
  call(
    appAt(replica),
    'email',
    { email, deviceToken: newToken(), origin, ...(solution && { solution }) },
    { projectId },
  )
const solved = async (email: string) => solve(await succeed(appAt(0), 'emailChallenge', { email }))
let strangers = 0
const newAddress = () => `stranger-${strangers++}@example.com`

async function useUpHalf() {
  for (let count = 0; count < 4; count += 1) expect((await ask(newAddress())).status).toBe(200)
}

describe('an email at half of the budget', () => {
  test('is not sent without a solution, and is sent with one', async () => {
    await useUpHalf()
    const email = newAddress()
    const before = first.mails.length
    expect(await ask(email)).toMatchObject({ status: 428, failure: 'CHALLENGE_REQUIRED' })
    expect(await ask(email, undefined, 1)).toMatchObject({ failure: 'CHALLENGE_REQUIRED' })
    expect(first.mails).toHaveLength(before)
    expect((await ask(email, await solved(email))).status).toBe(200)
    expect(first.mails).toHaveLength(before + 1)
  })

  test('2. is not sent for a solution that was used, on any replica', async () => {
    await useUpHalf()
    const email = newAddress()
    const solution = await solved(email)
    expect((await ask(email, solution)).status).toBe(200)
    for (const replica of [0, 1]) {
      expect(await ask(email, solution, replica)).toMatchObject({ failure: 'CHALLENGE_REQUIRED' })
    }
  })

  test('1. 2. is not sent for a solution that is wrong, forged, too old, or of another address or project', async () => {
    await useUpHalf()
    const email = newAddress()
    const solution = await solved(email)
    const easy = createHash('sha256').update(`${solution.salt}0`).digest('hex')
    const attempts: readonly EmailSolution[] = [
      { ...solution, number: solution.number === 0 ? 1 : solution.number - 1 },
      { ...solution, target: easy, number: 0 },
      { ...solution, expiresAt: solution.expiresAt + 1 },
      { ...solution, max: solution.max - 1 },
      { ...solution, signature: `A${solution.signature.slice(1)}` },
      { ...solution, signature: '' },
      await solved(newAddress()),
    ]
    for (const attempt of attempts) expect(await ask(email, attempt)).toMatchObject({ failure: 'CHALLENGE_REQUIRED' })
    const challenges = createChallenges({ hash: secrets.hashCode, now: () => at })
    const bound = { projectId: 'demo', subjectHash: 'hash' }
    const own = solve(challenges.issue(bound, 0))
    expect(challenges.read(own, bound)).not.toBeNull()
    expect(challenges.read(own, { ...bound, projectId: 'strict' })).toBeNull()
    at += challengeLifetimeMs
    expect(challenges.read(own, bound)).toBeNull()
  })
})

test('2. a solution stays valid if the email is refused for another reason', async () => {
  await useUpHalf()
  const email = newAddress()
  const deviceToken = newToken()
  const once = async (solution: EmailSolution) =>
    (await call(appAt(0), 'email', { email, deviceToken, origin, solution })).failure
  expect(await once(await solved(email))).toBeUndefined()
  const second = await solved(email)
  expect(await once(second)).toBe('EMAIL_COOLDOWN')
  at += 31_000
  expect(await once(second)).toBeUndefined()
})

test('3. the difficulty follows the used part of the budget, within its bounds', async () => {
  const maxAt = async () => (await succeed(appAt(0), 'emailChallenge', { email: newAddress() })).max
  expect(await maxAt()).toBe(minChallengeTries)
  await useUpHalf()
  expect(await maxAt()).toBe((minChallengeTries + maxChallengeTries) / 2)
  const challenges = createChallenges({ hash: secrets.hashCode, now: () => at })
  expect(challenges.issue({ projectId: 'demo', subjectHash: '' }, 9).max).toBe(maxChallengeTries)
})
