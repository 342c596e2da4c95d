import * as z from 'zod/mini'

/** Max length: what a frame accepts in one message. */
export const Base64 = z.string().check(z.regex(/^[A-Za-z0-9+/]*={0,2}$/), z.maxLength(1_048_576))
export const Address = z.string().check(z.minLength(1), z.maxLength(128))
