import * as z from 'zod/mini'

export const ThemeMode = z.enum(['light', 'dark'])
export type ThemeMode = z.infer<typeof ThemeMode>

/** The appearance that a dapp may set. */
export const Theme = z.strictObject({
  mode: z.optional(z.enum(['light', 'dark', 'auto'])),
  /** CSS colour for focus, status and gains. */
  accent: z.optional(z.string().check(z.maxLength(64))),
  /** Scale of all radii. */
  radius: z.optional(z.number().check(z.gte(0), z.lte(2))),
  /** Must be installed on the user's device. */
  font: z.optional(z.string().check(z.maxLength(128))),
  /** CSS colour mixed into surfaces, by `mixStrength` percent. */
  mix: z.optional(z.string().check(z.maxLength(64))),
  mixStrength: z.optional(z.number().check(z.gte(0), z.lte(50))),
  /** Of the page-side alert; the dialog is in the top layer. Default: 999 (spec §9). */
  zIndex: z.optional(z.int()),
})
export type Theme = z.infer<typeof Theme>
