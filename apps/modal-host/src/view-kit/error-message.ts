import { useLingui } from '@lingui/react'
import { type ErrorCode, errors } from '@postern/protocol'
import type { TextValues } from '@postern/ui/locales/text'
import type { CommonText } from '../snapshot/contract'

/** Protocol texts (spec §8) in the user's language, else English. Without a key the text stays. */
export function useCommonText(): (key: CommonText | undefined, english: string, values?: TextValues) => string {
  const { i18n } = useLingui()
  return (key, english, values) =>
    key !== undefined && Object.hasOwn(i18n.messages, key) ? i18n._(key, values) : english
}

/** The translation alone does not help: append the failure's own message. */
const vagueCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['INTERNAL', 'INVALID_PARAMS', 'TRANSACTION_REPLACED'])

/** The translation, then the failure's own message if untranslated. */
export function useErrorMessage(): (code: ErrorCode, message: string) => string {
  const text = useCommonText()
  return (code, message) => {
    const words = text(`error.${code}`, message)
    const isKnown = words === message || message === errors[code].message || message.trim() === ''
    return isKnown || !vagueCodes.has(code) ? words : `${words}: ${message}`
  }
}
