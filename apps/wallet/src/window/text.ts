/**
 * A separate catalogue, because the wallet's origin shares no code with the modal. One file per language in `text/`.
 */
import german from './text/de.json'
import english from './text/en.json'

export type TextKey = keyof typeof english
export type Say = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string
export type Language = 'en' | 'de'

const catalogues: Readonly<Record<Language, Readonly<Record<TextKey, string>>>> = { en: english, de: german }

/** Else English. */
export function languageOf(wanted: readonly string[]): Language {
  const known = wanted.map((tag) => tag.toLowerCase().split('-')[0])
  return known.find((tag) => tag === 'de' || tag === 'en') === 'de' ? 'de' : 'en'
}

export function speak(language: Language): Say {
  return (key, values = {}) =>
    catalogues[language][key].replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
      Object.hasOwn(values, name) ? String(values[name]) : whole,
    )
}
