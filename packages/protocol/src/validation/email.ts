/** Spec §5. */
import * as z from 'zod/mini'
import * as limits from '../limits'

/** 254 characters: SMTP's limit (RFC 5321 §4.5.3.1.3). */
export const Email = z.email().check(z.maxLength(254))

export function isEmail(text: string): boolean {
  return Email.safeParse(text).success
}

/** Text, because leading zeros matter. */
export const Otp = z.string().check(z.minLength(1), z.maxLength(64))

/** Seconds to wait, at most one cooldown, even if the clock was set back. Times in epoch ms. */
export function emailLoginWait(lastLogin: number | null, now: number): number {
  if (lastLogin === null) return 0
  const left = Math.min(lastLogin + limits.emailLoginCooldownMs - now, limits.emailLoginCooldownMs)
  return left > 0 ? Math.ceil(left / 1000) : 0
}
