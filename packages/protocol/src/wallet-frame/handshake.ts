import * as z from 'zod/mini'
import { CaipNetworkId } from '../caip'
import { NetworkDefinition } from '../entities/network-definition'
import { SocialProvider } from '../features'
import { RecoveryChoice, RecoveryRule } from './entities'

/** Posted by the ready frame, without data: any page may receive it. */
export const walletKnock = 'postern:wallet-ready'

/**
 * Sent with a port by the modal host to the wallet's origin only; accepted from the parent at the modal's origin only.
 */
export const WalletHello = z.strictObject({ type: z.literal('postern:wallet-hello'), v: z.literal(1) })
export type WalletHello = z.infer<typeof WalletHello>

export const walletPageElementId = 'postern-wallet'

/** See the wallet's `approval/place/place.ts`. */
export const WalletApprovals = z.object({
  /** `auto`: in the frame if little can be lost. `window`: always in the wallet's window. */
  place: z.enum(['auto', 'window']),
  /** Larger requests, and those of unknown worth, go to the window. */
  windowAboveUsd: z.optional(z.number().check(z.gte(0))),
  /** Exact origins, trusted not to cover the wallet. */
  trustedOrigins: z.array(z.string()),
  /** Trusts the developer's machine (`gateway dev`). */
  trustsLoopback: z.optional(z.literal(true)),
})
export type WalletApprovals = z.infer<typeof WalletApprovals>

/** Written by the gateway into `sdk.html` and `window.html`. */
export const WalletFramePage = z.object({
  projectId: z.string().check(z.minLength(1), z.maxLength(64)),
  projectName: z.string(),
  modalOrigin: z.string(),
  allowedOrigins: z.array(z.string()),
  defaultAncestors: z.boolean(),
  approvals: WalletApprovals,
  /** Added to the built-in networks. */
  networks: z.array(NetworkDefinition),
  /** Chains with a bundler. */
  smartAccounts: z.array(z.object({ chainId: z.int().check(z.positive()), paymaster: z.boolean() })),
  socials: z.array(SocialProvider),
  farcaster: z.boolean(),
  email: z.boolean(),
  /** Default: the dapp's (SYNC_DAPP_DATA). */
  smartSessions: z.optional(z.boolean()),
  recovery: RecoveryRule,
  recoveryChoice: RecoveryChoice,
  /** Calls and allowances to these are not marked as unusual. */
  swapRouters: z.optional(z.array(z.object({ networkId: CaipNetworkId, address: z.string() }))),
  /** Named without a mark, as are dollar tokens. */
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
