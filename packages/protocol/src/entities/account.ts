import * as z from 'zod/mini'
import { Namespace } from '../caip'

/** EVM: eoa, smartAccount. Solana: eoa. Bitcoin: payment, and ordinals, which are never spent as money (spec §6). */
export const AccountType = z.enum(['eoa', 'payment', 'smartAccount', 'ordinals'])
export type AccountType = z.infer<typeof AccountType>

export const Account = z.strictObject({
  namespace: Namespace,
  /** EIP-55 checksummed on EVM. */
  address: z.string().check(z.minLength(1), z.maxLength(128)),
  type: AccountType,
  publicKey: z.optional(z.string()),
  path: z.optional(z.string()),
})
export type Account = z.infer<typeof Account>
