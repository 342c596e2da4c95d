/** Two gateways, each a process, on one PostgreSQL. */

import { createDatabase, startPostgres, type TestPostgres } from '@postern/devnet/postgres'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { newSecretKeys } from './platform/secrets/secrets'
import { modalOrigin, walletOrigin } from './testing/app'
import { type Replica, startReplica } from './testing/replica'
import { approve, call, codeIn, linkIn, newToken, signInByEmail, succeed } from './testing/sign-in'
import { newWallet } from './testing/wallet'

const origin = 'https://app.example.com'

let postgres: TestPostgres
let databases = 0
let users = 0
/** For the tests that end neither. */
let both: [Replica, Replica]

beforeAll(async () => {
  postgres = await startPostgres()
  both = await startTwo()
}, 240_000)
afterAll(async () => {
  await endBoth(both)
  await postgres.stop()
})

/** On a new database. */
async function startTwo({ aheadMs = 0 } = {}): Promise<[Replica, Replica]> {
  databases += 1
  const env = {
    DATABASE_URL: await createDatabase(postgres.url, `replicas-${databases}`),
    MODAL_ORIGIN: modalOrigin,
    WALLET_ORIGIN: walletOrigin,
    POSTERN_SECRETS: JSON.stringify(newSecretKeys()),
    POSTERN_SEED: JSON.stringify([{ id: 'demo', name: 'Demo', allowedOrigins: [origin] }]),
    SMTP_URL: 'terminal',
  }
  const built = inject('builtFolder')
  return Promise.all([startReplica(built, env), startReplica(built, env, aheadMs)])
}

async function endBoth(two: readonly Replica[]): Promise<void> {
  await Promise.all(two.map((replica) => replica.kill()))
}

/** A user with an account begins on one with a new device, and approves it on the other, which mails the code. */
async function beginOnBoth(one: Replica, other: Replica) {
  users += 1
  const email = `user-${users}@example.com`
  await signInByEmail(one, email)
  const deviceToken = newToken()
  const { flow } = await succeed(one, 'email', { email, deviceToken, origin })
  await approve(other, linkIn(one, email))
  return { email, begun: { flow, deviceToken, otp: codeIn(other, email) } }
}

describe('two replicas', { timeout: 240_000 }, () => {
  test('a sign-in begun on one ends on the other, and both serve its session and its wallet', async () => {
    const [one, other] = both
    const { begun } = await beginOnBoth(one, other)
    const { sessionToken: token, user } = await succeed(one, 'emailVerify', begun)
    const wallet = newWallet()
    const shares = await wallet.split('create', user.id)
    await succeed(other, 'createWallet', { addresses: wallet.addresses, shares }, { token })
    expect((await succeed(one, 'session', {}, { token })).user.id).toBe(user.id)
    expect((await succeed(one, 'deviceShare', {}, { token })).authShare).toBe(shares.authShare)
  })

  test('a code works once, even at the same moment on both', async () => {
    const [one, other] = both
    const { begun } = await beginOnBoth(one, other)
    const answers = await Promise.all(
      [1, 2, 3].flatMap(() => [one, other].map((replica) => call(replica, 'emailVerify', begun))),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('the tries at a code are counted together', async () => {
    const [one, other] = both
    const { begun } = await beginOnBoth(one, other)
    const wrong = { ...begun, otp: begun.otp === '000000' ? '000001' : '000000' }
    for (const replica of [one, other, one, other, one])
      expect((await call(replica, 'emailVerify', wrong)).status).not.toBe(200)
    for (const replica of [one, other]) expect((await call(replica, 'emailVerify', begun)).status).not.toBe(200)
  })

  test('one is killed during a sign-in: it ends on the other', async () => {
    const two = await startTwo()
    onTestFinished(() => endBoth(two))
    const [one, other] = two
    const { begun, email } = await beginOnBoth(one, other)
    await one.kill()
    const { user } = await succeed(other, 'emailVerify', begun)
    expect(user.email).toBe(email)
  })

  test('PostgreSQL restarts during a sign-in: nothing is lost, and each says so once', async () => {
    const [one, other] = both
    const { begun, email } = await beginOnBoth(one, other)
    await postgres.restart()
    for (const replica of [one, other]) await expect.poll(() => replica.status('/ready'), { timeout: 20_000 }).toBe(200)
    expect((await succeed(one, 'emailVerify', begun)).user.email).toBe(email)
    expect((await call(other, 'emailVerify', begun)).status).not.toBe(200)
    // The log reaches this process after the answers, or before them.
    for (const replica of [one, other])
      await expect
        .poll(() => replica.messages().filter((message) => message === 'database connection lost'))
        .toHaveLength(1)
  })

  test.each([30_000, -30_000])('the clock of one differs by %d ms: users sign in on both', async (aheadMs) => {
    const two = await startTwo({ aheadMs })
    onTestFinished(() => endBoth(two))
    const [one, skewed] = two
    const { begun, email } = await beginOnBoth(one, skewed)
    const { user } = await succeed(skewed, 'emailVerify', begun)
    const again = await signInByEmail(one, email)
    expect(again.user.id).toBe(user.id)
    expect((await succeed(skewed, 'session', {}, { token: again.sessionToken })).user.id).toBe(user.id)
  })
})
