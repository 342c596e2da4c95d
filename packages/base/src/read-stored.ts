/** A zod schema, or a parser of this shape. */
type Schema<T> = {
  safeParse(value: unknown): { readonly success: true; readonly data: T } | { readonly success: false }
}

/** The parsed value; null if missing or invalid. */
export function readStored<T>(schema: Schema<T>, text: string | null): T | null {
  if (text === null) return null
  try {
    const parsed = schema.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
