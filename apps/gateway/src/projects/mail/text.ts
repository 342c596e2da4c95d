import { matchLocale } from '@postern/base/match-locale'
import ar from './text/ar.json'
import bn from './text/bn.json'
import de from './text/de.json'
import en from './text/en.json'
import es from './text/es.json'
import fr from './text/fr.json'
import hi from './text/hi.json'
import id from './text/id.json'
import it from './text/it.json'
import ja from './text/ja.json'
import ko from './text/ko.json'
import nl from './text/nl.json'
import pl from './text/pl.json'
import pt from './text/pt.json'
import ru from './text/ru.json'
import th from './text/th.json'
import tr from './text/tr.json'
import uk from './text/uk.json'
import vi from './text/vi.json'
import zhHans from './text/zh-Hans.json'
import zhHant from './text/zh-Hant.json'

export type MailTextKey = keyof typeof en
/** A missing text is in English. */
type Catalogue = Readonly<Partial<Record<MailTextKey, string>>>
export type Say = (key: MailTextKey, values?: Readonly<Record<string, string>>) => string

export const languages = [
  'en',
  'ar',
  'bn',
  'de',
  'es',
  'fr',
  'hi',
  'id',
  'it',
  'ja',
  'ko',
  'nl',
  'pl',
  'pt',
  'ru',
  'th',
  'tr',
  'uk',
  'vi',
  'zh-Hans',
  'zh-Hant',
] as const
export type Language = (typeof languages)[number]

const catalogues: Readonly<Record<Language, Catalogue>> = {
  en,
  ar,
  bn,
  de,
  es,
  fr,
  hi,
  id,
  it,
  ja,
  ko,
  nl,
  pl,
  pt,
  ru,
  th,
  tr,
  uk,
  vi,
  'zh-Hans': zhHans,
  'zh-Hant': zhHant,
}

/** In characters; browsers send fewer than a hundred. */
const maxHeader = 256

/** The preferred language of an Accept-Language header (RFC 9110), or English. */
export function languageOf(header: string | undefined): Language {
  const wanted = (header ?? '').slice(0, maxHeader).split(',').map(readPreference)
  const best = wanted
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ tag }) => matchLocale(tag, languages))
  return best.find((language) => language !== undefined) ?? 'en'
}

const preference = /^\s*([a-z]{2,3}(?:-[a-z\d]{1,8}){0,4})\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i

/** Such as `de-AT;q=0.8`; of other text, quality 0. */
function readPreference(text: string): { readonly tag: string; readonly quality: number } {
  const [, tag, quality = '1'] = preference.exec(text) ?? []
  return tag === undefined ? { tag: '', quality: 0 } : { tag, quality: Number(quality) }
}

export function speak(language: Language): Say {
  return (key, values = {}) =>
    (catalogues[language][key] ?? en[key]).replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}

/** Locale for `Intl`. Digits are Latin in every language, as in codes. */
const formatTag = (language: Language) => (language === 'en' ? 'en-GB' : `${language}-u-nu-latn`)

/** Such as "22 Nov 2026, 22:31 UTC". @param time epoch ms */
export function timeText(time: number, language: Language): string {
  const options = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const
  return `${new Intl.DateTimeFormat(formatTag(language), options).format(time)} UTC`
}

/** Such as "10 minutes". */
export function minutesText(minutes: number, language: Language): string {
  const options = { style: 'unit', unit: 'minute', unitDisplay: 'long' } as const
  return new Intl.NumberFormat(formatTag(language), options).format(minutes)
}

/** Such as "Germany" for `DE`. Other text stays: earlier versions stored the name. */
export function regionText(region: string, language: Language): string {
  return /^[A-Z]{2}$/.test(region) ? (new Intl.DisplayNames(language, { type: 'region' }).of(region) ?? region) : region
}
