import * as z from 'zod/mini'

/** Spec §3. */
export const Metadata = z.strictObject({
  name: z.string().check(z.maxLength(256)),
  description: z.optional(z.string().check(z.maxLength(1024))),
  url: z.optional(z.string().check(z.maxLength(2048))),
  icons: z.optional(z.array(z.string().check(z.maxLength(2048))).check(z.maxLength(8))),
})
export type Metadata = z.infer<typeof Metadata>
