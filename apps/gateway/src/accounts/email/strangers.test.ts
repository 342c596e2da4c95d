/** Strangers who use up limits of others. PostgreSQL decides, as in production. */
import { eq } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { codes as codesTable } from '../../platform/db/schema'
import { Problem } from '../../platform/http/problem'
import { createPostgresLimiter } from '../../platform/limits/postgres'
import { createSecrets, hashSecret, newSecret, newSecretKeys } from '../../platform/secrets/secrets'
import { openTestDatabase } from '../../testing/databases'
import { meet } from '../../testing/deadlock'
import { createAuth } from '../auth'
import { createCodes } from '../codes/codes'
import type { Mail } from '../mail/mailer'
import { signInScope } from './not-me'

const secrets = createSecrets(newSecretKeys())
const key = newSecret()
const here = { projectId: 'demo', address: '203.0.113.9' }
const elsewhere = { projectId: 'demo', address: '198.51.100.1' }

const ending = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof Problem ? (error.reasons[0]?.name ?? error.message) : String(error)),
  )

async function start({ perCaller }: { readonly perCaller: number }) {
  const database = await openTestDatabase()
  onTestFinished(() => database.close())
  const mails: Mail[] = []
  const clock = { at: 1_800_000_000_000 }
  const now = () => clock.at
  const auth = createAuth({
    database,
    secrets,
    mailer: { send: async (mail) => void mails.push(mail) },
    mailRates: { perCaller, perProject: 3_000 },
    walletOrigin: 'https://wallet.example.com',
    log: { warn: () => {} },
    now,
    pickNumber: () => 100,
  })
  if (auth.email === null) throw new Error('mail is configured')
  const requester = () => ({ site: null, region: null, at: clock.at, language: 'en' }) as const
  const mailsTo = (address: string) => mails.filter(({ to }) => to === address)
  return {
    auth,
    clock,
    email: auth.email,
    mailsTo,
    now,
    orm: database.orm,
    requester,
    code: (address: string) => /^\d{6}$/m.exec(mailsTo(address).at(-1)?.text ?? '')?.[0] ?? '',
    async signedIn(address: string, caller = here) {
      const identity = { provider: 'email', subject: address, email: address, userName: null } as const
      const device = { deviceToken: newSecret(), keyThumbprint: key }
      const { sessionToken } = await auth.sessions.signIn(identity, device, 'demo')
      return { session: await auth.sessions.open(sessionToken, key), caller, requester: requester() }
    },
  }
}

const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

test('strangers who guess at an address leave its owner the tries at a change of address', async () => {
  const { clock, code, email, signedIn } = await start({ perCaller: 1_000 })
  const owner = await signedIn('owner@example.com')
  const strangers = await Promise.all(
    ['a', 'b', 'c'].map(async (name) => [name, await signedIn(`${name}@example.net`, elsewhere)] as const),
  )
  const to = 'owner@example.com'
  for (let round = 0; round < 5; round += 1) {
    for (const [name, stranger] of strangers) {
      if ((await ending(email.change.begin(stranger, to))) !== 'done') continue
      const first = code(`${name}@example.net`)
      if (round === 0) await email.change.verifyPrimary(stranger, { otp: first, email: to })
      const otp = otherThan(code(to))
      for (let count = 0; count < 5; count += 1)
        await ending(email.change.verifySecondary(stranger, { otp, email: to }))
    }
    clock.at += 31_000
  }
  expect(await ending(email.change.begin(owner, 'new@example.org'))).toBe('done')
  const otp = code('owner@example.com')
  expect(await ending(email.change.verifyPrimary(owner, { otp, email: 'new@example.org' }))).toBe('done')
})

test('changes of many accounts to one address send it no more than ten emails at once', async () => {
  const { code, email, mailsTo, signedIn } = await start({ perCaller: 1_000 })
  for (let index = 0; index < 14; index += 1) {
    const from = `a${index}@example${index}.net`
    const stranger = await signedIn(from, elsewhere)
    const to = 'owner@example.com'
    if ((await ending(email.change.begin(stranger, to))) === 'done')
      await email.change.verifyPrimary(stranger, { otp: code(from), email: to })
  }
  expect(mailsTo('owner@example.com')).toHaveLength(10)
})

test('a caller in many networks of one IPv6 /48 has the emails without a challenge of eight callers', async () => {
  const { email, requester } = await start({ perCaller: 24 })
  let sent = 0
  for (let index = 0; index < 40; index += 1) {
    const caller = { projectId: 'demo', address: `2001:db8:1:${index.toString(16)}::/64` }
    const attempt = { email: `n${index}@example.com`, deviceToken: newSecret(), requester: requester(), caller }
    if ((await ending(email.signIn.begin(attempt))) === 'done') sent += 1
  }
  expect(sent).toBe(16)
})

test('“This was not me” and a try at a code that meet both end', async () => {
  const { auth, now, orm } = await start({ perCaller: 1_000 })
  const limits = createPostgresLimiter({ orm, hash: secrets.hashCode, now })
  const codes = createCodes({ orm, hash: secrets.hashCode, limits, now })
  const deviceTokenHash = hashSecret('device')
  const emailHash = auth.accounts.hashesOf('email', 'name@example.com')[0]
  const scope = signInScope({ emailHash, deviceTokenHash })
  for (let count = 0; count < 3; count += 1) await codes.issue(scope)
  const [, middle] = await orm.select().from(codesTable).orderBy(codesTable.id)
  const url = auth.notMe.linkTo({ kind: 'signIn', email: 'name@example.com', deviceTokenHash })
  const link = auth.notMe.read(new URL(url).searchParams.get('token') ?? '')
  if (link === null || link === 'expired') throw new Error('the link is new')
  const row = { table: codesTable, where: eq(codesTable.id, middle?.id ?? 0) }
  const ends = await meet(
    orm,
    row,
    () => codes.verify(scope, '123456'),
    () => auth.notMe.end(link),
  )
  expect(ends).toEqual(['fulfilled', 'fulfilled'])
})
