import type * as z from 'zod/mini'

type Parsed<T> =
  | { readonly success: true; readonly data: T }
  | {
      readonly success: false
      readonly error: { readonly issues: readonly Pick<z.core.$ZodIssue, 'path' | 'message'>[] }
    }

/**
 * `safeParse` that never throws.
 * zod compares a value's `length`, and `{ length: { valueOf: 1, toString: 1 } }`, which JSON and messages can contain,
 * makes that throw. Such a value has no issues.
 */
export function tryParse<T extends z.ZodMiniType>(schema: T, value: unknown): Parsed<z.output<T>> {
  try {
    return schema.safeParse(value)
  } catch {
    return { success: false, error: { issues: [] } }
  }
}
