import type * as z from 'zod/mini'

/** The parsed value; null if missing or invalid. */
export function readStored<T>(schema: z.ZodMiniType<T>, text: string | null): T | null {
  if (text === null) return null
  try {
    const parsed = schema.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
