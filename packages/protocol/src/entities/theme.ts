import * as z from 'zod/mini'

export const ThemeMode = z.enum(['light', 'dark'])
export type ThemeMode = z.infer<typeof ThemeMode>

/** What a dapp may set of the look. */
export const Theme = z.strictObject({
  mode: z.optional(z.enum(['light', 'dark', 'auto'])),
  /** A CSS colour for focus, status and gains. */
  accent: z.optional(z.string().check(z.maxLength(64))),
  /** Scale of all radii, 0 to 2. */
  radius: z.optional(z.number().check(z.gte(0), z.lte(2))),
  /** Must be installed on the user's device. */
  font: z.optional(z.string().check(z.maxLength(128))),
  /** CSS color mixed into surfaces, 0 to 50 percent. */
  mix: z.optional(z.string().check(z.maxLength(64))),
  mixStrength: z.optional(z.number().check(z.gte(0), z.lte(50))),
  /** Stacking of the page-side alert; the dialog is in the top layer. Default: 999 (spec §9). */
  zIndex: z.optional(z.int()),
})
export type Theme = z.infer<typeof Theme>
