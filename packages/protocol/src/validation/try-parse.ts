import type * as z from 'zod/mini'

/**
 * The parsed value, or null. Unlike `safeParse` it never throws: zod compares the `length` of whatever it is given, and that
 * of `{ length: { valueOf: 1, toString: 1 } }`, which JSON and messages can hold, compares with nothing.
 */
export function tryParse<T>(schema: z.ZodMiniType<T>, value: unknown): T | null {
  try {
    const parsed = schema.safeParse(value)
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
