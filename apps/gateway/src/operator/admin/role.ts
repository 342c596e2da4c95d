import * as z from 'zod/mini'

export const Role = z.enum(['viewer', 'admin'], 'must be viewer or admin')
/** A viewer reads; an admin also changes. */
export type Role = z.infer<typeof Role>

export type Operator = {
  /** For the audit log. */
  readonly name: string
  readonly role: Role
  /** Null with a token of the settings. */
  readonly sessionId: string | null
}
