import { useLingui } from '@lingui/react'
import { type ErrorCode, errors } from '@postern/protocol'
import { foreignCodes } from '@postern/protocol/wallet-errors'
import { errorValues, type TextValues, useLocale } from '@postern/ui/locales/text'
import { plainText } from '@postern/ui/plain-text'
import type { CommonText } from '../../snapshot/contract'

/** Protocol texts (spec §8), else English. */
export function useCommonText(): (key: CommonText | undefined, english: string, values?: TextValues) => string {
  const { i18n } = useLingui()
  return (key, english, values) =>
    key !== undefined && Object.hasOwn(i18n.messages, key) ? i18n._(key, values) : english
}

const isoTime = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/

/** Codes whose translation the failure's own message follows. */
const vagueCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'INTERNAL',
  'INVALID_PARAMS',
  'TRANSACTION_REPLACED',
  'UNKNOWN',
])

/** A node may return whole pages. */
const maxLength = 400

/** In any script. */
const site =
  /(?:\w+:\/\/|www\.)\S+|(?<![\p{L}\p{N}])(?:[\p{L}\p{N}-]+[.。．｡])+\p{L}{2,}(?![\p{L}\p{N}])(?:[:/]\S*)?/giu

/** The message may be a wallet's, a contract's or a node's. */
export function withoutAddresses(message: string): string {
  return plainText(message, maxLength).replace(site, '…')
}

const quoted = (message: string) => `“${withoutAddresses(message).replace(/[“”„"]/g, '’')}”`

/** Spec §8, for the user. The failure's alert says what to fix. */
const serverWords: Partial<Record<ErrorCode, string>> = {
  ORIGIN_NOT_ALLOWED: 'This page isn’t allowed',
  INVALID_PROJECT_ID: 'Invalid project id',
  SESSION_EXPIRED: 'Session expired',
}

/** The message is ours only if it is the catalogue's. */
const untrustedCodes: ReadonlySet<ErrorCode> = new Set(['INTERNAL', 'UNKNOWN'])

type ErrorText = (code: ErrorCode, message: string) => string

/**
 * The translation, then the failure's own message if untranslated.
 *
 * @param isForeign another wallet's message, unless the catalogue's, is quoted after the catalogue's sentence
 */
export function useErrorMessage(isForeign = false): ErrorText {
  const text = useCommonText()
  const locale = useLocale()
  return (code, given) => {
    const iso = isoTime.exec(given)?.[0]
    const format = () => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
    const time = iso === undefined ? '' : format().format(new Date(iso))
    const message = iso === undefined ? given : given.replace(iso, time)
    const own = errors[code].message
    const isQuoted = message !== own && (untrustedCodes.has(code) || (isForeign && foreignCodes.has(code)))
    const shown = foreignCodes.has(code) && message !== own ? withoutAddresses(message) : message
    const english = serverWords[code] ?? (isQuoted ? own : shown)
    const words = text(`error.${code}`, english, { time, ...errorValues(given) })
    const isKnown = words === shown || message === own || message.trim() === ''
    if (isKnown || !vagueCodes.has(code)) return words
    return `${words}: ${isQuoted ? quoted(message) : shown}`
  }
}
