import { type ErrorCode, errors, isErrorCode } from '@postern/protocol'

export function readError(thrown: unknown): { readonly code: ErrorCode; readonly message: string } {
  const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : undefined
  if (!isErrorCode(code)) return { code: 'SOMETHING_WENT_WRONG', message: errors.SOMETHING_WENT_WRONG.message }
  return { code, message: thrown instanceof Error ? thrown.message : errors[code].message }
}
