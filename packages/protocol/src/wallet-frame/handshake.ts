import * as z from 'zod/mini'
import { CaipNetworkId } from '../caip'
import { NetworkDefinition } from '../entities/network-definition'
import { SocialProvider } from '../features'
import { RecoveryChoice, RecoveryRule } from './entities'

/** Posted by the frame when ready. It has no data, because any page may receive it. */
export const walletKnock = 'postern:wallet-ready'

/**
 * Sent by the modal host with a port, to the wallet's origin only.
 * The frame accepts it only from its parent, at the modal's origin.
 */
export const WalletHello = z.strictObject({ type: z.literal('postern:wallet-hello'), v: z.literal(1) })
export type WalletHello = z.infer<typeof WalletHello>

/** Id of the `<script type="application/json">` block. */
export const walletPageElementId = 'postern-wallet'

/** Where a project's users approve requests to the embedded wallet (`approval/place/place.ts` of the wallet). */
export const WalletApprovals = z.object({
  /** `auto`: in the frame if little can be lost. `window`: always in the wallet's own window. */
  place: z.enum(['auto', 'window']),
  /** Replaces the default limit, in US dollars. Requests above it, or of unknown worth, go to the window. */
  windowAboveUsd: z.optional(z.number().check(z.gte(0))),
  /** Exact origins of pages that the project trusts not to cover the wallet. */
  trustedOrigins: z.array(z.string()),
  /** Set by `gateway dev`: also trusts pages on the developer's machine. */
  trustsLoopback: z.optional(z.literal(true)),
})
export type WalletApprovals = z.infer<typeof WalletApprovals>

/** Settings that the gateway writes into `sdk.html` and `window.html`. */
export const WalletFramePage = z.object({
  projectId: z.string().check(z.minLength(1), z.maxLength(64)),
  projectName: z.string(),
  /** The only origin that the frame talks to. */
  modalOrigin: z.string(),
  /** See `origins.ts`. */
  allowedOrigins: z.array(z.string()),
  defaultAncestors: z.boolean(),
  approvals: WalletApprovals,
  /** In addition to the built-in networks. Requests go to `/v1/…` on the wallet's origin, which the gateway serves. */
  networks: z.array(NetworkDefinition),
  /** EVM chains with smart accounts and `/v1/bundler`; with `paymaster` also `/v1/paymaster`. */
  smartAccounts: z.array(z.object({ chainId: z.int().check(z.positive()), paymaster: z.boolean() })),
  /** Providers that have credentials. */
  socials: z.array(SocialProvider),
  farcaster: z.boolean(),
  email: z.boolean(),
  /** The project's setting. Default: the dapp's (SYNC_DAPP_DATA). */
  smartSessions: z.optional(z.boolean()),
  recovery: RecoveryRule,
  recoveryChoice: RecoveryChoice,
  /** The operator's swap contracts: calling one, or giving it an allowance, is not marked as unusual. */
  swapRouters: z.optional(z.array(z.object({ networkId: CaipNetworkId, address: z.string() }))),
  /** The operator's list: only these tokens and the wallet's dollar tokens are named without a mark. */
  tokens: z.optional(
    z.array(
      z.object({
        networkId: CaipNetworkId,
        address: z.string(),
        symbol: z.string().check(z.maxLength(32)),
        decimals: z.int().check(z.gte(0), z.lte(255)),
      }),
    ),
  ),
})
export type WalletFramePage = z.infer<typeof WalletFramePage>
