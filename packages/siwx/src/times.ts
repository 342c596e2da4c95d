import type { SignInMessage } from './types'

/** `otherwise` rejects. */
const read = (time: string, otherwise: number): number => {
  const value = Date.parse(time)
  return Number.isNaN(value) ? otherwise : value
}

/** Null if valid now. `now`: epoch ms. `skew`: max clock difference, in ms. */
export function timeErrorOf(
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
