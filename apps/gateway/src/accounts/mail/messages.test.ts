import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Language, languageOf, languages } from '../../projects/mail/text'
import { defaultMailLook, type MailTexts } from '../../projects/project'
import { colors } from './card'
import { addressChangedMail, codeMail, deviceMail, recoveryMail } from './messages'

const to = 'name@example.com'
const at = Date.UTC(2026, 10, 22, 22, 31)
const site = 'https://app.example.com/?<b>&"'
const notMe = 'https://wallet.example.com/auth/not-me?token=1.abc'
const href = 'https://wallet.example.com/auth/device?token=abc'
const code = '012345'
const dates = { undoUntil: at + 7 * 86_400_000, frozenUntil: at + 14 * 86_400_000 }

const mailsIn = (language: Language) => {
  const details = { to, notMe, requester: { site, region: 'DE', at, language } }
  return {
    'sign-in': codeMail({ ...details, code, purpose: 'sign-in', minutes: 10 }),
    delete: codeMail({ ...details, code, purpose: 'delete', minutes: 10 }),
    device: deviceMail({ ...details, href, minutes: 30 }),
    changed: addressChangedMail({ ...details, ...dates, side: 'former', isProven: true }),
    takenBack: addressChangedMail({ ...details, ...dates, side: 'former', isProven: false }),
    present: addressChangedMail({ ...details, ...dates, side: 'present', isProven: true }),
    presentAlone: addressChangedMail({ ...details, ...dates, side: 'present', isProven: false }),
    opened: recoveryMail({ ...details, opensAt: null }),
    waiting: recoveryMail({ ...details, opensAt: at }),
  }
}

describe('an email of a project', () => {
  const look = {
    sender: 'Example Shop',
    replyTo: 'help@shop.example',
    brand: 'Example & <Shop>',
    color: '#ffd60a',
    footer: 'Questions? Write to help@shop.example.',
  }
  const mail = (changes: Partial<typeof look> = {}) =>
    deviceMail({
      to,
      notMe,
      href,
      minutes: 30,
      requester: { site, region: 'DE', at, language: 'de', look: { ...look, ...changes } },
    })

  test('has its brand, footer, sender and address for replies, as text', () => {
    const { text, html, sender, replyTo, subject } = mail()
    expect({ sender, replyTo }).toEqual({ sender: 'Example Shop', replyTo: 'help@shop.example' })
    expect(text.startsWith(`Example & <Shop>\n\n${subject}\n`)).toBe(true)
    expect(text.trimEnd().endsWith(look.footer)).toBe(true)
    expect(html).toContain('<bdi>Example &amp; &lt;Shop&gt;</bdi>')
    expect(html).not.toContain('<Shop>')
  })

  test('of a sign-in says where, in a heading that a name cannot turn around', () => {
    const requester = { site, region: 'DE', at, language: 'en', look: { ...look, footer: null } } as const
    const signIn = codeMail({ to, notMe, code, purpose: 'sign-in', minutes: 10, requester })
    expect(signIn.subject).toBe('Your sign-in code')
    expect(signIn.html).toContain('>Sign in to \u2068Example &amp; &lt;Shop&gt;\u2069</h1>')
    expect(signIn.text.startsWith('Example & <Shop>\n\nSign in to \u2068Example & <Shop>\u2069\n')).toBe(true)
    const other = codeMail({ to, notMe, code, purpose: 'export', minutes: 10, requester })
    expect(other.html).toContain(`>${other.subject}</h1>`)
  })

  test.each([
    ['#ffd60a', '#000000'],
    ['#0d756d', '#ffffff'],
  ])('has a button of %s with readable text', (color, ink) => {
    expect(mail({ color }).html).toContain(`background:${color};color:${ink}`)
  })
})

describe('the lines of a project', () => {
  const look = { ...defaultMailLook, footer: 'Example Shop <help@shop.example>' }
  const texts: MailTexts = {
    en: { intro: 'Tom & <b>Jerry</b> say "hi".', footer: 'Help: <help@shop.example>' },
    de: { intro: 'Willkommen bei Example Shop.' },
    ar: { intro: 'Example Shop يرحب بك.', footer: 'للمساعدة: help@shop.example' },
  }
  const mail = (language: Language, own: MailTexts = texts) =>
    codeMail({
      to,
      notMe,
      code,
      purpose: 'export',
      minutes: 10,
      requester: { site, region: 'DE', at, language, look, texts: own },
    })
  const introOf = (html: string) => /<\/h1>\n<p[^>]*>(.*)<\/p>\n<p class="inset"/.exec(html)?.[1]
  const footerOf = (html: string) => /<p[^>]*>(.*)<\/p>\n<\/td>/.exec(html)?.[1]

  test('6 are in its language: the intro below the heading, the footer at the end', () => {
    const { subject, text, html } = mail('en')
    expect(text.startsWith(`${subject}\n\nTom & <b>Jerry</b> say "hi".\n\n${code}\n`)).toBe(true)
    expect(text.endsWith('\n\nHelp: <help@shop.example>\n')).toBe(true)
    expect(introOf(html)).toBe('<bdi lang="en" dir="ltr">Tom &amp; &lt;b&gt;Jerry&lt;/b&gt; say &quot;hi&quot;.</bdi>')
    expect(footerOf(html)).toBe('<bdi lang="en" dir="ltr">Help: &lt;help@shop.example&gt;</bdi>')
  })

  test('6 have the direction of their language, also when they begin with a Latin name', () => {
    const { subject, text, html } = mail('ar')
    expect(text.startsWith(`${subject}\n\n\u200fExample Shop يرحب بك.\n\n${code}\n`)).toBe(true)
    expect(text.endsWith('\n\n\u200fللمساعدة: help@shop.example\n')).toBe(true)
    expect(introOf(html)).toBe('<bdi lang="ar" dir="rtl">Example Shop يرحب بك.</bdi>')
    expect(footerOf(html)).toBe('<bdi lang="ar" dir="rtl">للمساعدة: help@shop.example</bdi>')
  })

  test('6 each falls back to English in a language without it', () => {
    const german = mail('de')
    expect(introOf(german.html)).toBe('<bdi lang="de" dir="ltr">Willkommen bei Example Shop.</bdi>')
    expect(footerOf(german.html)).toBe('<bdi lang="en" dir="ltr">Help: &lt;help@shop.example&gt;</bdi>')
    const unlisted = mail(languageOf('tlh'))
    expect(unlisted).toEqual(mail('en'))
    expect(introOf(mail('th').html)).toBe(introOf(mail('en').html))
  })

  test('6 without a footer in the language or in English, the email has that of every language', () => {
    const { html, text } = mail('de', { de: { intro: 'Willkommen.' }, ar: { footer: 'للمساعدة' } })
    expect(footerOf(html)).toBe('<bdi>Example Shop &lt;help@shop.example&gt;</bdi>')
    expect(text.endsWith('\n\nExample Shop <help@shop.example>\n')).toBe(true)
    expect(introOf(mail('fr', { de: { intro: 'Willkommen.' } }).html)).toBeUndefined()
  })

  test.each(['en', 'ar', 'ja'] as const)('6 replace no word of ours in %s', (language) => {
    const own = mail(language)
    const plain = mail(language, {})
    expect(own.subject).toBe(plain.subject)
    const added = own.text.split('\n').filter((line) => !plain.text.split('\n').includes(line))
    expect(added).toHaveLength(2)
    for (const line of plain.text.split('\n').filter((one) => one !== look.footer)) expect(own.text).toContain(line)
    for (const line of plain.html.split('\n').filter((one) => !one.includes('help@')))
      expect(own.html.split('\n')).toContain(line)
  })
})

describe.each(languages)('an email in %s', (language) => {
  const { 'sign-in': signIn, ...others } = mailsIn(language)
  const mails = [signIn, ...Object.values(others)]

  test.each(mails)(
    '$subject: loads nothing, escapes untrusted text, and has the same content in both bodies',
    ({ subject, text, html }) => {
      expect(html).not.toMatch(/<(?:img|link|script|iframe)\b|url\(|src=|@import|@font-face/)
      expect(html).not.toContain('<b>')
      expect(subject).not.toMatch(/\d/)
      expect(text).not.toMatch(/[{}]/)
      const words = html
        .replace(/^[\s\S]*<body[^>]*>/, '')
        .replace('</span><span>', '')
        .replace(/<[^>]*>/g, ' ')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&amp;', '&')
        .replace(/\s+/g, ' ')
      for (const line of text.split('\n').filter((one) => one !== '' && !one.includes('token=')))
        expect(words).toContain(line.replace(/\s+/g, ' '))
    },
  )

  test('has its code as the only six digits, and its links unchanged', () => {
    expect(signIn.text.match(/\d{6}/g)).toEqual([code])
    expect(signIn.html.replace(/<style>.*<\/style>|<[^>]*>/g, '').match(/\b\d{6}\b/g)).toEqual([code])
    expect(others.device.text).toContain(`: ${href}\n`)
    for (const { text, html } of mails) {
      expect(text).toContain(`: ${notMe}\n`)
      expect(html).toContain(`href="${notMe}"`)
    }
  })

  test('says its language and direction', () => {
    const attributes = `lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"`
    for (const { html } of mails) expect(html.split(attributes)).toHaveLength(3)
  })

  test('warns in English too, for an owner who does not read the language', () => {
    const english = mailsIn('en')
    expect(signIn.text).toContain(
      'Never share this code with anyone, including support. If you didn’t request it, press',
    )
    expect(others.opened.text).toContain(english.opened.subject)
    expect(others.opened.text).toContain(`This was not me: ${notMe}\n`)
    expect(others.opened.html.includes('<div lang="en" dir="ltr"')).toBe(language !== 'en')
  })
})

test('the facts of a request are in the language of the email', () => {
  expect(mailsIn('en').device.text).toContain(`Requested: 22 Nov 2026, 22:31 UTC\nApp: ${site}\nRegion: Germany\n`)
  expect(mailsIn('ja').device.text).toContain(`要求日時：2026/11/22 22:31 UTC\nアプリ：${site}\n地域：ドイツ\n`)
  expect(mailsIn('ar').device.text).toContain('تنتهي صلاحية الرابط خلال 30 دقيقة.')
})

test('a country’s name that an earlier version stored stays as it is', () => {
  const requester = { site: null, region: 'Germany', at, language: 'de' } as const
  expect(addressChangedMail({ to, notMe, requester, ...dates, side: 'former', isProven: true }).text).toContain(
    'Region: Germany',
  )
})

test('a mail app’s preview shows a line and padding, not the code', () => {
  const { 'sign-in': signIn, opened } = mailsIn('en')
  const preview = (html: string) => /<body[^>]*>\s*<div style="display:none[^>]*>([^<]*)<\/div>/.exec(html)?.[1] ?? ''
  expect(preview(signIn.html)).toMatch(/^Enter this code where you’re signing in\. /)
  expect(preview(opened.html)).toMatch(/^Your wallet is now open on a device/)
  // Apps show up to about 140 characters.
  expect(preview(signIn.html).match(/&nbsp;/g)?.length).toBeGreaterThanOrEqual(140)
  for (const part of [code.slice(0, 3), code.slice(3)]) expect(preview(signIn.html)).not.toContain(part)
})

test('the colours are those of the modal’s theme', () => {
  const theme = readFileSync(new URL('../../../../../packages/ui/src/theme/theme.css', import.meta.url), 'utf8')
  const named = (name: string) =>
    [...theme.matchAll(new RegExp(`--${name}: (#[0-9a-f]{6});`, 'g'))].map(([, hex]) => hex)
  const { card, text, quiet, accent, ink, onInk } = colors
  expect({ card, text, quiet, accent, ink, onInk }).toEqual({
    card: named('base-1'),
    text: named('text-1'),
    quiet: named('text-2'),
    accent: named('accent'),
    ink: named('ink'),
    onInk: named('on-ink'),
  })
  expect(colors.inset).toEqual(named('base-2'))
})
