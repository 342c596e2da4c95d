import { describe, expect, test } from 'vitest'
import { languages } from './mail/text'
import { MailTexts, ProjectChanges, ProjectInput } from './project'

describe('an allowed origin', () => {
  const isAccepted = (origin: string) =>
    ProjectInput.safeParse({ id: 'a', name: 'A', allowedOrigins: [origin] }).success

  test.each([
    'https://*.co.uk',
    'https://*.com.br:8443',
    'https://*.公司.cn',
    'https://*.github.io',
    'http://*.VERCEL.app/',
    'https://*.kawasaki.jp',
    'https://*.compute.amazonaws.com',
  ])('%s is refused: names there have many owners', (origin) => {
    expect(isAccepted(origin)).toBe(false)
  })

  test.each([
    'https://*.example.co.uk',
    'https://*.user.github.io',
    'https://*.preview.example.com',
    'https://*.corp.internal',
    'http://*.localhost:*',
    'https://co.uk',
    'https://user.github.io',
  ])('%s is accepted', (origin) => {
    expect(isAccepted(origin)).toBe(true)
  })
})

describe('the lines of a project’s emails', () => {
  test('are empty by default', () => {
    expect(ProjectInput.parse({ id: 'a', name: 'A' }).mailTexts).toEqual({})
    expect(ProjectChanges.parse({ name: 'A' }).mailTexts).toBeUndefined()
  })

  test('a name has no control characters, which PostgreSQL does not store', () => {
    for (const name of ['a\u0000b', 'a\nb', '\u001b[2J', '\ud800'])
      expect(ProjectInput.safeParse({ id: 'a', name }).success).toBe(false)
    expect(ProjectInput.parse({ id: 'a', name: ' Läden 🛒 ' }).name).toBe('Läden 🛒')
  })

  test.each(languages)('may be in %s, with either line', (language) => {
    const texts = { [language]: { intro: ' Hello. ' } }
    expect(MailTexts.parse(texts)).toEqual({ [language]: { intro: 'Hello.' } })
    expect(MailTexts.safeParse({ [language]: { footer: 'x'.repeat(300) } }).success).toBe(true)
  })

  test.each([
    ['a language without a catalogue', { tlh: { intro: 'nuqneH' } }],
    ['a regional tag', { 'de-AT': { intro: 'Servus' } }],
    ['a name of the prototype', { constructor: { intro: 'Hello' } }],
    ['a list', [{ intro: 'Hello' }]],
    ['a text without parts', { de: 'Hallo' }],
    ['another part', { de: { subject: 'Ihr Code' } }],
    ['a code of ours', { de: { intro: 'Hallo', code: '1' } }],
    ['null', { de: { intro: null } }],
    ['an empty line', { de: { intro: '  ' } }],
    ['two lines', { de: { intro: 'Hallo\nIhr Code' } }],
    ['a line separator', { de: { intro: 'Hallo\u2028Ihr Code' } }],
    ['301 characters', { de: { footer: 'x'.repeat(301) } }],
    ['six digits', { de: { footer: 'Code 123456' } }],
    ['six Arabic digits', { ar: { intro: '١٢٣٤٥٦' } }],
    ['six digits of two scripts', { ar: { intro: '123٤٥٦' } }],
    ['a right-to-left override', { ar: { intro: 'a\u202eb' } }],
    ['an isolate', { ar: { intro: 'a\u2067b' } }],
    ['a right-to-left mark', { ar: { intro: '\u200fa' } }],
    ['a zero-width space', { en: { footer: '123\u200b456' } }],
  ])('may not have %s', (_, texts) => {
    expect(MailTexts.safeParse(texts).success).toBe(false)
    expect(ProjectChanges.safeParse({ mailTexts: texts }).success).toBe(false)
  })
})
