/** Two gateways, each a process, on one PostgreSQL. */
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'vite'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { newSecretKeys } from './secrets/secrets'
import { modalOrigin, walletOrigin } from './testing/app'
import { createDatabase, startPostgres, type TestPostgres } from './testing/postgres'
import { type Replica, startReplica } from './testing/replica'
import { approve, call, codeIn, linkIn, newToken, signInByEmail, succeed } from './testing/sign-in'
import { newWallet } from './testing/wallet'

const packageDir = path.resolve(import.meta.dirname, '..')
/** One folder below the package, like `dist`. */
const outDir = path.join(packageDir, '.vite-replicas')
const origin = 'https://app.example.com'
const email = 'alice@example.com'

let postgres: TestPostgres
const started: Replica[] = []
let databases = 0

beforeAll(async () => {
  await build({ root: packageDir, logLevel: 'silent', build: { outDir } })
  postgres = await startPostgres()
}, 240_000)
afterAll(async () => {
  await postgres.stop()
  await rm(outDir, { recursive: true, force: true })
})
afterEach(async () => {
  await Promise.all(started.splice(0).map((replica) => replica.kill()))
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
  const two = await Promise.all([startReplica(outDir, env), startReplica(outDir, env, aheadMs)])
  started.push(...two)
  return two
}

/** A user with an account begins on one with a new device, and approves it on the other, which mails the code. */
async function beginOnBoth(one: Replica, other: Replica) {
  await signInByEmail(one, email)
  const deviceToken = newToken()
  const { flow } = await succeed(one, 'email', { email, deviceToken, origin })
  await approve(other, linkIn(one, email))
  return { flow, deviceToken, otp: codeIn(other, email) }
}

describe('two replicas', { timeout: 240_000 }, () => {
  test('a sign-in begun on one ends on the other, and both serve its session and its wallet', async () => {
    const [one, other] = await startTwo()
    const begun = await beginOnBoth(one, other)
    const { sessionToken: token, user } = await succeed(one, 'emailVerify', begun)
    const wallet = newWallet()
    const shares = await wallet.split('create', user.id)
    await succeed(other, 'createWallet', { addresses: wallet.addresses, shares }, { token })
    expect((await succeed(one, 'session', {}, { token })).user.id).toBe(user.id)
    expect((await succeed(one, 'deviceShare', {}, { token })).authShare).toBe(shares.authShare)
  })

  test('a code works once, even at the same moment on both', async () => {
    const [one, other] = await startTwo()
    const begun = await beginOnBoth(one, other)
    const answers = await Promise.all(
      [1, 2, 3].flatMap(() => [one, other].map((replica) => call(replica, 'emailVerify', begun))),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('the tries at a code are counted together', async () => {
    const [one, other] = await startTwo()
    const begun = await beginOnBoth(one, other)
    const wrong = { ...begun, otp: begun.otp === '000000' ? '000001' : '000000' }
    for (const replica of [one, other, one, other, one])
      expect((await call(replica, 'emailVerify', wrong)).status).not.toBe(200)
    for (const replica of [one, other]) expect((await call(replica, 'emailVerify', begun)).status).not.toBe(200)
  })

  test('one is killed during a sign-in: it ends on the other', async () => {
    const [one, other] = await startTwo()
    const begun = await beginOnBoth(one, other)
    await one.kill()
    const { user } = await succeed(other, 'emailVerify', begun)
    expect(user.email).toBe(email)
  })

  test('PostgreSQL restarts during a sign-in: nothing is lost, and each says so once', async () => {
    const [one, other] = await startTwo()
    const begun = await beginOnBoth(one, other)
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
    const [one, skewed] = await startTwo({ aheadMs })
    const begun = await beginOnBoth(one, skewed)
    const { user } = await succeed(skewed, 'emailVerify', begun)
    const again = await signInByEmail(one, email)
    expect(again.user.id).toBe(user.id)
    expect((await succeed(skewed, 'session', {}, { token: again.sessionToken })).user.id).toBe(user.id)
  })
})
