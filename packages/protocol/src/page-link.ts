/**
 * The page link: everything that the client SDK on a dapp's page and the modal host in its iframe may say to each other.
 *
 * 1. The host, once loaded, posts {@link knock} to its parent. It carries nothing, and is the only message sent to `'*'`.
 * 2. The SDK answers its own iframe, at the configured origin only, with {@link Hello} and moves a `MessagePort` with it.
 * 3. The host checks `event.source` and `event.origin` and answers on the port: {@link Welcome}, or {@link Refusal} and the port closes.
 * 4. From then on both sides ignore window messages. All else are {@link Envelope}s on the port.
 *
 * Each side serves a fixed table: {@link hostMethods} for what the page may ask of the host, {@link pageMethods} for the reverse.
 */
import * as z from 'zod/mini'
import { CaipNetworkId, Namespace } from './caip'
import {
  Account,
  ConnectMethod,
  ConnectorGroup,
  ConnectorType,
  CustomWallet,
  Network,
  NetworkDefinition,
} from './entities'
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

const Id = z.string().check(z.minLength(1), z.maxLength(64))

/** A failure as it crosses the link. `code` is one of `errors`, `rpc` its EIP-1193 or JSON-RPC number where there is one. */
export const LinkError = z.strictObject({
  code: z.string().check(z.minLength(1), z.maxLength(64)),
  message: z.string(),
  rpc: z.optional(z.int()),
  data: z.optional(z.unknown()),
})
export type LinkError = z.infer<typeof LinkError>

/** First message on the port when the host takes the page in. `v` is the version both will speak. */
export const Welcome = z.strictObject({ kind: z.literal('welcome'), v: z.int().check(z.positive()), host: z.string() })
export type Welcome = z.infer<typeof Welcome>

/** First and last message on the port when the host does not: the origin as the browser reported it, and why. */
export const Refusal = z.strictObject({ kind: z.literal('refused'), error: LinkError, origin: z.string() })
export type Refusal = z.infer<typeof Refusal>

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

const ImageUrl = z.string().check(z.maxLength(65_536))

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

/** The connector that holds a connection, as far as the page may know it. */
export const ConnectorSummary = z.strictObject({
  id: z.string().check(z.minLength(1), z.maxLength(256)),
  name: z.string(),
  type: ConnectorType,
  imageUrl: z.optional(ImageUrl),
  /** Set when the wallet lives in the page: requests then go straight to it and never cross the link. */
  pageWallet: z.optional(Id),
})
export type ConnectorSummary = z.infer<typeof ConnectorSummary>

/** One namespace's connection. `connecting` and `reconnecting` may already know who was connected. */
export const Connection = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('disconnected') }),
  z.strictObject({
    status: z.enum(['connecting', 'reconnecting']),
    connector: z.optional(ConnectorSummary),
    accounts: z.optional(z.array(Account)),
    networkId: z.optional(CaipNetworkId),
  }),
  z.strictObject({
    status: z.literal('connected'),
    connector: ConnectorSummary,
    /** The first one is the active account. Never empty. */
    accounts: z.array(Account).check(z.minLength(1)),
    networkId: CaipNetworkId,
    /** Set when `networkId` is none of the configured networks (spec §4, UnsupportedChain). */
    unsupported: z.optional(z.literal(true)),
  }),
])
export type Connection = z.infer<typeof Connection>

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

/** The host's truth, replicated in the page. `seq` grows by one with each change; the SDK ignores older ones. */
export const HostState = z.strictObject({
  seq: z.int().check(z.gte(0)),
  open: z.boolean(),
  themeMode: ThemeMode,
  /** The configured networks after aliases and defaults are resolved. */
  networks: z.array(Network),
  /** The active network; its namespace is the active namespace. */
  activeNetworkId: z.nullable(CaipNetworkId),
  connections: z.strictObject({
    eip155: z.optional(Connection),
    solana: z.optional(Connection),
    bip122: z.optional(Connection),
  }),
})
export type HostState = z.infer<typeof HostState>

/* ---------------------------------------------------------------- the page asks the host */

/** The views of spec §2 that can be asked for by name; the ones of later features join as they are built. */
export const ViewName = z.enum([
  'Connect',
  'AllWallets',
  'Account',
  'Networks',
  'WhatIsAWallet',
  'ConnectingWalletConnectBasic',
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
  pageWallets: PageWallets,
  /** What the host asked the page to keep (see `store`), for visitors whose browser denies the frame storage. */
  stored: z.record(z.string(), z.string()),
})
export type Init = z.infer<typeof Init>

const Nothing = z.null()

/** Every method the host serves. Nothing else is reachable from the page. `timeout` in ms, 0 where a person is being waited for. */
export const hostMethods = {
  /** Must be the first request on a link; everything before it is refused. */
  init: { params: Init, result: HostState, timeout: 20_000 },
  open: { params: z.strictObject({ view: z.optional(ViewName) }), result: Nothing, timeout: 10_000 },
  /** Refused with `CLOSE_REFUSED` while closing is disabled. */
  close: { params: Nothing, result: Nothing, timeout: 10_000 },
  /** Opens Connect; settles with the connection, or USER_REJECTED when the modal closes first. */
  connect: { params: z.strictObject({ namespace: z.optional(Namespace) }), result: Connection, timeout: 0 },
  /** All namespaces when none is named. */
  disconnect: { params: z.strictObject({ namespace: z.optional(Namespace) }), result: Nothing, timeout: 30_000 },
  /** Takes an alias as well as a CAIP-2 id. Runs the add-chain flow on 4902, 5000 and -32603 (spec §8). */
  switchNetwork: {
    params: z.strictObject({ network: z.string().check(z.maxLength(64)) }),
    result: Nothing,
    timeout: 0,
  },
  setTheme: { params: z.strictObject({ theme: Theme, colorScheme: ThemeMode }), result: Nothing, timeout: 10_000 },
  /** A JSON-RPC request that no page wallet answers: reads by the chain's endpoint, wallets that live behind the host. */
  rpc: {
    params: z.strictObject({
      namespace: Namespace,
      networkId: z.optional(CaipNetworkId),
      method: z.string().check(z.minLength(1), z.maxLength(128)),
      params: z.optional(z.unknown()),
    }),
    result: z.unknown(),
    timeout: 0,
  },
  /** Another tab of the same dapp changed a session: look again. */
  peerChanged: {
    params: z.strictObject({ stored: z.record(z.string(), z.string()) }),
    result: Nothing,
    timeout: 10_000,
  },
  ping: { params: Nothing, result: Nothing, timeout: 10_000 },
  diagnose: {
    params: Nothing,
    result: z.array(z.strictObject({ check: z.string(), ok: z.boolean(), detail: z.string() })),
    timeout: 20_000,
  },
} as const
export type HostMethod = keyof typeof hostMethods

/** Events from the page. */
export const pageEvents = {
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

/* ---------------------------------------------------------------- the host asks the page */

export const pageMethods = {
  /** Joined with an equal request in flight, so that a reload of the host never asks the visitor twice. */
  walletRequest: {
    params: z.strictObject({
      wallet: Id,
      method: z.enum(walletRequestMethods),
      params: z.optional(z.array(z.unknown())),
    }),
    result: z.unknown(),
    timeout: 0,
  },
  /**
   * Opens a link of a wallet in the visitor's name: the frame may not navigate the page. The page checks the scheme itself (`isOpenableLink`).
   * `app` is handed to the system and leaves the page as it is; `tab` opens a new tab without an opener.
   */
  openLink: {
    params: z.strictObject({
      url: z.string().check(z.minLength(1), z.maxLength(8192)),
      target: z.enum(['app', 'tab']),
    }),
    result: Nothing,
    timeout: 10_000,
  },
  /** Keeps a value that holds no secret for the host; `null` forgets it. Keys carry the product's prefix in the page's own storage. */
  store: {
    params: z.strictObject({
      key: z.string().check(z.minLength(1), z.maxLength(128)),
      value: z.nullable(z.string().check(z.maxLength(1_048_576))),
    }),
    result: Nothing,
    timeout: 10_000,
  },
} as const
export type PageMethod = keyof typeof pageMethods

/** Events from the host. */
export const hostEvents = {
  state: HostState,
  /** A session changed by what the visitor did here: tell this dapp's other tabs. */
  sessionChanged: Nothing,
} as const
export type HostEvent = keyof typeof hostEvents

export type HostParams<M extends HostMethod> = z.infer<(typeof hostMethods)[M]['params']>
export type HostResult<M extends HostMethod> = z.infer<(typeof hostMethods)[M]['result']>
export type PageParams<M extends PageMethod> = z.infer<(typeof pageMethods)[M]['params']>
export type PageResult<M extends PageMethod> = z.infer<(typeof pageMethods)[M]['result']>
