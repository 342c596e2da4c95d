import type { SignInMessage } from './types'

/** A text that is no time counts as the one that refuses. */
const read = (time: string, otherwise: number): number => {
  const value = Date.parse(time)
  return Number.isNaN(value) ? otherwise : value
}

/**
 * Whether a message's time has come and not passed.
 *
 * @param now epoch ms
 * @param skew how far two clocks may be apart, ms
 */
export function untimely(
  message: Pick<SignInMessage, 'issuedAt' | 'notBefore' | 'expirationTime'>,
  now: number,
  skew = 0,
): 'EXPIRED' | 'NOT_YET_VALID' | null {
  const { issuedAt, notBefore, expirationTime } = message
  if (expirationTime !== undefined && read(expirationTime, -Infinity) + skew <= now) return 'EXPIRED'
  if (notBefore !== undefined && read(notBefore, Infinity) - skew > now) return 'NOT_YET_VALID'
  if (issuedAt !== undefined && read(issuedAt, Infinity) - skew > now) return 'NOT_YET_VALID'
  return null
}
