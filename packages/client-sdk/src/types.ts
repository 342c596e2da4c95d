/**
 * The public types of `@postern/client`, whole in themselves: a dapp's types need nothing of ours but these files.
 * `types.test.ts` holds them equal to the schemas of the page link.
 */
import type { CaipNetworkId, Connection, Connections, Namespace, Network, NetworkDefinition } from './entity-types'
import type { BitcoinProvider, Eip1193Provider, SolanaProvider } from './provider-types'
import type { SiweConfig, Siwx } from './sign-in-types'

export type * from './entity-types'
export type * from './provider-types'
export type * from './sign-in-types'

/** What a dapp may set of the look. */
export type Theme = {
  /** `auto` (the default) follows the visitor's system. */
  mode?: 'light' | 'dark' | 'auto' | undefined
  /** A CSS colour for focus, status and gains. */
  accent?: string | undefined
  /** Scale of all radii, 0 to 2. */
  radius?: number | undefined
  /** A font family that the visitor's machine already has. */
  font?: string | undefined
  /** A CSS colour mixed into the surfaces. */
  mix?: string | undefined
  /** How much of `mix`, 0 to 50 per cent. */
  mixStrength?: number | undefined
  /** Stacking of the page-side alert; the dialog itself is in the top layer. Default 999. */
  zIndex?: number | undefined
}

/** What the dapp says of itself, to the visitor and to wallets. Without any: the page's title. */
export type Metadata = {
  name: string
  description?: string | undefined
  /** Nobody is told it: wallets learn the page's origin, as the browser says it. */
  url?: string | undefined
  /** Addresses of pictures, for wallets. */
  icons?: string[] | undefined
}

/** Views that `open` may name. One whose feature is off, or that is of an account while nobody is connected, opens as if none were named. */
export type ViewName =
  | 'Connect'
  | 'AllWallets'
  | 'Account'
  | 'Networks'
  | 'WhatIsAWallet'
  | 'ConnectingWalletConnectBasic'
  | 'Send'
  | 'Receive'
  | 'Swap'
  | 'OnRamp'
  | 'RegisterAccountName'

/** What Swap opens with. A token is its address on the active network, or its symbol; `amount` is a decimal. */
export type SwapArguments = {
  amount?: string | undefined
  fromToken?: string | undefined
  toToken?: string | undefined
}

/** A payment that a dapp asks for. */
export type PaymentRequest = {
  /** CAIP-2, one of the configured networks. */
  networkId: CaipNetworkId
  /** An address on the network; absent is the network's own currency. */
  token?: string | undefined
  /** A decimal in the token's own unit: `'12.5'`. */
  amount: string
  /** An address on the network. */
  recipient: string
  /** Your own word for what is paid, shown to the visitor; 64 characters at most. */
  reference?: string | undefined
}

/** Sent, as the wallet says: look at the chain before you believe it. */
export type PaymentReceipt = {
  networkId: CaipNetworkId
  hash: string
  from: string
}

/** What the visitor may find in the modal (docs/guides/money.md). What you leave out is as it is by itself, mostly on; what the project's owner set in the gateway wins. */
export type SomeFeatures = {
  /** Exchanging tokens, where the gateway swaps. */
  swaps?: boolean | undefined
  /** Buying, where the gateway has a seller. */
  onramp?: boolean | undefined
  receive?: boolean | undefined
  send?: boolean | undefined
  /** Signing in by email to the embedded wallet. */
  email?: boolean | undefined
  /** What the accounts did. */
  history?: boolean | undefined
  /** Events to the gateway, where the project counts them. */
  analytics?: boolean | undefined
  /** Terms to accept before connecting. Off by itself, as the next two. */
  legalCheckbox?: boolean | undefined
  /** What apps may do in the visitor's name, and taking it back. */
  smartSessions?: boolean | undefined
  /** Payments that the dapp asks for: `pay`. */
  pay?: boolean | undefined
  /** Services to sign in with to the embedded wallet; none of them with an empty list. */
  socials?: ('google' | 'github' | 'apple' | 'facebook' | 'x' | 'discord')[] | undefined
}

/** A wallet that the dapp adds to the list. Its picture is a `data:` image; its links are checked where they are opened. */
export type CustomWallet = {
  id: string
  name: string
  imageUrl?: string | undefined
  homepage?: string | undefined
  /** CAIP-2 ids or bare namespaces; absent means all. */
  chains?: string[] | undefined
  rdns?: string | undefined
  mobile_link?: string | undefined
  desktop_link?: string | undefined
  webapp_link?: string | undefined
  app_store?: string | undefined
  play_store?: string | undefined
  chrome_store?: string | undefined
}

/** The groups of the wallet list, in their order when nothing else is said. */
export type ConnectorGroup =
  | 'walletConnect'
  | 'recent'
  | 'injected'
  | 'featured'
  | 'custom'
  | 'external'
  | 'recommended'

/** Ways to connect. Default order: email, social, wallet; with a wallet in the page: wallet, email, social. */
export type ConnectMethod = 'email' | 'social' | 'wallet'

/** One immutable value: the same object until something changes, made for `useSyncExternalStore`. */
export type Snapshot = {
  /** The frame: not asked for yet, on its way, answering, or not to be had. */
  readonly phase: 'idle' | 'loading' | 'ready' | 'failed'
  /** Whether the dialog shows. */
  readonly open: boolean
  readonly themeMode: 'light' | 'dark'
  readonly networks: readonly Network[]
  readonly activeNetworkId: CaipNetworkId | null
  readonly connections: Readonly<Connections>
}

/** What `createPostern` takes: whose project it is, and which networks; everything else has a default. */
export type PosternOptions = {
  /** From your gateway: `npm run gateway -- project add`. */
  projectId: string
  /**
   * Aliases (`'base'`), CAIP-2 ids (`'eip155:8453'`) or whole definitions; the first is the default network. A definition of a known network says where it is read; its
   * name and currency are those that are known.
   */
  networks: readonly (string | NetworkDefinition)[]
  /** Origin of the modal host, for instance `https://modal.example.com`. */
  host?: string | undefined
  metadata?: Metadata | undefined
  theme?: Theme | undefined
  /** BCP 47 tag; the page's own language when absent. */
  locale?: string | undefined
  features?: SomeFeatures | undefined
  /** http or https. Linked beside the checkbox of `features.legalCheckbox`; without one of the two there is no checkbox. */
  termsConditionsUrl?: string | undefined
  privacyPolicyUrl?: string | undefined
  /** Directory ids or rdns. */
  featuredWallets?: readonly string[] | undefined
  includeWallets?: readonly string[] | undefined
  excludeWallets?: readonly string[] | undefined
  /** Wallets of your own in the list. */
  customWallets?: readonly CustomWallet[] | undefined
  /** `false` offers no WalletConnect, whatever the gateway can. */
  walletConnect?: boolean | undefined
  /** Groups of wallets that come first, in this order. */
  connectorTypeOrder?: readonly ConnectorGroup[] | undefined
  /** The order of the ways to connect. */
  connectMethodsOrder?: readonly ConnectMethod[] | undefined
  /** Sign-in with wallet (docs/guides/sign-in-with-wallet.md): `createSiwx()` of `@postern/siwx`, or a plugin of your own. */
  siwx?: Siwx | undefined
  /** The older configuration of the same; not together with `siwx`. */
  siweConfig?: SiweConfig | undefined
  /** Wallets that bring their own SDK (docs/guides/external-connectors.md). */
  connectors?: readonly ExternalConnector[] | undefined
  /** `false` keeps Postern from being announced by EIP-6963 and Wallet Standard. */
  announce?: boolean | undefined
}

/**
 * A wallet with an SDK of its own, offered in the modal like any other (docs/guides/external-connectors.md). `load` is called when somebody first
 * connects, and when a visit begins that was connected before; the provider that it resolves to is then asked like every wallet of the page.
 */
export type ExternalConnector = {
  /** Stays the same over releases: sessions are found again by it. 1 to 64 characters. */
  readonly id: string
  readonly name: string
  /** A `data:` image. */
  readonly icon?: string | undefined
  readonly namespace: 'eip155'
  /** In `load` a popup may be opened: the visitor's click is still fresh. */
  readonly load: () => Promise<ExternalProvider>
}

/** What a wallet's SDK has to offer of EIP-1193. */
export type ExternalProvider = {
  request(args: { method: string; params?: unknown }): Promise<unknown>
  on?(event: string, listener: (data: unknown) => void): unknown
  removeListener?(event: string, listener: (data: unknown) => void): unknown
}

/** Whom `connect` asks for. Without a namespace any that is configured; `signal` takes the wish back. */
export type ConnectOptions = { namespace?: Namespace | undefined; signal?: AbortSignal | undefined }

/** One line of `diagnose()`. `fix` says what to do when `ok` is false. */
export type Diagnosis = {
  readonly check: string
  readonly ok: boolean
  readonly detail: string
  readonly fix?: string | undefined
}

/** One page's way to its visitors' wallets. What it rejects with is a `PosternError`, whose codes stand in docs/reference/errors.md. */
export type Postern = {
  /** EIP-1193: straight to a wallet in the page, by the host otherwise. */
  readonly eip155: Eip1193Provider
  readonly solana: SolanaProvider
  readonly bip122: BitcoinProvider
  /** Opens the modal: Account when connected, Connect otherwise, or the view named. Settles once it shows. */
  open(options?: { view?: ViewName | undefined; swap?: SwapArguments | undefined }): Promise<void>
  /** Asks the visitor for a payment; settles once it is sent, or rejects with `USER_REJECTED` when they leave. */
  pay(request: PaymentRequest): Promise<PaymentReceipt>
  /** Rejects with `CLOSE_REFUSED` while closing is disabled. */
  close(): Promise<void>
  /** Opens Connect; settles with the connection, or rejects with `USER_REJECTED` when the visitor leaves. */
  connect(options?: ConnectOptions): Promise<Connection>
  /** All namespaces when none is named. */
  disconnect(namespace?: Namespace): Promise<void>
  /** An alias or a CAIP-2 id. Asks the wallet when one is connected. */
  switchNetwork(network: string): Promise<void>
  setTheme(theme: Theme): void
  /** Calls `listener` after each change of the snapshot. Returns what ends the subscription. */
  subscribe(listener: () => void): () => void
  getSnapshot(): Snapshot
  /** What a server renders: nobody is connected. */
  getServerSnapshot(): Snapshot
  /** Loads the frame ahead of a click; call it on hover or focus. After a failure it waits for a real use. */
  prewarm(): void
  /** What stands between this page and a working modal, check by check. */
  diagnose(): Promise<readonly Diagnosis[]>
  /** Leaves no listener, frame or timer behind. */
  destroy(): void
}

/** What an error is made of: a stable code, a text, and the number of EIP-1193 or JSON-RPC where there is one. */
export type ErrorDetails = { code: string; message: string; rpc?: number | undefined; data?: unknown }
