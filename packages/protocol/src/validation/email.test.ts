import { describe, expect, it } from 'vitest'
import { Email, emailLoginWait, Otp } from './email'

describe('email sign-in', () => {
  it.each(['a@example.com', 'first.last+tag@sub.example.co'])('accepts %s (spec §5)', (email) => {
    expect(Email.safeParse(email).success).toBe(true)
  })

  it.each([
    '',
    'a',
    'a@',
    '@example.com',
    'a@example',
    'a b@example.com',
    'a@example.com\n',
    'a..b@example.com',
    `${'a'.repeat(250)}@example.com`,
  ])('rejects %j (spec §5)', (email) => expect(Email.safeParse(email).success).toBe(false))

  it('a code is a string (spec §5)', () => {
    expect(Otp.safeParse('012345').success).toBe(true)
    expect(Otp.safeParse(123456).success).toBe(false)
    expect(Otp.safeParse('').success).toBe(false)
  })
})

describe('emailLoginWait', () => {
  it('is 30 s at first, rounded up, and 0 afterwards (spec §5)', () => {
    expect(emailLoginWait(null, 0)).toBe(0)
    expect(emailLoginWait(1_000, 1_000)).toBe(30)
    expect(emailLoginWait(1_000, 1_001)).toBe(30)
    expect(emailLoginWait(1_000, 2_000)).toBe(29)
    expect(emailLoginWait(1_000, 30_999)).toBe(1)
    expect(emailLoginWait(1_000, 31_000)).toBe(0)
  })

  it('waits at most one cooldown if the clock was set back', () => {
    expect(emailLoginWait(9_999_999_999, 1_000)).toBe(30)
  })
})
