/** Zod's, or of this shape. */
type Schema<T> = {
  safeParse(value: unknown): { readonly success: true; readonly data: T } | { readonly success: false }
}

/** Null if missing or invalid. */
export function readStored<T>(schema: Schema<T>, text: string | null): T | null {
  if (text === null) return null
  try {
    const parsed = schema.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
