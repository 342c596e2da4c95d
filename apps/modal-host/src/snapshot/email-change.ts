import type { ErrorCode } from '@postern/protocol'

export type EmailChangeAttempt = {
  readonly email: string
  readonly step: 'sending' | 'primary' | 'secondary'
  readonly error: { readonly code: ErrorCode; readonly message: string } | null
}
