import { useLingui } from '@lingui/react'
import { type ErrorCode, errors } from '@postern/protocol'
import type { TextValues } from '@postern/ui/locales/text'
import type { CommonText } from '../snapshot/contract'

/**
 * The words of a sentence whose English the protocol has (spec §8): those of the visitor's language where its catalogue has them, else the English.
 * Without a key it is nobody's catalogue's, and stays as it is.
 */
export function useCommonText(): (key: CommonText | undefined, english: string, values?: TextValues) => string {
  const { i18n } = useLingui()
  return (key, english, values) =>
    key !== undefined && Object.hasOwn(i18n.messages, key) ? i18n._(key, values) : english
}

/** What a language says of these is nothing that one could act on: what went wrong is in the failure's own words. */
const unsaid: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['INTERNAL', 'INVALID_PARAMS', 'TRANSACTION_REPLACED'])

/** The words of a failure, and behind them its own where it has some that no language knows. */
export function useErrorText(): (code: ErrorCode, message: string) => string {
  const text = useCommonText()
  return (code, message) => {
    const words = text(`error.${code}`, message)
    const isKnown = words === message || message === errors[code].message || message.trim() === ''
    return isKnown || !unsaid.has(code) ? words : `${words}: ${message}`
  }
}
