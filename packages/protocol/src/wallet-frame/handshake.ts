import * as z from 'zod/mini'
import { CaipNetworkId } from '../caip'
import { NetworkDefinition } from '../entities/network-definition'
import { SocialProvider } from '../features'
import { RecoveryChoice, RecoveryRule } from './entities'

/** Posted by the frame when ready. No data, so it reveals nothing. */
export const walletKnock = 'postern:wallet-ready'

/**
 * From the modal host with a port, to the wallet's origin only.
 * The frame accepts it from its parent, at the modal's origin only.
 */
export const WalletHello = z.strictObject({ type: z.literal('postern:wallet-hello'), v: z.literal(1) })
export type WalletHello = z.infer<typeof WalletHello>

/** Id of the `<script type="application/json">` block. */
export const walletPageElementId = 'postern-wallet'

/** Where a project's users approve requests to the embedded wallet (the wallet's `approval/place/place.ts`). */
export const WalletApprovals = z.object({
  /** `auto`: in the frame if little can be lost. `window`: always in the wallet's own window. */
  place: z.enum(['auto', 'window']),
  /** Replaces the default, in US dollars. Requests above it, or of unknown worth, go to the window. */
  windowAboveUsd: z.optional(z.number().check(z.gte(0))),
  /** Exact origins of pages that the project trusts not to cover the wallet. */
  trustedOrigins: z.array(z.string()),
  /** `gateway dev`: also trusts pages of the developer's own machine. */
  trustsLoopback: z.optional(z.literal(true)),
})
export type WalletApprovals = z.infer<typeof WalletApprovals>

/** Settings that the gateway writes into `sdk.html` and `window.html`. */
export const WalletFramePage = z.object({
  projectId: z.string().check(z.minLength(1), z.maxLength(64)),
  projectName: z.string(),
  /** The only origin that the frame talks to. */
  modalOrigin: z.string(),
  /** Serialized; see `origins.ts`. */
  allowedOrigins: z.array(z.string()),
  defaultAncestors: z.boolean(),
  approvals: WalletApprovals,
  /** Besides the built-in ones. Requests go through the gateway (`/v1/…` on the wallet's own origin). */
  networks: z.array(NetworkDefinition),
  /** EVM chains with smart accounts: with `/v1/bundler`, and if `paymaster` also `/v1/paymaster`. */
  smartAccounts: z.array(z.object({ chainId: z.int().check(z.positive()), paymaster: z.boolean() })),
  /** Those with credentials. */
  socials: z.array(SocialProvider),
  farcaster: z.boolean(),
  email: z.boolean(),
  /** The project's choice. Default: the dapp's (SYNC_DAPP_DATA). */
  smartSessions: z.optional(z.boolean()),
  recovery: RecoveryRule,
  recoveryChoice: RecoveryChoice,
  /** Exchanges that the operator chose for swaps: calling one, or allowing it an amount, is not unusual. */
  swapRouters: z.optional(z.array(z.object({ networkId: CaipNetworkId, address: z.string() }))),
  /** The operator's list: only these and the wallet's dollar tokens are named without a mark. */
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
