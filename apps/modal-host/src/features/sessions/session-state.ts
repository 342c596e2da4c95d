/** Permission types are arbitrary names. */
import type { SmartSession } from '@postern/protocol'

export type SessionState = 'active' | 'expired' | 'revoked'

/** Services use seconds or ms: a time that as ms would be before 1971 is in seconds. */
const earliest = 31_536_000_000

/** The expiry in epoch ms, within the range of Date: a service may send any number. */
export function expiryOf({ expirationTimestamp }: Pick<SmartSession, 'expirationTimestamp'>): number {
  const at = expirationTimestamp < earliest ? expirationTimestamp * 1000 : expirationTimestamp
  return Math.min(Math.max(at, 0), lastMoment)
}

/** Source: ECMA-262, "Time Values and Time Range". */
const lastMoment = 8_640_000_000_000_000

export function stateOf(session: SmartSession, now: number): SessionState {
  if (session.revokedAt !== null && session.revokedAt !== undefined) return 'revoked'
  return expiryOf(session) <= now ? 'expired' : 'active'
}

/** The active sessions first, each group newest first. */
export function inOrder(sessions: readonly SmartSession[], now: number): readonly SmartSession[] {
  const rank = (session: SmartSession) => (stateOf(session, now) === 'active' ? 0 : 1)
  return [...sessions].sort((left, right) => rank(left) - rank(right) || right.createdAt - left.createdAt)
}

export function allowanceOf({ data }: SmartSession['permissions'][number]): {
  readonly token: string | null
  readonly remaining: string | null
} {
  const text = (name: string) => (typeof data[name] === 'string' ? data[name] : null)
  return { token: text('address'), remaining: text('remaining') ?? text('allowance') }
}
