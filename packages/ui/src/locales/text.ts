/**
 * The catalogue: every sentence that a visitor reads. A language is one JSON file of ICU messages beside this one;
 * the build compiles it (scripts/catalogue-plugin.ts), and all but English are fetched when a page asks for them.
 * English is two files: what the first paint says, and what the views say that are fetched later.
 */
import { type I18n, type Messages, setupI18n } from '@lingui/core'
import { useLingui } from '@lingui/react'
import firstEnglish from './en.json'
import type laterEnglish from './en-later.json'

export type TextKey = keyof typeof firstEnglish | keyof typeof laterEnglish
export type TextValues = { readonly [name: string]: string | number }
export type Translate = (key: TextKey, values?: TextValues) => string

const fallbackLocale = 'en'
const rightToLeft: ReadonlySet<string> = new Set(['ar', 'dv', 'fa', 'he', 'ku', 'ps', 'sd', 'ug', 'ur', 'yi'])

const catalogues = import.meta.glob<Messages>(['./*.json', '!./en.json', '!./en-later.json'], { import: 'default' })
/** Grows once, by {@link loadLaterText}; every instance speaks from it. */
const english: Messages = { ...firstEnglish }

/** The languages there are, by their BCP 47 tag. */
export const locales: readonly string[] = [
  fallbackLocale,
  ...Object.keys(catalogues).map((path) => path.slice('./'.length, -'.json'.length)),
]

/** The nearest language there is to a BCP 47 tag: the tag itself, its language, else English. */
export function nearestLocale(tag: string, available: readonly string[] = locales): string {
  const wanted = tag.toLowerCase()
  const language = wanted.split('-')[0]
  return (
    available.find((locale) => locale.toLowerCase() === wanted) ??
    available.find((locale) => locale.toLowerCase() === language) ??
    fallbackLocale
  )
}

export function textDirection(locale: string): 'ltr' | 'rtl' {
  return rightToLeft.has(locale.split('-')[0] ?? '') ? 'rtl' : 'ltr'
}

/** A catalogue of its own for each instance. It speaks English at once, since no first paint waits for a language. */
export function createText(): I18n {
  return setupI18n({ locale: fallbackLocale, messages: { [fallbackLocale]: english } })
}

/** Fetches the sentences of the views that are not part of the first paint; those views wait for it (modal/views.tsx). */
export async function loadLaterText(): Promise<void> {
  Object.assign(english, (await import('./en-later.json')).default)
}

/** Changes the language when its file has arrived. A file that does not arrive leaves the language that is shown. */
export async function activateLocale(i18n: I18n, tag: string): Promise<void> {
  const locale = nearestLocale(tag)
  if (locale === i18n.locale) return
  const load = catalogues[`./${locale}.json`]
  if (load === undefined) return i18n.activate(locale)
  const messages = await load()
  i18n.loadAndActivate({ locale, messages: { ...english, ...messages } })
}

export function useText(): Translate {
  const { _ } = useLingui()
  return (key, values) => _(key, values)
}

/** The language that is shown, for numbers and dates. */
export function useLocale(): string {
  return useLingui().i18n.locale
}
