/** A chunk per language, loaded when a passphrase is chosen. */

import { matchLocale } from '@postern/base/match-locale'
import type { OptionsDictionary } from '@zxcvbn-ts/core'

type LoadList = () => Promise<{ readonly dictionary: OptionsDictionary }>

export const listLoaders: Readonly<Record<string, LoadList>> = {
  en: () => import('@zxcvbn-ts/language-en'),
  ar: () => import('@zxcvbn-ts/language-ar'),
  de: () => import('@zxcvbn-ts/language-de'),
  es: () => import('@zxcvbn-ts/language-es-es'),
  fr: () => import('@zxcvbn-ts/language-fr'),
  id: () => import('@zxcvbn-ts/language-id'),
  it: () => import('@zxcvbn-ts/language-it'),
  ja: () => import('@zxcvbn-ts/language-ja'),
  nl: () => import('@zxcvbn-ts/language-nl-be'),
  pl: () => import('@zxcvbn-ts/language-pl'),
  pt: () => import('@zxcvbn-ts/language-pt-br'),
}

/** Each adds up to 390 kB (gzip) and some ms per check. */
const maxLists = 3
export const listTimeoutMs = 15_000

export type Lists = {
  readonly dictionary: OptionsDictionary
  readonly isComplete: boolean
}

/** Never rejects. `languages`: BCP 47 tags, the preferred one first. */
export async function loadLists(languages: readonly string[], loaders = listLoaders): Promise<Lists> {
  const available = Object.keys(loaders)
  const matched = languages.map((tag) => matchLocale(tag, available)).filter((tag) => tag !== undefined)
  const wanted = [...new Set(['en', ...matched])].slice(0, maxLists)
  const loaded = await Promise.all(wanted.map((language) => loadList(language, loaders[language])))
  return {
    dictionary: Object.assign({}, ...loaded.filter((list) => list !== null)),
    isComplete: loaded.every((list) => list !== null),
  }
}

async function loadList(language: string, load: LoadList | undefined): Promise<OptionsDictionary | null> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), listTimeoutMs)
  })
  const loaded = await Promise.race([load?.().catch(() => null), timeout]).finally(() => clearTimeout(timer))
  // Older packages use the same names in every language.
  return loaded == null
    ? null
    : Object.fromEntries(Object.entries(loaded.dictionary).map(([name, words]) => [`${name}-${language}`, words]))
}
