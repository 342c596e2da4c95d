/**
 * All user-visible text: ICU messages, compiled by scripts/vite/catalogue-plugin.ts. The boot chunk has the English
 * messages that it names (`boot-messages.ts`); other languages load on demand.
 */
import { type I18n, type Messages, setupI18n } from '@lingui/core'
import { useLingui } from '@lingui/react'
import type { Overrides } from './activate'
import { bootMessages } from './boot-messages'
import type catalogue from './en.json'

export type TextKey = keyof typeof catalogue
export type TextValues = { readonly [name: string]: string | number }
export type Translate = (key: TextKey, values?: TextValues) => string

const fallbackLocale = 'en'

/** Shared by all instances. {@link loadEnglish} completes it. */
const english: Messages = { ...bootMessages }

/** Digits are Latin in every language, as in addresses and typed amounts. */
const formatTag = (locale: string) => `${locale}-u-nu-latn`

/** Starts in English, so that the first paint waits for no language. */
export function createText(): I18n {
  return setupI18n({ locale: fallbackLocale, messages: { [fallbackLocale]: english } })
}

/**
 * Values for a failure's message.
 *
 * `count`: its number, such as the tries left; else `none`. `unit`: `s` or `min`. `amount`: at its end, with symbol.
 */
export function errorValues(message: string): {
  readonly count: string
  readonly unit: string
  readonly amount: string
} {
  const [, count = 'none', unit = ''] = /\b(\d+)\b(?: (s|min)\b)?/.exec(message) ?? []
  const [amount = ''] = /\b\d+(?:\.\d+)?(?: \S{1,16})?$/.exec(message) ?? []
  return { count, unit, amount }
}

/** Every view but Connect waits for it (`boot/navigation/views.tsx`). */
export async function loadEnglish(): Promise<void> {
  Object.assign(english, { ...(await import('./en.json')).default, ...english })
}

/** If loading fails, the current language stays. `overrides`: the dapp's texts, in any language. */
export async function activateLocale(i18n: I18n, tag: string, overrides?: Overrides): Promise<void> {
  if (tag === i18n.locale && !overrides) return
  // Keeps the catalogues' file names out of the first paint.
  const { activate } = await import('./activate')
  await activate(i18n, tag, english, overrides, formatTag)
}

export function useText(): Translate {
  const { _ } = useLingui()
  return (key, values) => _(key, values)
}

export function useLocale(): string {
  return formatTag(useLingui().i18n.locale)
}
