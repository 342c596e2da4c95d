import * as z from 'zod/mini'
import { SocialProvider } from '../features'

/**
 * The wallet in use, for a dapp (spec §3).
 * No email address or user name: they are personal, and the user is not asked.
 */
export const WalletInfo = z.strictObject({
  name: z.string(),
  icon: z.optional(z.string().check(z.maxLength(65_536))),
  /** Provider that the user signed in with. */
  social: z.optional(SocialProvider),
})
export type WalletInfo = z.infer<typeof WalletInfo>
