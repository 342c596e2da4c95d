/** Unknown members are dropped. */
import * as z from 'zod/mini'
import { CaipNetworkId } from '../caip'
import { NetworkDefinition } from '../entities/network-definition'
import { Theme } from '../entities/theme'
import { WalletEntry } from '../entities/wallet-entry'
import { SocialProvider, SomeFeatures } from '../features'

/** Id of the `<script type="application/json">` block. */
export const projectPageElementId = 'postern-project'

/** Written into the modal's page by the gateway (`<` escaped), so that Connect needs no round trip. */
export const ProjectPage = z.object({
  projectId: z.string().check(z.minLength(1), z.maxLength(64)),
  name: z.string(),
  /** See `origins.ts`. */
  allowedOrigins: z.array(z.string()),
  /** Whether the default ancestors (spec §6) are allowed. */
  defaultAncestors: z.boolean(),
  /** Set by the project's owner; override the dapp's (interop §2). */
  features: SomeFeatures,
  /** Set by the project's owner; the dapp's `theme` overrides it. */
  look: z.optional(Theme),
  /** In addition to the built-in networks. */
  networks: z.array(NetworkDefinition),
  /** The directory's first page. */
  wallets: z.array(WalletEntry),
  walletCount: z.int().check(z.gte(0)),
  gatewayVersion: z.string(),
  /** The relay, and the project's id there. Null: no WalletConnect. */
  walletConnect: z.nullable(
    z.object({
      relayUrl: z.url({ protocol: /^wss?$/ }),
      projectId: z.string().check(z.minLength(1), z.maxLength(64)),
    }),
  ),
  /** Frame origin and sign-in methods. Null: no embedded wallet. */
  wallet: z.nullable(
    z.object({
      origin: z.string(),
      email: z.boolean(),
      socials: z.array(SocialProvider),
      farcaster: z.boolean(),
      /** EVM chain ids. */
      smartAccountChainIds: z.array(z.int()),
    }),
  ),
  /** Features that need more than chain reads. */
  money: z.object({
    /** CAIP-2 ids with swap quotes. */
    swapChainIds: z.array(CaipNetworkId),
    onramp: z.boolean(),
    /** For example `.postern`. Null: no name registration. */
    nameSuffix: z.nullable(z.string()),
  }),
})
export type ProjectPage = z.infer<typeof ProjectPage>
