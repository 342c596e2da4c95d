import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { I18nProvider } from '@lingui/react'
import { warnOfUntranslated } from '@postern/base/testing/warn-of-untranslated'
import { textDirection } from '@postern/base/text-direction'
import { errors, texts } from '@postern/protocol'
import { locales, nearestLocale } from '@postern/ui/locales/catalogues'
import en from '@postern/ui/locales/en.json'
import { activateLocale, createText, useLocale } from '@postern/ui/locales/text'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { compileCatalogue, namedMessages } from '../../../../scripts/vite/catalogue-plugin'
import { views } from '../views/registry'

const source = path.join(import.meta.dirname, '..')
const ui = path.join(source, '../../../packages/ui/src')
const uiExports: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(path.join(ui, '../package.json'), 'utf8'),
).exports
/** The wallet's frame draws approvals from the same catalogue. */
const walletApproval = path.join(source, '../../wallet/src/approval')
const localesDir = path.join(ui, 'locales')
const catalogues = readdirSync(localesDir).filter((name) => name.endsWith('.json') && name !== 'en.json')
const read = (name: string): Record<string, string> => JSON.parse(readFileSync(path.join(localesDir, name), 'utf8'))

/** Quoted catalogue keys: `t('close')`, `title: 'help.keys'`. */
function keysIn(files: Iterable<string>): ReadonlySet<string> {
  const code = [...files].map((name) => readFileSync(name, 'utf8')).join('\n')
  return new Set([...code.matchAll(/'([\w.]+)'/g)].map(([, key]) => key ?? '').filter((key) => Object.hasOwn(en, key)))
}

function filesOfViews(): readonly string[] {
  return [source, ui, walletApproval].flatMap((dir) =>
    readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
      .map((name) => path.join(dir, name)),
  )
}

function filesOfFirstPaint(file = path.join(source, 'boot/app.tsx'), seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const [, from = ''] of readFileSync(file, 'utf8').matchAll(
    /^(?:import|export) (?!type).*? from '((?:\.|@postern\/ui\/)[^']+)'/gms,
  )) {
    const exported = uiExports[from.replace('@postern/ui', '.')]
    const candidates =
      exported === undefined
        ? ['.ts', '.tsx'].map((ending) => path.resolve(path.dirname(file), from) + ending)
        : [path.join(ui, '..', exported)]
    const found = candidates.find(existsSync)
    if (found !== undefined) filesOfFirstPaint(found, seen)
  }
  return seen
}

/** The protocol's English (spec §8), by translation key. */
const common: Readonly<Record<string, string>> = Object.fromEntries([
  ...Object.entries(errors).flatMap(([code, { message, alert }]) => [
    [`error.${code}`, message],
    ...(alert === undefined ? [] : [[`alert.${code}.text`, alert.text]]),
  ]),
  ...Object.entries(texts).map(([name, text]) => [`text.${name}`, text]),
])
/** A service's own message is shown untranslated. */
const strangersWords = ['error.HTTP_STATUS']

/** The arguments in the parts of a compiled message: texts, and lists of an argument, its format and its forms. */
function argumentsIn(parts: unknown): readonly string[] {
  if (!Array.isArray(parts)) return []
  return parts.flatMap((part: unknown) => {
    if (!Array.isArray(part)) return []
    const [name, , forms]: readonly unknown[] = part
    return [String(name), ...Object.values(forms ?? {}).flatMap(argumentsIn)]
  })
}

function placeholders(message: string): readonly string[] {
  const { compiled }: { readonly compiled: unknown } = JSON.parse(
    compileCatalogue('', JSON.stringify({ compiled: message })),
  )
  return [...new Set(argumentsIn(compiled))].sort()
}

describe('the English catalogue', () => {
  it('has no unused message (the types check that every used key exists)', () => {
    const said = new Set([...keysIn(filesOfViews()), ...Object.keys(views).map((view) => `title.${view}`)])
    expect(Object.keys(en).filter((key) => !said.has(key))).toEqual([])
  })

  it('keeps the first-paint messages in the first-paint file', () => {
    const files = filesOfFirstPaint()
    expect([...files].map((name) => path.relative(source, name))).toEqual(
      expect.arrayContaining([
        'boot/Connect/Connect.tsx',
        'boot/shell/title.tsx',
        '../../../packages/ui/src/rows/row.tsx',
      ]),
    )
    const code = [...files].map((name) => readFileSync(name, 'utf8')).join('\n')
    const cut: unknown = JSON.parse(namedMessages(code, JSON.stringify(en)))
    expect(Object.keys(cut ?? {}).sort()).toEqual([...keysIn(files)].sort())
  })

  it('formats no number in the first paint: creating a browser’s first formatter takes 5 ms or more', () => {
    const boot = keysIn(filesOfFirstPaint())
    expect(
      Object.entries(en).filter(
        ([key, text]) => boot.has(key) && /, ?(plural|selectordinal|number|date|time)\b/.test(text),
      ),
    ).toEqual([])
  })

  it('has no duplicate key, and compiles', () => {
    const keys = readFileSync(path.join(localesDir, 'en.json'), 'utf8').match(/^ {2}"[\w.]+":/gm)
    expect(keys).toHaveLength(Object.keys(en).length)
    expect(() => compileCatalogue('en.json', JSON.stringify(read('en.json')))).not.toThrow()
  })
})

describe.each(catalogues)('%s', (name) => {
  const messages = read(name)
  const own = Object.keys(messages).filter((key) => !/^(error|alert|text)\./.test(key))

  it('has only keys of English', () => {
    expect(own.filter((key) => !Object.hasOwn(en, key))).toEqual([])
    warnOfUntranslated(
      name,
      Object.keys(en).filter((key) => !own.includes(key)),
    )
  })

  it('uses the same placeholders as English', () => {
    const english: Record<string, string> = en
    for (const key of own)
      expect([key, placeholders(messages[key] ?? '')]).toEqual([key, placeholders(english[key] ?? '')])
  })

  it('translates only the protocol’s failures, alerts and texts that a user may see', () => {
    const expected = Object.keys(common).filter((key) => !strangersWords.includes(key))
    const said = Object.keys(messages).filter((key) => !own.includes(key))
    expect(said.filter((key) => !expected.includes(key))).toEqual([])
    warnOfUntranslated(
      name,
      expected.filter((key) => !said.includes(key)),
    )
  })

  it('uses the protocol’s placeholders in alerts, and in failures only the time, a number with its unit, and an amount', () => {
    /** The values of {@link errorValues}. */
    const optional = ['count', 'unit', 'amount']
    for (const key of Object.keys(common).filter((one) => Object.hasOwn(messages, one))) {
      const all = placeholders(common[key] ?? '')
      const used = placeholders(messages[key] ?? '')
      if (key.startsWith('alert.')) expect([key, used]).toEqual([key, all])
      else
        expect([key, used.filter((one) => !optional.includes(one))]).toEqual([key, all.filter((one) => one === 'time')])
    }
  })

  it('compiles', () => {
    expect(() => compileCatalogue(name, JSON.stringify(messages))).not.toThrow()
  })
})

describe('compileCatalogue', () => {
  it('fails with the key of a message that does not parse', () => {
    expect(() => compileCatalogue('xx.json', '{"a.key":"{broken"}')).toThrow("'a.key'")
  })
})

describe('nearestLocale', () => {
  it('falls back from region to language, and from language to English', () => {
    expect(locales).toEqual(['en', ...catalogues.map((name) => name.slice(0, -'.json'.length))])
    expect(nearestLocale('de-AT')).toBe('de')
    expect(nearestLocale('DE')).toBe('de')
    expect(['es-419', 'fr-CA', 'pt-BR'].map((tag) => nearestLocale(tag))).toEqual(['es', 'fr', 'pt'])
    expect(nearestLocale('pt-BR', ['en', 'pt-BR', 'pt'])).toBe('pt-BR')
    expect(nearestLocale('eu')).toBe('en')
    expect(nearestLocale('')).toBe('en')
  })
})

describe('textDirection', () => {
  it('detects right-to-left scripts', () => {
    expect([textDirection('ar'), textDirection('he-IL'), textDirection('de')]).toEqual(['rtl', 'rtl', 'ltr'])
  })
})

function Amount() {
  return new Intl.NumberFormat(useLocale()).format(1234567890)
}

describe('useLocale', () => {
  it.each(locales)('formats with Latin digits in %s, as messages do', async (locale) => {
    const i18n = createText()
    await activateLocale(i18n, locale)
    expect(renderToStaticMarkup(createElement(I18nProvider, { i18n }, createElement(Amount)))).toMatch(/^[\d.,\s’]+$/)
    expect(i18n._('tokens.retryIn', { seconds: 42 })).toContain('42')
  })
})
