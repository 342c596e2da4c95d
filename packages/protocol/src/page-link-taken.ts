/**
 * What the modal host takes from the page, each with the schema that it has to pass: the half of the page link (page-link.ts) that the host parses, and
 * so the half that the modal's first file holds.
 */
import * as z from 'zod/mini'
import { CaipNetworkId, Namespace } from './caip'
import { ConnectMethod, ConnectorGroup, CustomWallet, NetworkDefinition } from './entities'
import { SomeFeatures } from './features'
import { walletRequestMethods } from './wallet-methods'

/** The version of the page link that this build speaks, and the oldest one it still understands. */
export const linkVersion = 1
export const oldestLinkVersion = 1

/** Posted by the host to its parent when it can be spoken to. Empty: it says that there is somebody, not who. */
export const knock = 'postern:ready'

/** Sent with a port from the SDK to its own iframe. `v` is the newest version the SDK speaks, `min` the oldest. */
export const Hello = z.strictObject({
  type: z.literal('postern:hello'),
  v: z.int().check(z.positive()),
  min: z.int().check(z.positive()),
  /** Version of the SDK, for diagnosis and the `sv` parameter of the directory. */
  sdk: z.string().check(z.maxLength(64)),
})
export type Hello = z.infer<typeof Hello>

/** Of a request, or of a wallet of the page. */
export const Id = z.string().check(z.minLength(1), z.maxLength(64))

/** A failure as it crosses the link. `code` is one of `errors`, `rpc` its EIP-1193 or JSON-RPC number where there is one. */
export const LinkError = z.strictObject({
  code: z.string().check(z.minLength(1), z.maxLength(64)),
  message: z.string(),
  rpc: z.optional(z.int()),
  data: z.optional(z.unknown()),
})
export type LinkError = z.infer<typeof LinkError>

/** What travels on the port after `welcome`. A request settles exactly once: by a result, an error, its own cancel, or the end of the link. */
export const Envelope = z.discriminatedUnion('kind', [
  z.strictObject({
    v: z.literal(1),
    id: Id,
    kind: z.literal('request'),
    method: z.string().check(z.maxLength(64)),
    params: z.optional(z.unknown()),
  }),
  z.strictObject({ v: z.literal(1), id: Id, kind: z.literal('result'), result: z.optional(z.unknown()) }),
  z.strictObject({ v: z.literal(1), id: Id, kind: z.literal('error'), error: LinkError }),
  z.strictObject({ v: z.literal(1), id: Id, kind: z.literal('cancel') }),
  z.strictObject({
    v: z.literal(1),
    id: Id,
    kind: z.literal('event'),
    event: z.string().check(z.maxLength(64)),
    data: z.optional(z.unknown()),
  }),
])
export type Envelope = z.infer<typeof Envelope>

/* ---------------------------------------------------------------- state */

/**
 * A way into a wallet that lives in the dapp's page, in one namespace: announced (`ANNOUNCED`: EIP-6963, Wallet Standard), injected without a
 * word (`INJECTED`: `window.ethereum`, the Bitcoin extensions), or brought by the dapp with its own SDK (`EXTERNAL`).
 * A wallet of several namespaces is several of these.
 */
export const PageWallet = z.strictObject({
  /** Unique in this page for its lifetime; the SDK makes it. */
  id: Id,
  namespace: Namespace,
  type: z.enum(['ANNOUNCED', 'INJECTED', 'EXTERNAL']),
  name: z.string().check(z.minLength(1), z.maxLength(256)),
  /** Reverse domain name of EIP-6963. Survives reloads, so sessions are restored by it. */
  rdns: z.optional(z.string().check(z.maxLength(256))),
  /** The same for wallets without one: `standard:<name>` of Wallet Standard, `injected:<what>`, `external:<id>`. */
  key: z.optional(z.string().check(z.maxLength(256), z.regex(/^(standard|injected|external):./))),
  /** A `data:` URI of an image. Nothing else: an icon must not become a request. */
  icon: z.optional(z.string().check(z.maxLength(65_536), z.regex(/^data:image\//))),
  /** Networks that the wallet says it is for; absent where it does not say. */
  networks: z.optional(z.array(CaipNetworkId).check(z.maxLength(64))),
  /** Methods of `walletRequestMethods` that it can do; absent where its namespace's are all taken for granted (EIP-1193). */
  methods: z.optional(z.array(z.enum(walletRequestMethods))),
})
export type PageWallet = z.infer<typeof PageWallet>

/** The wallets of one page: more than any visitor has. */
const PageWallets = z.array(PageWallet).check(z.maxLength(64))

export const ThemeMode = z.enum(['light', 'dark'])
export type ThemeMode = z.infer<typeof ThemeMode>

/** What a dapp may set of the look; everything else is ours (VISUAL: accent, radius scale, font, mix, z-index). */
export const Theme = z.strictObject({
  mode: z.optional(z.enum(['light', 'dark', 'auto'])),
  /** A CSS colour for focus, status and gains. */
  accent: z.optional(z.string().check(z.maxLength(64))),
  /** Scale of all radii, 0 to 2. */
  radius: z.optional(z.number().check(z.gte(0), z.lte(2))),
  /** A font family that the visitor's machine already has. */
  font: z.optional(z.string().check(z.maxLength(128))),
  /** A CSS colour mixed into the surfaces, and how much of it, 0 to 50 per cent. */
  mix: z.optional(z.string().check(z.maxLength(64))),
  mixStrength: z.optional(z.number().check(z.gte(0), z.lte(50))),
  /** Stacking of the page-side alert; the dialog itself is in the top layer. Default 999 (spec §9). */
  zIndex: z.optional(z.int()),
})
export type Theme = z.infer<typeof Theme>

/* ---------------------------------------------------------------- the page asks the host */

/** The views of spec §2 that can be asked for by name. One whose feature is off, or that needs an account nobody connected, is the default opening. */
export const ViewName = z.enum([
  'Connect',
  'AllWallets',
  'Account',
  'Networks',
  'WhatIsAWallet',
  'ConnectingWalletConnectBasic',
  'Send',
  'Receive',
  'Swap',
  'OnRamp',
  'RegisterAccountName',
])
export type ViewName = z.infer<typeof ViewName>

/** Dapp metadata (spec §3). */
export const Metadata = z.strictObject({
  name: z.string().check(z.maxLength(256)),
  description: z.optional(z.string().check(z.maxLength(1024))),
  url: z.optional(z.string().check(z.maxLength(2048))),
  icons: z.optional(z.array(z.string().check(z.maxLength(2048))).check(z.maxLength(8))),
})
export type Metadata = z.infer<typeof Metadata>

/** A decimal that is not negative, in a token's own unit. */
const DecimalAmount = z.string().check(z.regex(/^(0|[1-9][0-9]{0,59})(\.[0-9]{1,60})?$/))
const TokenName = z.string().check(z.minLength(1), z.maxLength(128))

/** What Swap opens with. A token is its address on the active network, or its symbol. */
export const SwapArguments = z.strictObject({
  amount: z.optional(DecimalAmount),
  fromToken: z.optional(TokenName),
  toToken: z.optional(TokenName),
})
export type SwapArguments = z.infer<typeof SwapArguments>

/** A payment that a dapp asks for. `token` is an address on the network; absent is the network's own currency. */
export const PaymentRequest = z.strictObject({
  networkId: CaipNetworkId,
  token: z.optional(TokenName),
  amount: DecimalAmount,
  recipient: z.string().check(z.minLength(1), z.maxLength(128)),
  /** The dapp's own word for what is paid, shown to the visitor. */
  reference: z.optional(z.string().check(z.maxLength(64))),
})
export type PaymentRequest = z.infer<typeof PaymentRequest>

/** What the dapp configured, handed over once a link: no secret, nothing that can run. */
export const Init = z.strictObject({
  projectId: z.string().check(z.minLength(1), z.maxLength(64)),
  /** Aliases (`'base'`), CAIP-2 ids (`'eip155:8453'`) or whole definitions; the first is the default network. */
  networks: z
    .array(z.union([z.string().check(z.maxLength(64)), NetworkDefinition]))
    .check(z.minLength(1), z.maxLength(128)),
  metadata: z.optional(Metadata),
  theme: z.optional(Theme),
  /** The page's own `prefers-color-scheme` at the time. */
  colorScheme: ThemeMode,
  /** BCP 47 tag of the page. */
  locale: z.optional(z.string().check(z.maxLength(35))),
  /** Ids, rdns or directory ids; spec §2. */
  featuredWallets: z.optional(z.array(z.string().check(z.maxLength(256)))),
  includeWallets: z.optional(z.array(z.string().check(z.maxLength(256)))),
  excludeWallets: z.optional(z.array(z.string().check(z.maxLength(256)))),
  /** Wallets that the dapp adds (spec §2, group `custom`). */
  customWallets: z.optional(z.array(CustomWallet).check(z.maxLength(64))),
  /** `false` offers no WalletConnect, whatever the gateway can. */
  walletConnect: z.optional(z.boolean()),
  /** Groups that come first, in this order; the others follow in the order of spec §2. */
  connectorTypeOrder: z.optional(z.array(ConnectorGroup).check(z.maxLength(16))),
  /** Overrides the order of the ways to connect (spec §2). */
  connectMethodsOrder: z.optional(z.array(ConnectMethod).check(z.maxLength(8))),
  /** Flags of spec §1; absent ones are as there. The project's own win. */
  features: z.optional(SomeFeatures),
  /** Linked beside the checkbox of `features.legalCheckbox`. What is no address of the web is left out by the host. */
  termsConditionsUrl: z.optional(z.string().check(z.maxLength(2048))),
  privacyPolicyUrl: z.optional(z.string().check(z.maxLength(2048))),
  /** The page has a plugin of sign-in with wallet, which `pageMethods.siwx…` reach; `siwe`: by the older configuration, with its own view. */
  signIn: z.optional(z.enum(['siwx', 'siwe'])),
  pageWallets: PageWallets,
  /** What the host asked the page to keep (see `store`), for visitors whose browser denies the frame storage. */
  stored: z.record(z.string(), z.string()),
})
export type Init = z.infer<typeof Init>

const Nothing = z.null()

/** The parameters of every method the host serves (`hostMethods`). Nothing else is reachable from the page. */
export const hostParams = {
  init: Init,
  open: z.strictObject({ view: z.optional(ViewName), swap: z.optional(SwapArguments) }),
  pay: PaymentRequest,
  close: Nothing,
  connect: z.strictObject({ namespace: z.optional(Namespace) }),
  disconnect: z.strictObject({ namespace: z.optional(Namespace) }),
  switchNetwork: z.strictObject({ network: z.string().check(z.maxLength(64)) }),
  setTheme: z.strictObject({ theme: Theme, colorScheme: ThemeMode }),
  rpc: z.strictObject({
    namespace: Namespace,
    networkId: z.optional(CaipNetworkId),
    method: z.string().check(z.minLength(1), z.maxLength(128)),
    params: z.optional(z.unknown()),
  }),
  peerChanged: z.strictObject({ stored: z.record(z.string(), z.string()) }),
  ping: Nothing,
  diagnose: Nothing,
} as const

/** Events from the page. */
export const pageEvents = {
  /** The plugin's sessions are others now: one ended, or the dapp signed somebody in or out. */
  signInChanged: Nothing,
  /** The whole list, whenever it changes: discovery is cumulative and wallets can vanish. */
  pageWallets: z.strictObject({ pageWallets: PageWallets }),
  /** EIP-1193 events of a page wallet. `data` is parsed by the connector that knows its shape. */
  walletEvent: z.strictObject({
    wallet: Id,
    event: z.enum(['accountsChanged', 'chainChanged', 'disconnect', 'connect', 'message']),
    data: z.optional(z.unknown()),
  }),
  /** A wallet of the page sent a transaction without asking the host: balances may be others now. */
  transacted: z.strictObject({ namespace: Namespace }),
  /** The visitor asked to leave: Escape on the dialog. The host decides. */
  dismiss: Nothing,
} as const
export type PageEvent = keyof typeof pageEvents

/* ---------------------------------------------------------------- the page answers the host */

/** What comes of the methods that the host may ask of the page (`pageMethods`), and how long it waits for that: ms, 0 where a person is being waited for. */
export const pageAnswers = {
  walletRequest: { result: z.unknown(), timeout: 0 },
  openLink: { result: Nothing, timeout: 10_000 },
  store: { result: Nothing, timeout: 10_000 },
} as const
export type PageMethod = keyof typeof pageAnswers
export type PageResult<M extends PageMethod> = z.infer<(typeof pageAnswers)[M]['result']>
