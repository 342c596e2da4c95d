import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { isErrorCode } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import { compileCatalogue } from '../../scripts/catalogue-plugin'
import en from './en.json'
import { locales, nearestLocale, textDirection } from './text'

const source = path.join(import.meta.dirname, '..')
const catalogues = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.json'))
const read = (name: string): Record<string, string> =>
  JSON.parse(readFileSync(path.join(import.meta.dirname, name), 'utf8'))

/** Every quoted word in the code that is a key of the catalogue: `t('close')`, `title: 'help.keys'`. */
function keysInCode(): ReadonlySet<string> {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /^(ui|views|modal)\/.*\.tsx?$/.test(name) && !name.includes('.test.'),
  )
  const code = files.map((name) => readFileSync(path.join(source, name), 'utf8')).join('\n')
  return new Set([...code.matchAll(/'([\w.]+)'/g)].map(([, key]) => key ?? '').filter((key) => Object.hasOwn(en, key)))
}

const placeholders = (message: string) =>
  [...new Set([...message.matchAll(/\{(\w+)[,}]/g)].map(([, name]) => name))].sort()

describe('the English catalogue', () => {
  it('holds no sentence that nobody says (that every key said is there, the types hold)', () => {
    const said = keysInCode()
    expect(Object.keys(en).filter((key) => !said.has(key))).toEqual([])
  })
})

describe.each(catalogues)('%s', (name) => {
  const messages = read(name)
  const own = Object.keys(messages).filter((key) => !key.startsWith('error.'))

  it('says all that English says, and nothing else', () => {
    expect(own.sort()).toEqual(Object.keys(en).sort())
  })

  it('names the values that English names', () => {
    const english: Record<string, string> = en
    for (const key of own)
      expect([key, placeholders(messages[key] ?? '')]).toEqual([key, placeholders(english[key] ?? '')])
  })

  it('translates only errors that there are', () => {
    const codes = Object.keys(messages).filter((key) => key.startsWith('error.'))
    for (const key of codes) expect([key, isErrorCode(key.slice('error.'.length))]).toEqual([key, true])
  })

  it('compiles', () => {
    expect(() => compileCatalogue(name, JSON.stringify(messages))).not.toThrow()
  })
})

describe('compileCatalogue', () => {
  it('ends with the key of a message that does not parse', () => {
    expect(() => compileCatalogue('xx.json', '{"a.key":"{broken"}')).toThrow("'a.key'")
  })
})

describe('nearestLocale', () => {
  it('takes the language where it has not the region, and English where it has neither', () => {
    expect(locales).toEqual(['en', 'de'])
    expect(nearestLocale('de-AT')).toBe('de')
    expect(nearestLocale('DE')).toBe('de')
    expect(nearestLocale('pt-BR', ['en', 'pt-BR', 'pt'])).toBe('pt-BR')
    expect(nearestLocale('ja')).toBe('en')
    expect(nearestLocale('')).toBe('en')
  })
})

describe('textDirection', () => {
  it('knows the scripts that run from the right', () => {
    expect([textDirection('ar'), textDirection('he-IL'), textDirection('de')]).toEqual(['rtl', 'rtl', 'ltr'])
  })
})
