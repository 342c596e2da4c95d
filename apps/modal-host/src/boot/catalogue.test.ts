import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { errors, texts } from '@postern/protocol'
import firstEnglish from '@postern/ui/locales/en.json'
import laterEnglish from '@postern/ui/locales/en-later.json'
import { locales, nearestLocale, textDirection } from '@postern/ui/locales/text'
import { describe, expect, it } from 'vitest'
import { compileCatalogue } from '../../scripts/catalogue-plugin'

const source = path.join(import.meta.dirname, '..')
const ui = path.join(source, '../../../packages/ui/src')
const localesDir = path.join(ui, 'locales')
const en = { ...firstEnglish, ...laterEnglish }
const catalogues = readdirSync(localesDir).filter((name) => name.endsWith('.json') && !name.startsWith('en'))
const read = (name: string): Record<string, string> => JSON.parse(readFileSync(path.join(localesDir, name), 'utf8'))

/** Every quoted word in the files that is a key of the catalogue: `t('close')`, `title: 'help.keys'`. */
function keysIn(files: Iterable<string>): ReadonlySet<string> {
  const code = [...files].map((name) => readFileSync(name, 'utf8')).join('\n')
  return new Set([...code.matchAll(/'([\w.]+)'/g)].map(([, key]) => key ?? '').filter((key) => Object.hasOwn(en, key)))
}

function filesOfViews(): readonly string[] {
  return [source, ui].flatMap((dir) =>
    readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
      .map((name) => path.join(dir, name)),
  )
}

/** The files of the first paint: those that the app imports, and that they import, but for what is imported later. */
function filesOfFirstPaint(file = path.join(source, 'boot/app.tsx'), seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const [, from = ''] of readFileSync(file, 'utf8').matchAll(
    /^(?:import|export) (?!type).*? from '((?:\.|@postern\/ui\/)[^']+)'/gms,
  )) {
    const target = from.startsWith('.')
      ? path.resolve(path.dirname(file), from)
      : path.join(ui, from.slice('@postern/ui/'.length))
    const found = ['.ts', '.tsx'].map((ending) => target + ending).find(existsSync)
    if (found !== undefined) filesOfFirstPaint(found, seen)
  }
  return seen
}

/** What the protocol says in English (spec §8), by the key that other languages have it by. */
const common: Readonly<Record<string, string>> = Object.fromEntries([
  ...Object.entries(errors).flatMap(([code, { message, alert }]) => [
    [`error.${code}`, message],
    ...(alert === undefined
      ? []
      : [
          [`alert.${code}.title`, alert.title],
          [`alert.${code}.text`, alert.text],
        ]),
  ]),
  ...Object.entries(texts).map(([name, text]) => [`text.${name}`, text]),
])
/** What a service said of its own refusal is shown as it said it. */
const strangersWords = ['error.HTTP_STATUS']

/** Names begin small; a word of one of several forms, `{Sent}`, begins as a title does. */
const placeholders = (message: string) =>
  [...new Set([...message.matchAll(/\{([a-z]\w*)[,}]/g)].map(([, name]) => name))].sort()

describe('the English catalogue', () => {
  it('holds no sentence that nobody says (that every key said is there, the types hold)', () => {
    const said = keysIn(filesOfViews())
    expect(Object.keys(en).filter((key) => !said.has(key))).toEqual([])
  })

  it('has what the first paint says in the file that the first paint has', () => {
    const files = filesOfFirstPaint()
    expect([...files].map((name) => path.relative(source, name))).toEqual(
      expect.arrayContaining(['boot/Connect/Connect.tsx', 'boot/title.tsx', '../../../packages/ui/src/row.tsx']),
    )
    expect([...keysIn(files)].filter((key) => Object.hasOwn(laterEnglish, key))).toEqual([])
  })

  it('formats no number in the first paint: the first formatter of a browser takes 5 ms and more', () => {
    expect(
      Object.values(firstEnglish).filter((text) => /, ?(plural|selectordinal|number|date|time)\b/.test(text)),
    ).toEqual([])
  })

  it('says everything once, and compiles', () => {
    expect(Object.keys(en)).toHaveLength(Object.keys(firstEnglish).length + Object.keys(laterEnglish).length)
    for (const file of ['en.json', 'en-later.json'])
      expect(() => compileCatalogue(file, JSON.stringify(read(file)))).not.toThrow()
  })
})

describe.each(catalogues)('%s', (name) => {
  const messages = read(name)
  const own = Object.keys(messages).filter((key) => !/^(error|alert|text)\./.test(key))

  it('says all that English says, and nothing else', () => {
    expect(own.sort()).toEqual(Object.keys(en).sort())
  })

  it('names the values that English names', () => {
    const english: Record<string, string> = en
    for (const key of own)
      expect([key, placeholders(messages[key] ?? '')]).toEqual([key, placeholders(english[key] ?? '')])
  })

  it('says whatever the protocol says: each failure, alert and text that may reach a visitor, and nothing else', () => {
    const said = Object.keys(messages).filter((key) => !own.includes(key))
    expect(said.sort()).toEqual(
      Object.keys(common)
        .filter((key) => !strangersWords.includes(key))
        .sort(),
    )
  })

  it('names in alerts what the protocol names, and in failures nothing: they are told without values', () => {
    for (const key of Object.keys(common).filter((one) => Object.hasOwn(messages, one))) {
      const named = key.startsWith('alert.') ? placeholders(common[key] ?? '') : []
      expect([key, placeholders(messages[key] ?? '')]).toEqual([key, named])
    }
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
