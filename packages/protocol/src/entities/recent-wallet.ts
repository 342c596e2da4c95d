import * as z from 'zod/mini'

/** Spec §3. */
export const RecentWallet = z.strictObject({
  id: z.string().check(z.minLength(1), z.maxLength(256)),
  rdns: z.optional(z.string().check(z.maxLength(256))),
  name: z.string().check(z.maxLength(256)),
})
export type RecentWallet = z.infer<typeof RecentWallet>
