import * as z from 'zod/mini'

export const ThemeMode = z.enum(['light', 'dark'])
export type ThemeMode = z.infer<typeof ThemeMode>

/** See docs/reference/options.md. */
export const Theme = z.strictObject({
  mode: z.optional(z.enum(['light', 'dark', 'auto'])),
  accent: z.optional(z.string().check(z.maxLength(64))),
  radius: z.optional(z.number().check(z.gte(0), z.lte(2))),
  font: z.optional(z.string().check(z.maxLength(128))),
  mix: z.optional(z.string().check(z.maxLength(64))),
  mixStrength: z.optional(z.number().check(z.gte(0), z.lte(50))),
  zIndex: z.optional(z.int()),
})
export type Theme = z.infer<typeof Theme>
