/** Unknown members are dropped. */
import * as z from 'zod/mini'
import { CaipNetworkId } from '../caip'
import { NetworkDefinition } from '../entities/network-definition'
import { Theme } from '../entities/theme'
import { WalletEntry } from '../entities/wallet-entry'
import { SocialProvider, SomeFeatures } from '../features'

export const projectPageElementId = 'postern-project'

/** In the modal's page, so that Connect needs no round trip. */
export const ProjectPage = z.object({
  projectId: z.string().check(z.minLength(1), z.maxLength(64)),
  name: z.string(),
  allowedOrigins: z.array(z.string()),
  /** Spec §6. */
  defaultAncestors: z.boolean(),
  /** Overrides the dapp's (interop §2). */
  features: SomeFeatures,
  /** The dapp's `theme` overrides it. */
  look: z.optional(Theme),
  /** Added to the built-in networks. */
  networks: z.array(NetworkDefinition),
  /** The directory's first page. */
  wallets: z.array(WalletEntry),
  walletCount: z.int().check(z.gte(0)),
  gatewayVersion: z.string(),
  /** Null: no WalletConnect. */
  walletConnect: z.nullable(
    z.object({
      relayUrl: z.url({ protocol: /^wss?$/ }),
      projectId: z.string().check(z.minLength(1), z.maxLength(64)),
    }),
  ),
  /** Null: no embedded wallet. */
  wallet: z.nullable(
    z.object({
      origin: z.string(),
      email: z.boolean(),
      socials: z.array(SocialProvider),
      farcaster: z.boolean(),
      smartAccountChainIds: z.array(z.int()),
    }),
  ),
  money: z.object({
    /** With swap quotes. */
    swapChainIds: z.array(CaipNetworkId),
    onramp: z.boolean(),
    /** `.postern`. Null: no registration. */
    nameSuffix: z.nullable(z.string()),
  }),
})
export type ProjectPage = z.infer<typeof ProjectPage>
