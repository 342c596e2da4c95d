/**
 * The Blockchain API (interop §3; paths in docs/operate/api.md). A failure is an `ErrorBody`.
 * Networks without support give empty results. Prices and fiat values are estimates: nothing sent is computed from
 * them.
 */
import * as z from 'zod/mini'
import { CaipNetworkId } from '../caip'
import { namespaceOf } from '../namespaces'
import { eip155 } from '../namespaces/eip155'
import { namespaceFacts } from '../namespaces/facts'
import { BalanceResponse, HistoryResponse } from './money'
import { optionalListing } from './token-listing'

/** 2^256 − 1. */
const largest = '115792089237316195423570985008687907853269984665640564039457584007913129639935'
/** Integer in base units. */
export const Amount = z.string().check(
  z.regex(/^(0|[1-9][0-9]{0,77})$/),
  z.refine((text) => text.length < largest.length || text <= largest),
)
/** Non-negative. */
export const Decimal = z.string().check(z.regex(/^(0|[1-9][0-9]{0,59})(\.[0-9]{1,60})?$/))
const Hex = z.string().check(z.regex(/^0x[0-9a-fA-F]*$/))
const Text = z.string().check(z.maxLength(1024))
const Caip10 = z.string().check(z.regex(/^[a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,64}:[-.%a-zA-Z0-9]{1,128}$/))

export const nativeTokenAddress = eip155.nativeAddress

export function nativeAddressOf(networkId: CaipNetworkId): string {
  return namespaceFacts[namespaceOf(networkId)].nativeAddress
}

/** Verified primary name. */
export const Identity = z.object({ name: z.nullable(Text), avatar: z.nullable(z.string().check(z.maxLength(2048))) })
export type Identity = z.infer<typeof Identity>

export const Nft = z.object({
  chainId: CaipNetworkId,
  /** CAIP-10; on Solana, the mint. */
  contract: Caip10,
  tokenId: z.string().check(z.maxLength(100)),
  name: z.nullable(z.string()),
  collection: z.nullable(z.string()),
  description: z.nullable(z.string()),
  /** Path on the gateway (`/v1/nft-image/…`), never an external URL. */
  imageUrl: z.nullable(z.string()),
  attributes: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Its or its collection's name has a web address or a lure. */
  isSpam: z.optional(z.boolean()),
})
export type Nft = z.infer<typeof Nft>

export const NftResponse = z.object({ nfts: z.array(Nft), next: z.nullable(z.string()) })
export type NftResponse = z.infer<typeof NftResponse>

export const SwapToken = z.object({
  name: Text,
  symbol: Text,
  address: Caip10,
  decimals: z.int().check(z.gte(0), z.lte(255)),
  logoUri: z.nullish(z.string()),
  eip2612: z.optional(z.boolean()),
  listing: optionalListing,
})
export type SwapToken = z.infer<typeof SwapToken>
export const SwapTokens = z.object({ tokens: z.array(SwapToken) })
export type SwapTokens = z.infer<typeof SwapTokens>

/** Hosted services omit optional members. */
export const SwapQuote = z.object({
  id: z.nullable(z.string()),
  fromAmount: Amount,
  fromAccount: Caip10,
  toAmount: Amount,
  toAccount: Caip10,
  provider: z.optional(Text),
  /** Liquidity provider fee in percent. */
  fee: z.optional(Decimal),
  /** Percent. */
  priceImpact: z.optional(Decimal),
  /** Epoch ms. */
  expiresAt: z.optional(z.number()),
})
export type SwapQuote = z.infer<typeof SwapQuote>
export const SwapQuotes = z.object({ quotes: z.array(SwapQuote) })
export type SwapQuotes = z.infer<typeof SwapQuotes>

export const SwapAllowance = z.object({ allowance: Amount })
export type SwapAllowance = z.infer<typeof SwapAllowance>
/** In wei. */
export const GasPrices = z.object({ standard: Amount, fast: Amount, instant: Amount })
export type GasPrices = z.infer<typeof GasPrices>

const Gas = z.object({ gas: Amount, gasPrice: Amount })
/** `slippage`: percent. */
export const BuildSwap = z.object({
  amount: Amount,
  eip155: z.object({ slippage: z.number().check(z.gte(0), z.lte(50)) }),
  /** What `slippage` reduces. Default: at the current price. */
  toAmount: z.optional(Amount),
  projectId: z.string(),
  from: Caip10,
  to: Caip10,
  userAddress: Caip10,
})
export type BuildSwap = z.infer<typeof BuildSwap>
/** `amount`: value in wei. */
export const SwapTransaction = z.object({
  tx: z.object({ from: Caip10, to: Caip10, data: Hex, amount: Amount, eip155: Gas }),
})
export type SwapTransaction = z.infer<typeof SwapTransaction>
export const SwapApproval = z.object({
  tx: z.object({ from: Caip10, to: Caip10, data: Hex, value: Amount, eip155: Gas }),
})
export type SwapApproval = z.infer<typeof SwapApproval>

/** `currency`: lowercase ISO 4217. */
export const PriceQuery = z.object({
  currency: z.string().check(z.regex(/^[a-z]{3}$/)),
  addresses: z.array(Caip10).check(z.maxLength(100)),
  projectId: z.string(),
})
export type PriceQuery = z.infer<typeof PriceQuery>
/** Omits tokens without a known price. */
export const Prices = z.object({
  fungibles: z.array(
    z.object({ address: Caip10, name: Text, symbol: Text, iconUrl: z.string(), price: z.number().check(z.gte(0)) }),
  ),
})
export type Prices = z.infer<typeof Prices>

/** Keys of `addresses`: SLIP-44 coin types. Times: ISO 8601. */
export const NameProfile = z.object({
  name: Text,
  registered_at: z.string(),
  updated_at: z.nullish(z.string()),
  addresses: z.record(z.string(), z.object({ address: z.string(), created: z.string() })),
  attributes: z.array(z.object({ avatar: z.nullish(z.string()), bio: z.nullish(z.string()) })),
})
export type NameProfile = z.infer<typeof NameProfile>
/** Newest first. */
export const NameProfiles = z.array(NameProfile)
export type NameProfiles = z.infer<typeof NameProfiles>
export const NameSuggestions = z.object({ suggestions: z.array(z.object({ name: Text, registered: z.boolean() })) })
export type NameSuggestions = z.infer<typeof NameSuggestions>
/** `message`: {@link NameClaim} as JSON. `signature`: EIP-191, ERC-1271 or ERC-6492. */
export const RegisterName = z.object({
  coin_type: z.int().check(z.gte(0)),
  address: z.string().check(z.maxLength(128)),
  message: z.string().check(z.maxLength(4096)),
  signature: Hex.check(z.maxLength(65_536)),
})
export type RegisterName = z.infer<typeof RegisterName>
/**
 * `name` has its suffix. `timestamp`: epoch seconds, valid ten minutes.
 * `address` is signed, so that the owner cannot be replaced.
 */
export const NameClaim = z.object({
  name: z.string().check(z.maxLength(255)),
  address: z.string().check(z.maxLength(128)),
  chainId: z.optional(CaipNetworkId),
  attributes: z.object({ avatar: z.optional(z.string()), bio: z.optional(z.string()) }),
  timestamp: z.int(),
})
export type NameClaim = z.infer<typeof NameClaim>
/** `message` of a release, in a {@link RegisterName} body. Strict: no claim passes as a release. */
export const NameRelease = z.strictObject({
  release: z.string().check(z.maxLength(255)),
  address: z.string().check(z.maxLength(128)),
  chainId: z.optional(CaipNetworkId),
  timestamp: z.int(),
})
export type NameRelease = z.infer<typeof NameRelease>
/** `free_from`: ISO 8601. */
export const ReleasedName = z.object({
  name: Text,
  free_from: z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)))),
})
export type ReleasedName = z.infer<typeof ReleasedName>

const ShortText = z.string().check(z.maxLength(128))

export const OnRampUrlQuery = z.object({
  destinationWallets: z
    .array(
      z.object({
        address: ShortText,
        blockchains: z.array(ShortText).check(z.minLength(1), z.maxLength(20)),
        assets: z.array(ShortText).check(z.maxLength(50)),
      }),
    )
    .check(z.minLength(1), z.maxLength(20)),
  defaultNetwork: ShortText,
  defaultAsset: z.optional(ShortText),
  /** Random per purchase: its holder may query the purchase. */
  partnerUserId: z.string().check(z.regex(/^[A-Za-z0-9_-]{16,64}$/)),
  defaultExperience: z.literal('buy'),
  presetCryptoAmount: z.optional(Decimal),
  presetFiatAmount: z.optional(Decimal),
  /** ISO 4217. */
  fiatCurrency: z.optional(z.string().check(z.regex(/^[A-Za-z]{3}$/))),
  /** On the modal's site or an allowed origin. */
  redirectUrl: z.optional(z.string().check(z.maxLength(2048))),
})
export type OnRampUrlQuery = z.infer<typeof OnRampUrlQuery>
export const OnRampUrl = z.object({ url: z.url({ protocol: /^https?$/ }) })
export type OnRampUrl = z.infer<typeof OnRampUrl>

/** `id` of a limit: payment method. */
export const OnRampOptions = z.object({
  paymentCurrencies: z.array(
    z.object({
      id: z.string(),
      payment_method_limits: z.array(z.object({ id: z.string(), min: Decimal, max: Decimal })),
    }),
  ),
  purchaseCurrencies: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      symbol: z.string(),
      networks: z.array(
        z.object({
          name: z.string(),
          display_name: z.string(),
          /** CAIP-2 reference; outside EVM the whole id. */
          chain_id: z.string(),
          contract_address: z.string(),
        }),
      ),
    }),
  ),
})
export type OnRampOptions = z.infer<typeof OnRampOptions>

export const OnRampQuoteQuery = z.object({
  purchaseCurrency: ShortText,
  paymentCurrency: ShortText,
  amount: Decimal,
  network: ShortText,
})
export type OnRampQuoteQuery = z.infer<typeof OnRampQuoteQuery>
const Money = z.object({ amount: Decimal, currency: z.string() })
export const OnRampQuote = z.object({
  paymentTotal: Money,
  paymentSubtotal: Money,
  purchaseAmount: Money,
  networkFee: Money,
  serviceFee: Money,
  quoteId: z.string(),
})
export type OnRampQuote = z.infer<typeof OnRampQuote>

/** Newest first; empty until the user has decided. `network`: the seller's name. */
export const OnRampPurchases = z.object({
  purchases: z.array(
    z.object({
      status: z.enum(['pending', 'delivered', 'failed']),
      hash: z.nullable(z.string()),
      symbol: z.string(),
      network: z.string(),
      amount: Decimal,
    }),
  ),
})
export type OnRampPurchases = z.infer<typeof OnRampPurchases>

/** `pci`: permission id. Times: epoch ms. */
export const SmartSession = z.object({
  pci: z.string(),
  project: z.object({ name: z.string(), url: z.nullish(z.string()), iconUrl: z.nullish(z.string()) }),
  expirationTimestamp: z.number(),
  createdAt: z.number(),
  revokedAt: z.nullish(z.number()),
  permissions: z.array(z.object({ type: z.string(), data: z.record(z.string(), z.unknown()) })),
})
export type SmartSession = z.infer<typeof SmartSession>
export const SmartSessions = z.object({ pcis: z.array(SmartSession) })
export type SmartSessions = z.infer<typeof SmartSessions>
/** The owner signs `Revoke <pci>`. */
export const RevokeSession = z.object({ pci: z.string(), signature: Hex })
export type RevokeSession = z.infer<typeof RevokeSession>

export const blockchainAnswers = {
  identity: Identity,
  history: HistoryResponse,
  balance: BalanceResponse,
  nfts: NftResponse,
  swapTokens: SwapTokens,
  swapQuotes: SwapQuotes,
  swapAllowance: SwapAllowance,
  gasPrices: GasPrices,
  buildSwap: SwapTransaction,
  buildApprove: SwapApproval,
  prices: Prices,
  nameProfile: NameProfile,
  nameProfiles: NameProfiles,
  nameSuggestions: NameSuggestions,
  registerName: NameProfile,
  releaseName: ReleasedName,
  onRampUrl: OnRampUrl,
  onRampOptions: OnRampOptions,
  onRampQuote: OnRampQuote,
  onRampPurchases: OnRampPurchases,
  smartSessions: SmartSessions,
} as const
export type BlockchainAnswer<C extends keyof typeof blockchainAnswers> = z.infer<(typeof blockchainAnswers)[C]>
