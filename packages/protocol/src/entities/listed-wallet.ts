import * as z from 'zod/mini'

/** A wallet that Connect lists, for a dapp with a list of its own. */
export const ListedWallet = z.strictObject({
  /** `connect({ wallet: id })` asks it. Stable across reloads. */
  id: z.string().check(z.minLength(1), z.maxLength(256)),
  name: z.string().check(z.minLength(1), z.maxLength(256)),
  /** A `data:` URI, or an image of the gateway. */
  icon: z.optional(z.string().check(z.maxLength(65_536))),
  /** It is in this page. Any other is reached by its app, by WalletConnect. */
  installed: z.boolean(),
})
export type ListedWallet = z.infer<typeof ListedWallet>
