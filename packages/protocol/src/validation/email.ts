/** Email sign-in (spec §5). */
import * as z from 'zod/mini'
import { limits } from '../limits'

/** 254 characters is the longest address that SMTP carries (RFC 5321 §4.5.3.1.3). */
export const Email = z.email().check(z.maxLength(254))

/** A one-time code is a string: leading zeros count. */
export const Otp = z.string().check(z.minLength(1), z.maxLength(64))

/**
 * Whole seconds, rounded up, until another email may be sent; 0 when it may be now. Both times are epoch milliseconds.
 * A last time in the future (the clock was set back) waits one whole cooldown at most.
 */
export function emailLoginWait(lastLogin: number | null, now: number): number {
  if (lastLogin === null) return 0
  const left = Math.min(lastLogin + limits.emailLoginCooldown - now, limits.emailLoginCooldown)
  return left > 0 ? Math.ceil(left / 1000) : 0
}
