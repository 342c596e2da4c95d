import type { Messages } from '@lingui/core'
import { matchLocale } from '@postern/base/match-locale'

const fallbackLocale = 'en'

/** Every language but English, by file path. */
export const catalogues = import.meta.glob<Messages>(['./*.json', '!./en.json'], { import: 'default' })

export const locales: readonly string[] = [
  fallbackLocale,
  ...Object.keys(catalogues).map((path) => path.slice('./'.length, -'.json'.length)),
]

export function nearestLocale(tag: string, available: readonly string[] = locales): string {
  return matchLocale(tag, available) ?? fallbackLocale
}
