import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../platform/db/open'
import { codes, emailFlows, rateLimits, users } from '../../platform/db/schema'
import { Problem } from '../../platform/http/problem'
import { createSecrets, newSecret, newSecretKeys } from '../../platform/secrets/secrets'
import { defaultMailLook } from '../../projects/project'
import { databases } from '../../testing/databases'
import { solve } from '../../testing/solve'
import { type Auth, createAuth } from '../auth'
import type { Mail } from '../mail/mailer'
import { MailError } from '../mail/mailer'
import type { EmailSignIn } from './email'

const caller = { projectId: 'demo', address: '203.0.113.9' }
const keys = newSecretKeys()

describe.each(databases)('sign-in by email on $kind', ({ open }) => {
  let database: Database
  let auth: Auth
  let signIn: EmailSignIn
  let mails: Mail[]
  let mailFails: boolean
  let at: number
  const facts = () => ({ site: 'https://app.example.com', region: 'DE', at })
  const requester = () => ({ ...facts(), language: 'en' }) as const
  let device: string

  beforeAll(async () => {
    database = await open()
  })
  afterAll(() => database.close())
  beforeEach(async () => {
    for (const table of [users, emailFlows, codes, rateLimits]) await database.orm.delete(table)
    mails = []
    mailFails = false
    at = 1_800_000_000_000
    device = newSecret()
    auth = start(keys)
    if (auth.email === null) throw new Error('mail is configured')
    signIn = auth.email.signIn
  })

  function start(secretKeys: typeof keys, perCaller = 50): Auth {
    return createAuth({
      database,
      secrets: createSecrets(secretKeys),
      mailer: {
        async send(mail) {
          if (mailFails) throw new MailError('ECONNECTION')
          mails.push(mail)
        },
      },
      mailRates: { perCaller, perProject: 100 },
      projectMailOf: async (id) => ({
        look: { ...defaultMailLook, brand: `Shop ${id}` },
        texts: { en: { intro: `Hello from ${id}.` }, de: { intro: `Hallo von ${id}.` } },
      }),
      walletOrigin: 'https://wallet.example.com',
      log: { warn: () => {} },
      now: () => at,
      // The random ones take most of the time of these tests; `challenges.test.ts` has them.
      pickNumber: () => 100,
    })
  }

  /** Does the work that it takes. */
  const beginAt = async (address: string, email: string, deviceToken = device) => {
    const given = { email, deviceToken, requester: requester(), caller: { ...caller, address } }
    try {
      return await signIn.begin(given)
    } catch (error) {
      if (!(error instanceof Problem) || error.reasons[0]?.name !== 'CHALLENGE_REQUIRED') throw error
      return signIn.begin({ ...given, solution: solve(await signIn.challenge(email, given.caller)) })
    }
  }
  const begin = (email: string, deviceToken = device) => beginAt(caller.address, email, deviceToken)
  const newest = () => mails.at(-1) ?? { to: '', subject: '', text: '', html: '' }
  const link = () => /token=([\w-]{43})/.exec(newest().text)?.[1] ?? ''
  const digits = () => /^\d{6}$/m.exec(newest().text)?.[0] ?? ''
  const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
  const keyThumbprint = newSecret()
  const openSession = (token: string) => auth.sessions.open(token, keyThumbprint)
  const verify = (flow: string, otp: string, deviceToken = device, by = caller) =>
    signIn.verify({ flow, otp, deviceToken, keyThumbprint, caller: by })
  const failure = async (work: Promise<unknown>): Promise<string> => {
    const error: unknown = await work.then(
      () => null,
      (reason: unknown) => reason,
    )
    if (!(error instanceof Problem)) throw new Error(`no failure of ours: ${String(error)}`)
    return error.reasons[0]?.name ?? ''
  }
  /** On another device, without an email. */
  const signUp = (email: string) =>
    auth.sessions.signIn(
      { provider: 'email', subject: email, email, userName: null },
      { deviceToken: newSecret(), keyThumbprint: newSecret() },
      'demo',
    )
  async function enter(email: string, deviceToken = device) {
    const { flow, action } = await begin(email, deviceToken)
    if (action === 'VERIFY_DEVICE') await signIn.approve(link(), 'en')
    return verify(flow, digits(), deviceToken)
  }

  test('1. a new device opens the link, then enters the code', async () => {
    await signUp('name@example.com')
    const { flow, action } = await begin('name@example.com')
    expect(action).toBe('VERIFY_DEVICE')
    expect(mails).toHaveLength(1)
    expect(digits()).toBe('')
    expect(await signIn.isApproved(flow, 'demo')).toBe(false)
    expect(await signIn.approve(link(), 'en')).toMatchObject({ state: 'approved', requester: facts() })
    expect(await signIn.isApproved(flow, 'demo')).toBe(true)
    const signedIn = await verify(flow, digits())
    expect(signedIn.user).toMatchObject({ email: 'name@example.com', userName: null, provider: 'email' })
    expect((await openSession(signedIn.sessionToken)).userId).toBe(signedIn.user.id)
  })

  test('1. the code after the link has the look and the words of the project of the sign-in', async () => {
    await signUp('name@example.com')
    await begin('name@example.com')
    await signIn.approve(link(), 'de')
    expect(newest().text).toMatch(/^Shop demo\n/)
    expect(newest().text).toContain('\n\nHallo von demo.\n\n')
  })

  test('1. a known device gets the code at once, and signs in the same user', async () => {
    const first = await enter('name@example.com')
    at += 30_000
    const { flow, action } = await begin('Name@Example.com')
    expect(action).toBe('VERIFY_OTP')
    const second = await verify(flow, digits())
    expect(second.user.id).toBe(first.user.id)
    expect((await openSession(second.sessionToken)).deviceId).toBe((await openSession(first.sessionToken)).deviceId)
  })

  test('1. a device known for one address is new for another', async () => {
    await signUp('other@example.com')
    await enter('name@example.com')
    expect((await begin('other@example.com')).action).toBe('VERIFY_DEVICE')
  })

  test('1. a revoked device is new again, and its sessions end', async () => {
    const { sessionToken, user } = await enter('name@example.com')
    const { deviceId } = await openSession(sessionToken)
    await auth.sessions.endDevice('another user', deviceId)
    expect((await openSession(sessionToken)).deviceId).toBe(deviceId)
    await auth.sessions.endDevice(user.id, deviceId)
    expect(await failure(openSession(sessionToken))).toBe('DEVICE_REVOKED')
    at += 30_000
    expect((await begin('name@example.com')).action).toBe('VERIFY_DEVICE')
    await signIn.approve(link(), 'en')
    at += 30_000
    const again = await enter('name@example.com')
    expect((await openSession(again.sessionToken)).deviceId).not.toBe(deviceId)
    expect(again.user.id).toBe(user.id)
    expect(await failure(openSession(sessionToken))).toBe('DEVICE_REVOKED')
  })

  test('2. an address without an account gets the code at once, and the code creates the account', async () => {
    const { flow, action } = await begin('name@example.com')
    expect(action).toBe('VERIFY_OTP')
    expect(mails).toHaveLength(1)
    expect(link()).toBe('')
    expect(await signIn.isApproved(flow, 'demo')).toBe(true)
    const { user } = await verify(flow, digits())
    expect(user).toMatchObject({ email: 'name@example.com', provider: 'email' })
    expect((await begin('name@example.com', newSecret())).action).toBe('VERIFY_DEVICE')
  })

  test('2. a code without a link does not open an account that was created meanwhile', async () => {
    const stranger = newSecret()
    const { flow } = await begin('name@example.com', stranger)
    const code = digits()
    await enter('name@example.com')
    expect(await failure(verify(flow, code, stranger))).toBe('CODE_EXPIRED')
    at += 30_000
    const again = await begin('name@example.com', stranger)
    expect(again.action).toBe('VERIFY_DEVICE')
    expect(await failure(verify(again.flow, code, stranger))).toMatch(/CODE_(EXPIRED|SPENT)/)
  })

  test('2. of concurrent codes for a new address, one creates the account and the others open nothing', async () => {
    const ready = []
    for (const deviceToken of [newSecret(), newSecret(), newSecret(), newSecret()]) {
      const { flow } = await begin('name@example.com', deviceToken)
      ready.push({ flow, otp: digits(), deviceToken })
    }
    const ended = await Promise.allSettled(ready.map(({ flow, otp, deviceToken }) => verify(flow, otp, deviceToken)))
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await database.orm.select().from(users)).toHaveLength(1)
  })

  test('3. opening the link changes nothing', async () => {
    await signUp('name@example.com')
    const { flow } = await begin('name@example.com')
    for (let count = 0; count < 5; count += 1) {
      expect(await signIn.look(link())).toEqual({ state: 'pending', requester: facts() })
    }
    expect(await signIn.isApproved(flow, 'demo')).toBe(false)
    expect(mails).toHaveLength(1)
  })

  test('3. approving twice, or fifty times at once, sends one code', async () => {
    await signUp('name@example.com')
    await begin('name@example.com')
    const token = link()
    const approvals = await Promise.all(Array.from({ length: 50 }, () => signIn.approve(token, 'en')))
    expect(approvals.every(({ state }) => state === 'approved')).toBe(true)
    expect(mails).toHaveLength(2)
  })

  test('3. a link expires after half an hour, and an unknown link is rejected', async () => {
    await signUp('name@example.com')
    const { flow } = await begin('name@example.com')
    at += 30 * 60_000
    expect(await signIn.look(link())).toEqual({ state: 'expired' })
    expect(await signIn.approve(link(), 'en')).toEqual({ state: 'expired' })
    expect(await signIn.approve(newSecret(), 'en')).toEqual({ state: 'unknown' })
    expect(mails).toHaveLength(1)
    expect(await failure(signIn.isApproved(flow, 'demo'))).toBe('CODE_EXPIRED')
  })

  test('4. an older link approves a later request, and the next request sends a code', async () => {
    await signUp('name@example.com')
    await begin('name@example.com')
    const older = link()
    at += 30_000
    const { flow } = await begin('name@example.com')
    await signIn.approve(older, 'en')
    expect(await signIn.isApproved(flow, 'demo')).toBe(true)
    const spent = digits()
    at += 30_000
    const again = await begin('name@example.com')
    expect(again.action).toBe('VERIFY_OTP')
    if (spent !== digits()) expect(await failure(verify(again.flow, spent))).toBe('CODE_SPENT')
    expect((await verify(again.flow, digits())).status).toBe('signedIn')
  })

  test('4. an approval is valid for one sign-in, on its own device and for its own address', async () => {
    await signUp('name@example.com')
    await signUp('other@example.com')
    const { flow } = await begin('name@example.com')
    await signIn.approve(link(), 'en')
    const code = digits()
    expect((await begin('name@example.com', newSecret())).action).toBe('VERIFY_DEVICE')
    expect((await begin('other@example.com')).action).toBe('VERIFY_DEVICE')
    await verify(flow, code)
    expect(await failure(verify(flow, code))).toBe('CODE_SPENT')
  })

  test('5. accepts a code only from the device and project that requested it', async () => {
    await signUp('name@example.com')
    const { flow } = await begin('name@example.com')
    await signIn.approve(link(), 'en')
    expect(await failure(verify(flow, digits(), newSecret()))).toBe('CODE_EXPIRED')
    expect(await failure(verify(newSecret(), digits()))).toBe('CODE_EXPIRED')
    const elsewhere = { ...caller, projectId: 'strict' }
    expect(await failure(verify(flow, digits(), device, elsewhere))).toBe('CODE_EXPIRED')
    expect(await failure(signIn.isApproved(flow, 'strict'))).toBe('CODE_EXPIRED')
    expect((await verify(flow, digits())).status).toBe('signedIn')
  })

  test('5. rejects every code before the link is approved', async () => {
    await signUp('name@example.com')
    const { flow } = await begin('name@example.com')
    expect(await failure(verify(flow, '000000'))).toBe('CODE_EXPIRED')
  })

  test('6. checks five of fifty concurrent tries', async () => {
    await signUp('name@example.com')
    const { flow } = await begin('name@example.com')
    await signIn.approve(link(), 'en')
    const code = digits()
    const failures = await Promise.all(Array.from({ length: 50 }, () => failure(verify(flow, other(code)))))
    expect(failures.filter((name) => name === 'WRONG_CODE')).toHaveLength(5)
    expect(new Set(failures)).toEqual(new Set(['WRONG_CODE', 'TOO_MANY_ATTEMPTS']))
    expect(await failure(verify(flow, code))).toBe('TOO_MANY_ATTEMPTS')
  })

  test('6. a locked-out device does not affect others, even another device of the same address', async () => {
    await enter('name@example.com', device)
    const attacker = newSecret()
    at += 30_000
    const { flow } = await begin('name@example.com', attacker)
    for (let count = 0; count < 200; count += 1) {
      expect(['CODE_EXPIRED', 'TOO_MANY_ATTEMPTS']).toContain(await failure(verify(flow, '000000', attacker)))
    }
    expect((await enter('name@example.com', device)).status).toBe('signedIn')
    expect((await enter('other@example.com', newSecret())).status).toBe('signedIn')
  })

  test('6. a try that another limit refuses costs the device nothing', async () => {
    auth = start(keys, 1)
    if (auth.email === null) throw new Error('mail is configured')
    signIn = auth.email.signIn
    for (const address of ['name@example.com', 'other@example.com']) await signUp(address)
    const elsewhere = { ...caller, address: '198.51.100.7' }
    const beginBy = async (email: string, by: typeof caller) => {
      const deviceToken = newSecret()
      const { flow } = await signIn.begin({ email, deviceToken, requester: requester(), caller: by })
      await signIn.approve(link(), 'en')
      return { flow, deviceToken, code: digits() }
    }
    const flood = await beginBy('name@example.com', caller)
    const own = await beginBy('other@example.com', elsewhere)
    for (let count = 0; count < 5; count += 1) await failure(verify(flood.flow, other(flood.code), flood.deviceToken))
    for (let count = 0; count < 12; count += 1)
      expect(await failure(verify(own.flow, own.code, own.deviceToken))).toBe('TOO_MANY_ATTEMPTS')
    // Refused from memory for five seconds.
    at += 5_000
    expect((await verify(own.flow, own.code, own.deviceToken, elsewhere)).status).toBe('signedIn')
  })

  const turnedAway = (attempt: Parameters<EmailSignIn['turnAway']>[0]) =>
    failure(Promise.resolve().then(() => signIn.turnAway(attempt)))

  test('7. turns away a locked-out device without the database, and no other device', async () => {
    await signUp('name@example.com')
    const { flow } = await begin('name@example.com')
    await signIn.approve(link(), 'en')
    const attempt = { flow, deviceToken: device, caller }
    expect(() => signIn.turnAway(attempt)).not.toThrow()
    for (let count = 0; count < 11; count += 1) await failure(verify(flow, other(digits())))
    expect(await turnedAway(attempt)).toBe('TOO_MANY_ATTEMPTS')
    expect(() => signIn.turnAway({ ...attempt, deviceToken: newSecret() })).not.toThrow()
    expect(() => signIn.turnAway({ ...attempt, flow: newSecret() })).not.toThrow()
    at += 5_000
    expect(() => signIn.turnAway(attempt)).not.toThrow()
  })

  test('7. turns away a locked-out caller without the database, and no other caller', async () => {
    auth = start(keys, 1)
    if (auth.email === null) throw new Error('mail is configured')
    signIn = auth.email.signIn
    for (const address of ['name@example.com', 'other@example.com']) await signUp(address)
    const elsewhere = { ...caller, address: '198.51.100.7' }
    for (const [address, by, tries] of [
      ['name@example.com', caller, 5],
      ['other@example.com', elsewhere, 1],
    ] as const) {
      const deviceToken = newSecret()
      const { flow } = await signIn.begin({ email: address, deviceToken, requester: requester(), caller: by })
      await signIn.approve(link(), 'en')
      expect(() => signIn.turnAway({ flow, deviceToken, caller })).not.toThrow()
      for (let count = 0; count < tries; count += 1) await failure(verify(flow, other(digits()), deviceToken))
    }
    const fresh = { flow: newSecret(), deviceToken: newSecret() }
    expect(await turnedAway({ ...fresh, caller })).toBe('TOO_MANY_ATTEMPTS')
    expect(() => signIn.turnAway({ ...fresh, caller: elsewhere })).not.toThrow()
  })

  test('limits new requests to one per thirty seconds, per address and device', async () => {
    await signUp('name@example.com')
    await signUp('other@example.com')
    await begin('name@example.com')
    at += 1_500
    const refused: unknown = await begin('name@example.com').catch((error: unknown) => error)
    expect(refused).toMatchObject({
      status: 429,
      reasons: [{ name: 'EMAIL_COOLDOWN', description: 'Please try again after 29 seconds' }],
      headers: { 'Retry-After': '29' },
    })
    expect((await begin('other@example.com')).action).toBe('VERIFY_DEVICE')
    at += 28_500
    expect((await begin('name@example.com')).action).toBe('VERIFY_DEVICE')
  })

  test('limits emails per address, with a separate limit for its known device', async () => {
    await signUp('other@example.com')
    await enter('name@example.com')
    let refused = 0
    for (let count = 0; count < 20; count += 1) {
      const answer = await begin('name@example.com', newSecret()).catch((error: unknown) => error)
      if (answer instanceof Problem) refused += 1
    }
    expect(refused).toBeGreaterThan(9)
    at += 30_000
    expect((await begin('name@example.com')).action).toBe('VERIFY_OTP')
    expect((await begin('other@example.com')).action).toBe('VERIFY_DEVICE')
  })

  test('9. tells a stranger whether an address has an account only by an answer that emails its owner', async () => {
    await signUp('member@example.com')
    const addresses = ['member@example.com', 'newcomer@example.com'] as const
    const tellsOf = (results: readonly unknown[]) => new Set(results.map((result) => JSON.stringify(result))).size > 1
    const ask = async (deviceToken: string) => {
      const results: unknown[] = []
      for (const email of addresses) {
        const before = mails.filter(({ to }) => to === email).length
        const result = await begin(email, deviceToken).then(
          ({ action }) => action,
          (error: unknown) => (error instanceof Problem ? error.reasons : error),
        )
        results.push(result)
        const sent = mails.filter(({ to }) => to === email).length - before
        expect(sent).toBe(typeof result === 'string' ? 1 : 0)
      }
      return results
    }
    expect(await ask(device)).toEqual(['VERIFY_DEVICE', 'VERIFY_OTP'])
    for (const { text } of mails) expect(text).toContain('https://app.example.com')
    // Refusals tell nothing: the pause, a failed email, and the limit of the address.
    expect(tellsOf(await ask(device))).toBe(false)
    mailFails = true
    expect(tellsOf(await ask(newSecret()))).toBe(false)
    mailFails = false
    let answers = await ask(newSecret())
    for (let count = 0; count < 20 && tellsOf(answers); count += 1) answers = await ask(newSecret())
    expect(JSON.stringify(answers)).toContain('TOO_MANY_ATTEMPTS')
    expect(mails.length).toBeLessThanOrEqual(2 * 10)
  })

  test('limits emails per caller', async () => {
    const narrow = start(keys, 12).email
    if (narrow === null) throw new Error('mail is configured')
    signIn = narrow.signIn
    const results: string[] = []
    for (let count = 0; count < 16; count += 1) {
      const answer = await begin(`name${count}@example.com`).catch((error: unknown) => error)
      results.push(answer instanceof Problem ? (answer.reasons[0]?.name ?? '') : 'sent')
    }
    expect(results.filter((result) => result === 'sent')).toHaveLength(12)
    expect(results.at(-1)).toBe('TOO_MANY_ATTEMPTS')
    expect((await beginAt('198.51.100.1', 'a@example.com')).action).toBe('VERIFY_OTP')
  })

  test('strangers cannot lock out a known device, by address, caller or project', async () => {
    await enter('name@example.com')
    const known = device
    at += 30_000
    // From the owner's own network, then from everywhere: until the project refuses strangers.
    let sent = 0
    let refused = 0
    for (let count = 0; count < 130; count += 1) {
      const by = count < 60 ? caller : { ...caller, address: `198.51.100.${count}` }
      const email = count < 15 ? 'name@example.com' : `name${count}@example.com`
      const answer = await signIn
        .begin({ email, deviceToken: newSecret(), requester: requester(), caller: by })
        .catch((error: unknown) => error)
      if (answer instanceof Problem) refused += 1
      else sent += 1
    }
    expect(sent).toBeLessThanOrEqual(66)
    expect(refused).toBeGreaterThanOrEqual(64)
    const { flow, action } = await begin('name@example.com', known)
    expect(action).toBe('VERIFY_OTP')
    expect((await verify(flow, digits(), known)).status).toBe('signedIn')
  })

  test('strangers who guess at an address leave the tries of its known device', async () => {
    await enter('name@example.com')
    const known = device
    const strangers: { flow: string; deviceToken: string }[] = []
    for (let count = 0; count < 8; count += 1) {
      const deviceToken = newSecret()
      strangers.push({ flow: (await begin('name@example.com', deviceToken)).flow, deviceToken })
    }
    at += 30_000
    const failures = new Set<string>()
    for (const { flow, deviceToken } of strangers) {
      for (let count = 0; count < 10; count += 1) failures.add(await failure(verify(flow, '000000', deviceToken)))
    }
    const { flow } = await begin('name@example.com', known)
    expect((await verify(flow, digits(), known)).status).toBe('signedIn')
  })

  test('limits emails per IPv6 /48 as well as /64', async () => {
    const sentBy = async (address: string) => {
      let sent = 0
      for (let count = 0; count < 2; count += 1) {
        const answer = await beginAt(address, `${newSecret()}@example.com`, newSecret()).catch(() => null)
        if (answer !== null) sent += 1
      }
      return sent
    }
    const narrow = start(keys, 1).email
    if (narrow === null) throw new Error('mail is configured')
    signIn = narrow.signIn
    const sent: number[] = []
    for (let site = 0; site < 10; site += 1) sent.push(await sentBy(`2001:db8:1:${site}::/64`))
    expect(sent).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 0, 0])
    expect(await sentBy('2001:db8:2:0::/64')).toBe(1)
  })

  test('reports a failed email at once, and allows an immediate retry', async () => {
    await signUp('name@example.com')
    mailFails = true
    expect(await failure(begin('name@example.com'))).toBe('MAIL_FAILED')
    mailFails = false
    const { flow } = await begin('name@example.com')
    mailFails = true
    expect(await signIn.approve(link(), 'en')).toEqual({ state: 'mailFailed', requester: facts() })
    mailFails = false
    expect(await signIn.isApproved(flow, 'demo')).toBe(true)
    at += 30_000
    const again = await begin('name@example.com')
    expect(again.action).toBe('VERIFY_OTP')
    expect((await verify(again.flow, digits())).status).toBe('signedIn')
  })

  test('concurrent sign-ins on approved devices reach the same user', async () => {
    await signUp('name@example.com')
    const devices = [newSecret(), newSecret(), newSecret(), newSecret()]
    const ready = []
    for (const deviceToken of devices) {
      const { flow } = await begin('name@example.com', deviceToken)
      await signIn.approve(link(), 'en')
      ready.push({ flow, otp: digits(), deviceToken })
    }
    const signedIn = await Promise.all(ready.map(({ flow, otp, deviceToken }) => verify(flow, otp, deviceToken)))
    expect(new Set(signedIn.map(({ user }) => user.id)).size).toBe(1)
    expect(await database.orm.select().from(users)).toHaveLength(1)
  })

  test('an address is the same user after a key rotation', async () => {
    const before = await enter('name@example.com')
    const rotated = start({ ...keys, email: [{ ...newSecretKeys().email[0], id: '2' }, ...keys.email].map(full) })
    if (rotated.email === null) throw new Error('mail is configured')
    signIn = rotated.email.signIn
    auth = rotated
    at += 30_000
    const { flow, action } = await begin('name@example.com')
    expect(action).toBe('VERIFY_OTP')
    expect((await verify(flow, digits())).user.id).toBe(before.user.id)
    const [row] = await database.orm.select().from(users)
    expect(row?.subjectHash).toMatch(/^2\./)
    expect(row?.email).toMatch(/^2\./)
  })

  test('deletes expired flows', async () => {
    // Limits expire by the database's clock, which is later.
    at = 1_700_000_000_000
    await enter('name@example.com')
    at += 31 * 24 * 60 * 60_000
    await auth.sweep()
    for (const table of [emailFlows, codes, rateLimits]) expect(await database.orm.select().from(table)).toEqual([])
    expect(await database.orm.select().from(users)).toHaveLength(1)
  })
})

function full({ id = '', key = '' }: { id?: string; key?: string }) {
  return { id, key }
}
