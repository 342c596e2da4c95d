/** Self-contained public types; `types.test.ts` compares them with the page link's schemas. */
import type {
  Account,
  CaipNetworkId,
  Connection,
  Connections,
  Namespace,
  Network,
  NetworkInput,
  WalletInfos,
} from './entities'
import type { NetworkAlias } from './network-alias'
import type { BitcoinProvider, Eip1193Provider, SolanaProvider } from './providers'
import type { SiweConfig, Siwx } from './sign-in'

export type * from './entities'
export type * from './providers'
export type * from './sign-in'

export type Theme = {
  /** Default: `auto`, which follows the user's system. */
  mode?: 'light' | 'dark' | 'auto' | undefined
  /** A CSS colour for focus, status and gains. */
  accent?: string | undefined
  /** Scale of all radii, 0 to 2. */
  radius?: number | undefined
  /** Must be installed on the user's device. */
  font?: string | undefined
  /** A CSS colour mixed into the surfaces. */
  mix?: string | undefined
  /** 0 to 50 percent of `mix`. */
  mixStrength?: number | undefined
  /** Applies to the alert in the page; the dialog is in the top layer. Default: 999. */
  zIndex?: number | undefined
}

/** Your dapp's name and pictures, for users and wallets. Default name: the page's title. */
export type Metadata = {
  name: string
  description?: string | undefined
  /** Ignored: wallets get the browser-reported origin. */
  url?: string | undefined
  /** Image URLs for wallets. */
  icons?: string[] | undefined
}

/** A view. If its feature is off or it needs an account, the default view opens instead. */
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
  | 'Tokens'
  | 'Nfts'
  | 'Activity'
  | 'SmartSessions'
  | 'WalletSecurity'

/** A token is an address on the active network, or a symbol; `amount` is a decimal string. */
export type SwapArguments = {
  amount?: string | undefined
  fromToken?: string | undefined
  toToken?: string | undefined
}

export type PaymentRequest = {
  /** CAIP-2 id of a configured network. */
  networkId: CaipNetworkId
  /** Token address. Default: the native currency. */
  token?: string | undefined
  /** Decimal in the token's unit: `'12.5'`. */
  amount: string
  recipient: string
  /** Your text, shown to the user; max 64 characters. */
  reference?: string | undefined
}

/** What the wallet reported: verify it on the chain. */
export type PaymentReceipt = {
  networkId: CaipNetworkId
  hash: string
  from: string
}

/**
 * Features of the modal, on by default unless stated (docs/guides/money.md).
 * The project's settings in the gateway override them.
 */
export type SomeFeatures = {
  /** Needs a gateway with swaps. */
  swaps?: boolean | undefined
  /** Needs a gateway with a seller. */
  onramp?: boolean | undefined
  receive?: boolean | undefined
  send?: boolean | undefined
  /** Email sign-in to the embedded wallet. */
  email?: boolean | undefined
  history?: boolean | undefined
  /** Needs a project with analytics enabled. */
  analytics?: boolean | undefined
  /** Terms to accept before connecting. Default: off. */
  legalCheckbox?: boolean | undefined
  /** Lists and revokes permissions granted to apps. Default: off. */
  smartSessions?: boolean | undefined
  /** Enables `pay`. Default: off. */
  pay?: boolean | undefined
  /** Social sign-in providers; an empty list disables them. */
  socials?: SocialProvider[] | undefined
}

/** `imageUrl` must be a `data:` image; links are checked when opened. */
export type CustomWallet = {
  id: string
  name: string
  imageUrl?: string | undefined
  homepage?: string | undefined
  /** CAIP-2 ids or namespaces. Default: all. */
  chains?: string[] | undefined
  rdns?: string | undefined
  mobile_link?: string | undefined
  desktop_link?: string | undefined
  webapp_link?: string | undefined
  app_store?: string | undefined
  play_store?: string | undefined
  chrome_store?: string | undefined
}

/** Groups of wallets, in their default order. */
export type ConnectorGroup =
  | 'walletConnect'
  | 'recent'
  | 'injected'
  | 'featured'
  | 'custom'
  | 'external'
  | 'recommended'

/** Default order: email, social, wallet. With a wallet in the page: wallet, email, social. */
export type ConnectMethod = 'email' | 'social' | 'wallet'

/** An immutable state, for `useSyncExternalStore`. */
export type Snapshot = {
  /** State of the frame. */
  readonly phase: 'idle' | 'loading' | 'ready' | 'failed'
  readonly open: boolean
  /** Your theme's mode, or the system's preference for `auto`. */
  readonly themeMode: 'light' | 'dark'
  /** Your options, for your own buttons. */
  readonly theme?: Theme | undefined
  readonly locale?: string | undefined
  readonly networks: readonly Network[]
  readonly activeNetworkId: CaipNetworkId | null
  readonly connections: Readonly<Connections>
  /** Information about each wallet in use. */
  readonly walletInfo: Readonly<WalletInfos>
}

/** Options of {@link Postern}; only `projectId` and `networks` are required. */
export type PosternOptions = {
  /** From your gateway: `npm run gateway -- project add`. */
  projectId: string
  /**
   * Aliases (`'base'`), CAIP-2 ids (`'eip155:8453'`), viem chains or definitions.
   * The first is the default. For a known network a definition only sets the endpoints.
   */
  networks: readonly NetworkInput[]
  /** The modal's origin: `https://modal.example.com`. */
  host?: string | undefined
  metadata?: Metadata | undefined
  theme?: Theme | undefined
  /** BCP 47 tag. Default: the page's language. */
  locale?: string | undefined
  features?: SomeFeatures | undefined
  /** An http(s) URL for the checkbox of `features.legalCheckbox`, which needs one of the two. */
  termsConditionsUrl?: string | undefined
  privacyPolicyUrl?: string | undefined
  /** Directory ids or reverse domain names. */
  featuredWallets?: readonly string[] | undefined
  includeWallets?: readonly string[] | undefined
  excludeWallets?: readonly string[] | undefined
  customWallets?: readonly CustomWallet[] | undefined
  /** `false` disables WalletConnect, even if the gateway supports it. */
  walletConnect?: boolean | undefined
  /** `false`: no card while a phone is asked over WalletConnect. Your page tells the user. */
  walletPrompt?: boolean | undefined
  /** These come first, in this order. */
  connectorTypeOrder?: readonly ConnectorGroup[] | undefined
  connectMethodsOrder?: readonly ConnectMethod[] | undefined
  /** Your text at the foot of Connect; max 512 characters. */
  disclaimer?: string | undefined
  /** Your texts for Connect by message id (docs/guides/theming.md); max 128 characters each. */
  overrides?: Readonly<Record<string, string>> | undefined
  /** Your picture above the ways to connect: a `data:` image of max 65,536 characters. */
  logo?: string | null | undefined
  /**
   * Picture of the connected account, a `data:` image, instead of its name's picture.
   * Change it with the account by `setOptions`.
   */
  avatar?: string | null | undefined
  /** The embedded wallet's default account type (docs/guides/smart-accounts.md). The user's choice wins. */
  accounts?: { eip155?: 'smart' | 'eoa' | undefined } | undefined
  /** `createSiwx()` of `@postern/siwx`, or your own plugin (docs/guides/sign-in-with-wallet.md). */
  siwx?: Siwx | undefined
  /** The older configuration; not together with `siwx`. */
  siweConfig?: SiweConfig | undefined
  /** Wallets with their own SDK (docs/guides/external-connectors.md). */
  connectors?: readonly ExternalConnector[] | undefined
  /** How other libraries list Postern. `false` disables EIP-6963 and Wallet Standard announcements. */
  announce?: boolean | { name?: string /** A `data:` image. */; icon?: string } | undefined
  /** `false` does not restore earlier connections: the page starts disconnected. */
  autoReconnect?: boolean | undefined
  /**
   * When the frame loads (docs/reference/options.md). Default: `presence`.
   * `presence` waits for a present user, `intent` for hover or focus of a button, `off` for the click.
   */
  prewarm?: 'presence' | 'intent' | 'off' | undefined
}

/**
 * A wallet with its own SDK (docs/guides/external-connectors.md).
 * `load` runs on the first connect, and when a visit restores a connection.
 */
export type ExternalConnector = {
  /** Identifies stored sessions: do not change it between releases. 1 to 64 characters. */
  readonly id: string
  readonly name: string
  /** A `data:` image. */
  readonly icon?: string | undefined
  readonly namespace: 'eip155'
  /** Runs within the click, so that it may open a popup. */
  readonly load: () => Promise<ExternalProvider>
}

/** The EIP-1193 part of a wallet's SDK. */
export type ExternalProvider = {
  request(args: { method: string; params?: unknown }): Promise<unknown>
  on?(event: string, listener: (data: unknown) => void): unknown
  removeListener?(event: string, listener: (data: unknown) => void): unknown
}

/** `namespace` opens its account, or Connect for its wallets. */
export type OpenOptions = {
  view?: ViewName | undefined
  swap?: SwapArguments | undefined
  namespace?: Namespace | undefined
}

/** Events of `postern.on`. */
export type PosternEvents = {
  /** Also fires when an earlier connection is restored. */
  connect: { readonly namespace: Namespace; readonly connection: Extract<Connection, { status: 'connected' }> }
  disconnect: { readonly namespace: Namespace }
  /** A connected wallet shares other accounts, or another one is first. */
  account: { readonly namespace: Namespace; readonly accounts: readonly Account[] }
  /** The active network changed. */
  network: { readonly networkId: CaipNetworkId }
  /** The dapp's sign-in plugin stored a session. */
  signIn: { readonly networkId: CaipNetworkId; readonly address: string }
  open: null
  close: null
  /** A call failed, other than by the user's or the dapp's choice. The call rejects too. */
  error: Error & ErrorDetails & { readonly docs: string }
}

/** The options that `setOptions` changes. */
export type ChangeableOptions = Pick<PosternOptions, 'locale' | 'theme' | 'features' | 'metadata' | 'logo' | 'avatar'>

/** Default: any configured namespace. `signal` cancels. */
export type ConnectOptions<N extends Namespace = Namespace> = {
  namespace?: N | undefined
  signal?: AbortSignal | undefined
} & ConnectTarget

/** Goes straight to a wallet (id, rdns or directory id), social account or email address. */
export type ConnectTarget =
  | { wallet?: string | undefined; social?: undefined; email?: undefined }
  | { wallet?: undefined; social?: SocialProvider | undefined; email?: undefined }
  | { wallet?: undefined; social?: undefined; email?: string | undefined }

export type SocialProvider = 'google' | 'github' | 'apple' | 'facebook' | 'x' | 'discord'

/** `icon` is a `data:` URI, or an image of the gateway. */
export type ListedWallet = {
  readonly id: string
  readonly name: string
  readonly icon?: string | undefined
  /** The wallet is in this page. Any other is reached by its app, over WalletConnect. */
  readonly installed: boolean
}

/** Name and avatar of an account. Absent if unknown. */
export type Profile = {
  /** ENS, or a name of the gateway: one line of max 64 characters. */
  readonly name?: string | undefined
  /** A `data:` image: your option `avatar`, else the name's picture. */
  readonly avatar?: string | undefined
}

/** A check; `fix` says what to do if `ok` is false. */
export type Diagnosis = {
  readonly check: string
  readonly ok: boolean
  readonly detail: string
  readonly fix?: string | undefined
}

/** An instance. Methods reject with a `PosternError`; docs/reference/errors.md lists the codes. */
export type Postern = {
  /** EIP-1193. Requests go straight to a page wallet, otherwise through the host. */
  readonly eip155: Eip1193Provider
  readonly solana: SolanaProvider
  readonly bip122: BitcoinProvider
  /** Opens a view; default: Account if connected, else Connect. Resolves once visible. */
  open(options?: OpenOptions): Promise<void>
  /** Resolves once sent. Rejects with `USER_REJECTED` if the user leaves. */
  pay(request: PaymentRequest): Promise<PaymentReceipt>
  /** Rejects with `CLOSE_REFUSED` while closing is disabled. */
  close(): Promise<void>
  /** Opens Connect. Rejects with `USER_REJECTED` if the user leaves. */
  connect<N extends Namespace = Namespace>(options?: ConnectOptions<N>): Promise<Connection<N>>
  /** Default: all namespaces. */
  disconnect(namespace?: Namespace): Promise<void>
  /** Takes an alias or CAIP-2 id. Asks a connected wallet. */
  switchNetwork(network: NetworkAlias | CaipNetworkId | (string & Record<never, never>)): Promise<void>
  /**
   * Returns a JWT about the user who signed in to the embedded wallet, for your server.
   * It is valid for ten minutes; `verifyIdentityToken` of `@postern/siwx/server` checks it. Rejects with `UNAUTHORIZED`
   * without a sign-in.
   *
   * `user: true` adds the way of sign-in and the email address. The wallet asks the user once per session. Rejects with
   * `USER_REJECTED` if they decline.
   */
  getIdentityToken(options?: { readonly user: true } | { readonly user?: false | undefined }): Promise<string>
  /**
   * The wallets that Connect lists, in its order, for your own list.
   * `connect({ wallet: id })` connects one. Call it again after a wallet has come or gone.
   */
  getWallets(): Promise<readonly ListedWallet[]>
  /** Name and picture of a connected account on the active network. Other addresses: `UNAUTHORIZED`. */
  getProfile(address: string): Promise<Profile>
  setTheme(theme: Theme): void
  /** Replaces options while the page runs; absent ones stay. */
  setOptions(options: ChangeableOptions): void
  /** Returns the unsubscribe function. */
  on<E extends keyof PosternEvents>(event: E, listener: (data: PosternEvents[E]) => void): () => void
  /** Calls `listener` after each change. Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void
  getSnapshot(): Snapshot
  getServerSnapshot(): Snapshot
  /** Call on hover or focus. No effect after a failure, or if the option `prewarm` is `off`. */
  prewarm(): void
  /** Checks everything that the modal needs. */
  diagnose(): Promise<readonly Diagnosis[]>
  /** Leaves no listener, frame or timer. */
  destroy(): void
}

/** `rpc` is the EIP-1193 or JSON-RPC number, `fix` says what to do. */
export type ErrorDetails = {
  code: string
  message: string
  rpc?: number | undefined
  data?: unknown
  fix?: string | undefined
}

/** `window.Postern`, with the script tag. */
export type PosternGlobal = Postern & {
  readonly createPostern: (options: PosternOptions) => Postern
  readonly version: string
}

declare global {
  interface Window {
    Postern?: PosternGlobal | undefined
  }
  interface WindowEventMap {
    /** The script tag's instance exists. */
    'postern:ready': CustomEvent<PosternGlobal>
  }
}
