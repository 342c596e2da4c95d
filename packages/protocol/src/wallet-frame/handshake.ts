/** How the modal host and the wallet's frame find each other, and what the gateway's page tells the frame beforehand. */
import * as z from 'zod/mini'
import { NetworkDefinition } from '../entities'
import { SocialProvider } from '../features'

/** Posted by the frame to its parent when it can be spoken to. Empty: it says that there is somebody, not who. */
export const walletKnock = 'postern:wallet-ready'

/** Sent with a port by the modal host to its own frame, at the wallet's origin only. The frame takes it from its parent, at the modal's origin only. */
export const WalletHello = z.strictObject({ type: z.literal('postern:wallet-hello'), v: z.literal(1) })
export type WalletHello = z.infer<typeof WalletHello>

/** Id of the `<script type="application/json">` block in which the gateway hands the wallet's pages what they need. */
export const walletPageElementId = 'postern-wallet'

/** What the gateway writes into `sdk.html` and `window.html`. */
export const WalletFramePage = z.object({
  projectId: z.string().check(z.minLength(1), z.maxLength(64)),
  projectName: z.string(),
  /** The only origin that the frame speaks with. */
  modalOrigin: z.string(),
  /** Serialised origins of the project, and whether the default ancestors are allowed too (`origins.ts`). */
  allowedOrigins: z.array(z.string()),
  defaultAncestors: z.boolean(),
  /** Networks that this gateway knows beyond the built-in ones; every request goes through it (`/v1/…` on the wallet's own origin). */
  networks: z.array(NetworkDefinition),
  /** EVM chain ids with a bundler behind `/v1/bundler`; smart accounts exist on these alone. `paymaster` says that `/v1/paymaster` pays there. */
  smartAccounts: z.array(z.object({ chainId: z.int().check(z.positive()), paymaster: z.boolean() })),
  /** Only those with credentials. */
  socials: z.array(SocialProvider),
  farcaster: z.boolean(),
  email: z.boolean(),
  smartSessions: z.boolean(),
})
export type WalletFramePage = z.infer<typeof WalletFramePage>
