import * as z from 'zod/mini'
import { SocialProvider } from '../features'

/**
 * What a dapp may know of a wallet in use (spec §3). No identifier: an address of email or a user name is personal, and
 * nothing asks the user for it.
 */
export const WalletInfo = z.strictObject({
  name: z.string(),
  icon: z.optional(z.string().check(z.maxLength(65_536))),
  /** The account that the user signed in with. */
  social: z.optional(SocialProvider),
})
export type WalletInfo = z.infer<typeof WalletInfo>
