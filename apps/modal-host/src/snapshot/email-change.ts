import type { ErrorCode } from '@postern/protocol'

/** A code to the current address, then one to the new address (spec §4). */
export type EmailChangeAttempt = {
  readonly email: string
  readonly step: 'sending' | 'primary' | 'secondary'
  readonly error: { readonly code: ErrorCode; readonly message: string } | null
}
