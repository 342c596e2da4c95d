import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { warnOfUntranslated } from '@postern/base/testing/warn-of-untranslated'
import { describe, expect, it } from 'vitest'
import { languageOf, languages, speak } from './text'
import english from './text/en.json'

const folder = path.join(import.meta.dirname, 'text')
const files = readdirSync(folder)
/** The modal has the same languages. */
const modalFiles = readdirSync(path.join(import.meta.dirname, '../../../../../packages/ui/src/locales'))

/** Placeholders, in any order: languages order their words differently. */
const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort()

describe('the languages of the emails', () => {
  it('are those of the modal, with a catalogue each', () => {
    const expected = languages.map((tag) => `${tag}.json`).toSorted()
    expect(files.toSorted()).toEqual(expected)
    expect(modalFiles.filter((name) => name.endsWith('.json')).toSorted()).toEqual(expected)
  })

  it.each(files)('%s has only keys of English, in the same order, with the same placeholders', (file) => {
    const messages = new Map<string, string>(Object.entries(JSON.parse(readFileSync(path.join(folder, file), 'utf8'))))
    const keys = Object.keys(english)
    expect([...messages.keys()]).toEqual(keys.filter((key) => messages.has(key)))
    warnOfUntranslated(
      file,
      keys.filter((key) => !messages.has(key)),
    )
    for (const [key, text] of Object.entries(english))
      if (messages.has(key)) expect(places(messages.get(key) ?? ''), key).toEqual(places(text))
    expect([...messages].filter(([, text]) => text.trim() === '')).toEqual([])
  })

  it('fill placeholders with plain text', () => {
    expect(speak('en')('app', { site: '{site}$&' })).toBe('App: {site}$&')
  })
})

describe('the language of an Accept-Language header', () => {
  it.each([
    ['ja', 'ja'],
    ['fr-FR', 'fr'],
    ['ar-EG', 'ar'],
    ['zh-TW,zh;q=0.9,en-US;q=0.8,en;q=0.7', 'zh-Hant'],
    ['zh', 'zh-Hans'],
    ['en-US,en;q=0.9', 'en'],
    ['en;q=0.5, de-AT;q=0.8, *;q=0.1', 'de'],
    ['DE ; Q=0.8', 'de'],
  ])('%s is %s', (header, language) => expect(languageOf(header)).toBe(language))

  it('is the first one with a catalogue', () => expect(languageOf('eu-ES,eu;q=0.9,pt-BR;q=0.8,en;q=0.7')).toBe('pt'))

  it('is English without a header, or without a catalogue', () => {
    for (const header of [undefined, '', '*', 'eu', 'de;q=0', 'de;q=0.000']) expect(languageOf(header)).toBe('en')
  })

  it.each([
    '__proto__',
    'constructor',
    '../../etc/passwd',
    'ja/../../secrets',
    '<script>alert(1)</script>',
    'ja"><b>Call your bank</b>',
    'ja;q=NaN',
    'ja;q=1e9',
    'ja;q=-1',
    '\u0000ja',
    ';;;,,,;q=1',
    `${' '.repeat(100_000)}ja`,
    `${'x-'.repeat(100_000)}ja`,
    `${','.repeat(100_000)}ja`,
  ])('is English if the header is hostile (%#)', (header) => expect(languageOf(header)).toBe('en'))
})
