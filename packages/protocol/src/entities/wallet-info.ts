import * as z from 'zod/mini'
import { SocialProvider } from '../features'

/**
 * What a dapp may know of the wallet in use (spec §3). No email address or user name: they are personal, and no view
 * asks the user for them.
 */
export const WalletInfo = z.strictObject({
  name: z.string(),
  icon: z.optional(z.string().check(z.maxLength(65_536))),
  /** Provider that the user signed in with. */
  social: z.optional(SocialProvider),
})
export type WalletInfo = z.infer<typeof WalletInfo>
