import type { I18n, Messages } from '@lingui/core'
import { catalogues, nearestLocale } from './catalogues'

/** The dapp's texts, by message id. */
export type Overrides = Readonly<Record<string, string>>

/** Texts that say nothing of the user's wallet, a transaction or a failure. */
const overridable = /^(connect\.(?!only|kept|own)|help)/

const maxOverrideLength = 128

/** Activates a language (`tag`: BCP 47), else English. `english` fills gaps. */
export async function activate(
  i18n: I18n,
  tag: string,
  english: Messages,
  overrides: Overrides | undefined,
  formatTag: (locale: string) => string,
): Promise<void> {
  const locale = nearestLocale(tag)
  const load = catalogues[`./${locale}.json`]
  if (locale !== i18n.locale && load !== undefined)
    i18n.loadAndActivate({ locale, locales: formatTag(locale), messages: { ...english, ...(await load()) } })
  else i18n.activate(locale)
  i18n.load(locale, ownWords(overrides ?? {}))
}

function ownWords(overrides: Overrides): Messages {
  const own: Messages = {}
  const { console: page } = globalThis
  for (const [id, text] of Object.entries(overrides)) {
    if (overridable.test(id) && text.length <= maxOverrideLength) own[id] = [text]
    else page.warn(`Postern: the override of "${id}" is ignored. See docs.postern.dev/guides/theming#your-own-words.`)
  }
  return own
}
