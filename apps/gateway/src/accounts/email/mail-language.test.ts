/** Each email is in the language of the browser whose request sends it. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app'
import { noon } from '../../testing/clock'
import { approve, call, codeIn, haveAccount, linkIn, newToken, signInByEmail, succeed } from '../../testing/sign-in'

const origin = 'https://app.example.com'
const speaks = (header: string) => ({ headers: { 'Accept-Language': header } })

let app: TestApp
let at = noon
let email = ''

beforeAll(async () => {
  app = await startTestApp({ now: () => at })
})
afterAll(() => app.close())
beforeEach(() => {
  at += 30_000
  email = `${newToken().slice(0, 8)}@example.com`.toLowerCase()
})

const newest = () => app.mails.at(-1) ?? { to: '', subject: '', text: '', html: '' }
const begin = (header: string) => succeed(app, 'email', { email, deviceToken: newToken(), origin }, speaks(header))

test('a code is in the language of the browser that asks for it', async () => {
  await begin('ja,en-US;q=0.7')
  expect(newest()).toMatchObject({ to: email, subject: 'ログイン用のコード' })
  expect(newest().html).toContain('<html lang="ja" dir="ltr">')
  expect(codeIn(app, email)).toMatch(/^\d{6}$/)
})

test('a hostile header gets an email in English that contains nothing of it', async () => {
  for (const header of ['ja"><b>Call your bank', 'constructor', `ja-${'call-your-bank-'.repeat(99)}`]) {
    await begin(header)
    expect(newest().subject).toBe('Your sign-in code')
    expect(newest().text + newest().html).not.toMatch(/call.your.bank|constructor/i)
  }
})

test('the project’s lines are in the language of the email, and in English for a language that is not listed', async () => {
  await app.projects.update('demo', { mailTexts: { en: { intro: 'Welcome.' }, de: { intro: 'Willkommen.' } } })
  for (const [header, intro] of [
    ['de-AT', 'Willkommen.'],
    ['fr', 'Welcome.'],
    ['tlh', 'Welcome.'],
    ['__proto__', 'Welcome.'],
    ['"><b>de', 'Welcome.'],
  ] as const) {
    await begin(header)
    // Between the heading and the code.
    expect(newest().text.split('\n\n').slice(1, 4)).toEqual([expect.any(String), intro, codeIn(app, email)])
    at += 30_000
  }
  await app.projects.update('demo', { mailTexts: {} })
})

test('a stranger chooses the language of the link, and the owner who approves it that of the code', async () => {
  await haveAccount(app, email)
  await begin('th')
  expect(newest().subject).toBe('อนุมัติอุปกรณ์ใหม่')
  expect(newest().text).toContain('Approve it only if you’re signing in right now.')
  await approve(app, linkIn(app, email), { 'Accept-Language': 'de-AT' })
  expect(newest().subject).toBe('Ihr Anmeldecode')
})

test('confirmations and notices are in the language of the request', async () => {
  const { sessionToken: token } = await signInByEmail(app, email)
  at += 30_000
  await succeed(app, 'confirm', { purpose: 'delete' }, { token, ...speaks('fr-FR,fr;q=0.9') })
  expect(newest().subject).toBe('Votre code pour supprimer votre compte')
  const { headers } = speaks('ar-EG')
  const other = `new-${email}`
  const more = { token, headers }
  await succeed(app, 'emailChange', { email: other }, more)
  await succeed(app, 'emailChangePrimary', { otp: codeIn(app, email) }, more)
  expect((await call(app, 'emailChangeSecondary', { otp: codeIn(app, other) }, more)).status).toBe(200)
  for (const to of [email, other]) {
    const notice = app.mails.findLast((mail) => mail.to === to)
    expect(notice?.subject).toBe('تغيّر بريدك الإلكتروني')
    expect(notice?.html).toContain('<html lang="ar" dir="rtl">')
  }
})
