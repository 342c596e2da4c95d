import * as z from 'zod/mini'

/** For dapps that draw their own list. */
export const ListedWallet = z.strictObject({
  /** For `connect({ wallet: id })`. Stable across reloads. */
  id: z.string().check(z.minLength(1), z.maxLength(256)),
  name: z.string().check(z.minLength(1), z.maxLength(256)),
  /** A `data:` URI or a gateway image. */
  icon: z.optional(z.string().check(z.maxLength(65_536))),
  installed: z.boolean(),
})
export type ListedWallet = z.infer<typeof ListedWallet>
