import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { warnOfUntranslated } from '@postern/base/testing/warn-of-untranslated'
import { describe, expect, it } from 'vitest'
import { speak } from './say'
import { languageOf, languages, loadText } from './text'
import english from './text/en.json'

const folder = path.join(import.meta.dirname, 'text')
const files = readdirSync(folder)
const modalLanguages = readdirSync(path.join(import.meta.dirname, '../../../../packages/ui/src/locales')).flatMap(
  (name) => /^(.*)\.json$/.exec(name)?.[1] ?? [],
)

/** Placeholders, in any order: languages order their words differently. */
const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort()

describe('the window’s languages', () => {
  it('are those of the modal, with a catalogue each', () => {
    expect(languages.toSorted()).toEqual(modalLanguages.toSorted())
    expect(files.toSorted()).toEqual(languages.map((tag) => `${tag}.json`).toSorted())
  })

  it('use the first available language of the user', () => {
    expect(languageOf(['eu-ES', 'de-AT', 'en-GB'])).toBe('de')
    expect(languageOf(['eu-ES', 'EN-gb', 'de'])).toBe('en')
    expect(languageOf(['pt-BR', 'en'])).toBe('pt')
    expect(['zh-CN', 'zh-TW', 'zh-HK'].map((tag) => languageOf([tag, 'en']))).toEqual(['zh-Hans', 'zh-Hant', 'zh-Hant'])
    expect(languageOf([])).toBe('en')
  })
})

describe.each(files)('%s', (file) => {
  const messages = new Map<string, string>(Object.entries(JSON.parse(readFileSync(path.join(folder, file), 'utf8'))))

  it('has only keys of English, in the same order, with the same placeholders', () => {
    const keys = Object.keys(english)
    expect([...messages.keys()]).toEqual(keys.filter((key) => messages.has(key)))
    for (const [key, text] of Object.entries(english))
      if (messages.has(key)) expect(places(messages.get(key) ?? ''), key).toEqual(places(text))
    warnOfUntranslated(
      file,
      keys.filter((key) => !messages.has(key)),
    )
  })

  it('has no empty message', () => {
    expect([...messages].filter(([, text]) => text.trim() === '')).toEqual([])
  })

  it('loads', async () => {
    const tag = file.slice(0, -'.json'.length)
    const { language, say } = await loadText([tag])
    expect([language, say('continue')]).toEqual([tag, messages.get('continue')])
  })
})

describe('speak', () => {
  it('says in English what a language lacks', () => {
    expect(speak({})('continue')).toBe(english.continue)
  })

  it('fills placeholders with plain text, and keeps unknown ones', () => {
    expect(speak()('for', { origin: '{origin}$&' })).toBe('for {origin}$&')
    expect(speak()('for')).toBe('for {origin}')
  })
})
