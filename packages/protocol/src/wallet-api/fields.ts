import * as z from 'zod/mini'

/** 256 bits, base64url. */
export const Secret = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/))
export const Id = z.string().check(z.minLength(1), z.maxLength(64))
export const Code = z.string().check(z.regex(/^\d{6}$/))
export const Nothing = z.object({})
