import { useLingui } from '@lingui/react'
import { type ErrorCode, errors } from '@postern/protocol'
import { foreignCodes } from '@postern/protocol/wallet-errors'
import { errorValues, type TextValues, useLocale } from '@postern/ui/locales/text'
import { plainText } from '@postern/ui/plain-text'
import type { CommonText } from '../snapshot/contract'

/** Protocol texts (spec §8) in the user's language, else English. Without a key the text stays. */
export function useCommonText(): (key: CommonText | undefined, english: string, values?: TextValues) => string {
  const { i18n } = useLingui()
  return (key, english, values) =>
    key !== undefined && Object.hasOwn(i18n.messages, key) ? i18n._(key, values) : english
}

/** A time as the wallet writes it into a message. */
const isoTime = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/

/** The translation alone does not help: append the failure's own message. */
const vagueCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'INTERNAL',
  'INVALID_PARAMS',
  'TRANSACTION_REPLACED',
  'UNKNOWN',
])

/** Max characters of a quotation: a node may return pages. */
const maxQuotation = 200

/** Of a wallet or a node: a quotation, and nowhere to go. */
function quotation(foreign: string): string {
  const site = /(?:\w+:\/\/|www\.)\S+|\b(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}\b(?:[:/]\S*)?/giu
  return `“${plainText(foreign, maxQuotation).replace(site, '…')}”`
}

/** A server's words of spec §8, for the user. The alert of the same failure says what to fix. */
const serverWords: Partial<Record<ErrorCode, string>> = {
  ORIGIN_NOT_ALLOWED: 'This page isn’t allowed',
  INVALID_PROJECT_ID: 'Invalid project id',
  SESSION_EXPIRED: 'Session expired',
}

/** The catalogue's sentence, translated; then the failure's own message, quoted if it is a wallet's or a node's. */
export function useErrorMessage(): (code: ErrorCode, message: string) => string {
  const text = useCommonText()
  const locale = useLocale()
  return (code, given) => {
    const iso = isoTime.exec(given)?.[0]
    const format = () => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
    const time = iso === undefined ? '' : format().format(new Date(iso))
    const message = iso === undefined ? given : given.replace(iso, time)
    const own = errors[code].message
    const isForeign = foreignCodes.has(code) && !message.startsWith(own)
    const words = text(`error.${code}`, serverWords[code] ?? (isForeign ? own : message), {
      time,
      ...errorValues(given),
    })
    const isKnown = words === message || message === own || message.trim() === ''
    if (isKnown || !vagueCodes.has(code)) return words
    return `${words}: ${isForeign ? quotation(message) : message}`
  }
}
