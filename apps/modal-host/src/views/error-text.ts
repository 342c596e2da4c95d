import { useLingui } from '@lingui/react'
import type { ErrorCode } from '@postern/protocol'

/** The words of a failure: those of the visitor's language where its catalogue has them, else the message itself (protocol errors, spec §8). */
export function useErrorText(): (code: ErrorCode, message: string) => string {
  const { i18n } = useLingui()
  return (code, message) => {
    const key = `error.${code}`
    return Object.hasOwn(i18n.messages, key) ? i18n._(key) : message
  }
}
