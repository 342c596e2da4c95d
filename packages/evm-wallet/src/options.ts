import * as z from 'zod/mini'

export const WalletNetwork = z.strictObject({
  chainId: z.int().check(z.positive()),
  name: z.string().check(z.minLength(1)),
  rpcUrl: z.url({ protocol: /^https?$/ }),
})
export type WalletNetwork = z.infer<typeof WalletNetwork>

export type EvmWalletOptions = {
  readonly name: string
  /** Index of the active account: 0 to 9. */
  readonly account: number
  /** Indexes of accounts that a dapp sees after the active one, and that sign too. */
  readonly others: readonly number[]
  /** The first is active unless `chain` is set. */
  readonly networks: readonly WalletNetwork[]
  readonly chain?: number | undefined
  readonly locked: boolean
  readonly autoApprove: boolean
}
