/** The chunk has English; other languages load on demand. */
import { matchLocale } from '@postern/base/match-locale'
import { type Catalogue, type Say, speak } from './say'

const fallback = 'en'

const catalogues = import.meta.glob<Catalogue>(['./text/*.json', '!./text/en.json'], { import: 'default' })

export const languages: readonly string[] = [
  fallback,
  ...Object.keys(catalogues).map((path) => path.slice('./text/'.length, -'.json'.length)),
]

export function languageOf(wanted: readonly string[]): string {
  return wanted.map((tag) => matchLocale(tag, languages)).find((tag) => tag !== undefined) ?? fallback
}

/** Falls back to English. */
export async function loadText(wanted: readonly string[]): Promise<{ readonly language: string; readonly say: Say }> {
  const language = languageOf(wanted)
  const catalogue = await catalogues[`./text/${language}.json`]?.().catch(() => undefined)
  return catalogue === undefined ? { language: fallback, say: speak() } : { language, say: speak(catalogue) }
}
