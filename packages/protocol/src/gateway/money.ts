/** Spec §3, interop §3. */
import * as z from 'zod/mini'
import { CaipNetworkId } from '../caip'
import { optionalListing } from './token-listing'

/** `address`: CAIP-10, absent for the native currency. `value`, `price`: US dollars. */
export const TokenBalance = z.object({
  name: z.string(),
  symbol: z.string(),
  chainId: CaipNetworkId,
  address: z.optional(z.string()),
  value: z.optional(z.number()),
  price: z.number(),
  /** `numeric`: whole units. */
  quantity: z.object({
    decimals: z.string().check(z.regex(/^\d{1,3}$/)),
    numeric: z.string().check(z.regex(/^-?\d+(\.\d+)?$/)),
  }),
  iconUrl: z.string(),
  listing: optionalListing,
})
export type TokenBalance = z.infer<typeof TokenBalance>

export const BalanceResponse = z.object({ balances: z.array(TokenBalance) })
export type BalanceResponse = z.infer<typeof BalanceResponse>

/** Drops tokens with zero decimals (spec §5). */
export function withoutLowQualityTokens(balances: readonly TokenBalance[]): TokenBalance[] {
  return balances.filter(({ quantity }) => Number(quantity.decimals) !== 0)
}

const Hex = z.string().check(z.regex(/^0x[0-9a-fA-F]+$/))

/** EIP-7811. `balance`: base units. */
export const WalletAsset = z.object({
  address: z.string(),
  balance: Hex,
  type: z.enum(['ERC20', 'NATIVE']),
  metadata: z.object({
    name: z.string(),
    symbol: z.string(),
    decimals: z.number(),
    value: z.optional(z.union([z.number(), z.string()])),
    price: z.number(),
    iconUrl: z.string(),
    listing: optionalListing,
  }),
})
export type WalletAsset = z.infer<typeof WalletAsset>

/** `wallet_getAssets`, by hexadecimal chain id. */
export const WalletAssets = z.record(Hex, z.array(WalletAsset))
export type WalletAssets = z.infer<typeof WalletAssets>

/** Null if any asset is invalid (spec §5); use the balance service. */
export function parseWalletAssets(response: unknown): WalletAssets | null {
  const parsed = WalletAssets.safeParse(response)
  return parsed.success ? parsed.data : null
}

const Url = z.nullish(z.object({ url: z.nullish(z.string()) }))

/** `minedAt`: ISO 8601. */
export const TransactionItem = z.object({
  id: z.string(),
  metadata: z.object({
    operationType: z.string(),
    hash: z.optional(z.string()),
    status: z.enum(['confirmed', 'failed', 'pending']),
    sentFrom: z.string(),
    sentTo: z.string(),
    minedAt: z.string(),
    chain: z.optional(z.string()),
    nonce: z.optional(z.number()),
  }),
  transfers: z.nullable(
    z.array(
      z.object({
        fungible_info: z.nullish(z.object({ name: z.nullish(z.string()), symbol: z.nullish(z.string()), icon: Url })),
        nft_info: z.nullish(
          z.object({
            name: z.nullish(z.string()),
            content: z.nullish(z.object({ preview: Url, detail: Url })),
            flags: z.optional(z.object({ is_spam: z.boolean() })),
          }),
        ),
        direction: z.enum(['in', 'out', 'self']),
        /** Whole units. */
        quantity: z.object({ numeric: z.string() }),
        value: z.nullish(z.number()),
        price: z.nullish(z.number()),
      }),
    ),
  ),
})
export type TransactionItem = z.infer<typeof TransactionItem>

/** `next`: cursor. */
export const HistoryResponse = z.object({ data: z.array(TransactionItem), next: z.nullable(z.string()) })
export type HistoryResponse = z.infer<typeof HistoryResponse>
