/** The project as the gateway writes it into the modal's page. Unknown members are dropped, not refused. */
import * as z from 'zod/mini'
import { CaipNetworkId } from './caip'
import { NetworkDefinition, WalletEntry } from './entities'
import { SocialProvider, SomeFeatures } from './features'

/** Id of the `<script type="application/json">` block in which the gateway hands the modal its project. */
export const projectPageElementId = 'postern-project'

/** The project as the modal's page carries it, so that Connect needs no round trip. Written by the gateway; `<` is escaped in the page. */
export const ProjectPage = z.object({
  projectId: z.string().check(z.minLength(1), z.maxLength(64)),
  name: z.string(),
  /** Allowlist entries, see `origins.ts`. */
  allowedOrigins: z.array(z.string()),
  /** Whether the default ancestors of spec §6 are allowed too. */
  defaultAncestors: z.boolean(),
  /** What the project's owner set: it wins over what the dapp sets (interop §2). */
  features: SomeFeatures,
  /** Networks that this gateway knows beyond the built-in ones. */
  networks: z.array(NetworkDefinition),
  /** The directory's first page, for the recommended wallets. */
  wallets: z.array(WalletEntry),
  walletCount: z.int().check(z.gte(0)),
  gatewayVersion: z.string(),
  /** The relay and the id by which it knows this project; null where the project has none, and then WalletConnect is not offered. */
  walletConnect: z.nullable(
    z.object({
      relayUrl: z.url({ protocol: /^wss?$/ }),
      projectId: z.string().check(z.minLength(1), z.maxLength(64)),
    }),
  ),
  /** The embedded wallet: the origin of its frame, and the ways into it that this gateway can offer. Null where it offers none. */
  wallet: z.nullable(
    z.object({
      origin: z.string(),
      email: z.boolean(),
      socials: z.array(SocialProvider),
      farcaster: z.boolean(),
      /** EVM chain ids with smart accounts. */
      smartAccountChainIds: z.array(z.int()),
    }),
  ),
  /** What of the Blockchain API this gateway can do beyond reading; a feature that it cannot serve is not offered. */
  money: z.object({
    /** CAIP-2 ids of the networks where it quotes swaps. */
    swapChainIds: z.array(CaipNetworkId),
    /** Whether it hands over to somebody who sells crypto. */
    onramp: z.boolean(),
    /** The ending of the names that it registers, such as `.postern`; null where it registers none. */
    nameSuffix: z.nullable(z.string()),
  }),
})
export type ProjectPage = z.infer<typeof ProjectPage>
