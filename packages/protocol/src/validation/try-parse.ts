import type * as z from 'zod/mini'

type Issue = Pick<z.core.$ZodIssue, 'path' | 'message'>

/**
 * What fits the schema, or why it does not. Unlike `safeParse` it never throws: zod compares the `length` of whatever it is
 * given, and that of `{ length: { valueOf: 1, toString: 1 } }`, which JSON and messages can hold, compares with nothing.
 */
export function tryParse<T extends z.ZodMiniType>(
  schema: T,
  value: unknown,
): { readonly data: z.output<T> } | { readonly issues: readonly Issue[] } {
  try {
    const parsed = schema.safeParse(value)
    return parsed.success ? { data: parsed.data } : { issues: parsed.error.issues }
  } catch {
    return { issues: [{ path: [], message: 'A member has a `length` that is not a number' }] }
  }
}
