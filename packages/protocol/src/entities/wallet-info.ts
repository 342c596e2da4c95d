import * as z from 'zod/mini'
import { SocialProvider } from '../features'

/**
 * The connected wallet, for the dapp (spec §3).
 * Without email address and user name, which are personal: the user was not asked.
 */
export const WalletInfo = z.strictObject({
  name: z.string(),
  icon: z.optional(z.string().check(z.maxLength(65_536))),
  social: z.optional(SocialProvider),
})
export type WalletInfo = z.infer<typeof WalletInfo>
