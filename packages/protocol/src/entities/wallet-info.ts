import * as z from 'zod/mini'

/** See spec §3. `social` is set after social sign-in. */
export const WalletInfo = z.strictObject({
  name: z.string(),
  icon: z.optional(z.string()),
  identifier: z.optional(z.string()),
  social: z.optional(z.string()),
})
export type WalletInfo = z.infer<typeof WalletInfo>
