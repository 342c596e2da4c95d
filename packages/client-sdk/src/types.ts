/** Self-contained public types; `types.test.ts` keeps them equal to the page link's schemas. */
import type {
  Account,
  CaipNetworkId,
  Connection,
  Connections,
  Namespace,
  Network,
  NetworkInput,
  WalletInfos,
} from './entity-types'
import type { NetworkAlias } from './network-alias'
import type { BitcoinProvider, Eip1193Provider, SolanaProvider } from './provider-types'
import type { SiweConfig, Siwx } from './sign-in-types'

export type * from './entity-types'
export type * from './provider-types'
export type * from './sign-in-types'

/** Theme options. */
export type Theme = {
  /** Default: `auto`, the user's system. */
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
  /** Of the page-side alert; the dialog is in the top layer. Default 999. */
  zIndex?: number | undefined
}

/** For users and wallets. Default: the page's title. */
export type Metadata = {
  name: string
  description?: string | undefined
  /** Not used: wallets get the browser-reported origin. */
  url?: string | undefined
  /** Image URLs, for wallets. */
  icons?: string[] | undefined
}

/** Opens the default view instead if the feature is off, or an account is missing. */
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

/** A token is its address on the active network, or its symbol; `amount` is a decimal string. */
export type SwapArguments = {
  amount?: string | undefined
  fromToken?: string | undefined
  toToken?: string | undefined
}

export type PaymentRequest = {
  /** CAIP-2, must be configured. */
  networkId: CaipNetworkId
  /** Token address; default: the native currency. */
  token?: string | undefined
  /** Decimal, in the token's unit: `'12.5'`. */
  amount: string
  recipient: string
  /** Your text, shown to the user; at most 64 characters. */
  reference?: string | undefined
}

/** As reported by the wallet: verify it on the chain. */
export type PaymentReceipt = {
  networkId: CaipNetworkId
  hash: string
  from: string
}

/** See docs/guides/money.md. Most default to on; the project's settings in the gateway override them. */
export type SomeFeatures = {
  /** If the gateway supports swaps. */
  swaps?: boolean | undefined
  /** If the gateway has a seller. */
  onramp?: boolean | undefined
  receive?: boolean | undefined
  send?: boolean | undefined
  /** Email sign-in to the embedded wallet. */
  email?: boolean | undefined
  history?: boolean | undefined
  /** If the project has analytics enabled. */
  analytics?: boolean | undefined
  /** Terms to accept before connecting. Default: off, like the next two. */
  legalCheckbox?: boolean | undefined
  /** Lists and revokes permissions granted to apps. */
  smartSessions?: boolean | undefined
  /** Enables `pay`. */
  pay?: boolean | undefined
  /** Social sign-in providers; an empty list disables them. */
  socials?: SocialProvider[] | undefined
}

/** `data:` image only; links are checked when opened. */
export type CustomWallet = {
  id: string
  name: string
  imageUrl?: string | undefined
  homepage?: string | undefined
  /** CAIP-2 ids or bare namespaces; default: all. */
  chains?: string[] | undefined
  rdns?: string | undefined
  mobile_link?: string | undefined
  desktop_link?: string | undefined
  webapp_link?: string | undefined
  app_store?: string | undefined
  play_store?: string | undefined
  chrome_store?: string | undefined
}

/** In default order. */
export type ConnectorGroup =
  | 'walletConnect'
  | 'recent'
  | 'injected'
  | 'featured'
  | 'custom'
  | 'external'
  | 'recommended'

/** Default order: email, social, wallet; with a wallet in the page: wallet, email, social. */
export type ConnectMethod = 'email' | 'social' | 'wallet'

/** Immutable, for `useSyncExternalStore`. */
export type Snapshot = {
  /** State of the frame. */
  readonly phase: 'idle' | 'loading' | 'ready' | 'failed'
  readonly open: boolean
  /** Your theme's, with the system's preference for `auto`. */
  readonly themeMode: 'light' | 'dark'
  /** Your options, for your own buttons. */
  readonly theme?: Theme | undefined
  readonly locale?: string | undefined
  readonly networks: readonly Network[]
  readonly activeNetworkId: CaipNetworkId | null
  readonly connections: Readonly<Connections>
  /** Of each wallet in use. */
  readonly walletInfo: Readonly<WalletInfos>
}

/** Only `projectId` and `networks` are required. */
export type PosternOptions = {
  /** From your gateway: `npm run gateway -- project add`. */
  projectId: string
  /**
   * Aliases (`'base'`), CAIP-2 ids (`'eip155:8453'`), chains of viem or definitions; the first is the default. For a
   * known network a definition only sets the endpoints.
   */
  networks: readonly NetworkInput[]
  /** Origin, for example `https://modal.example.com`. */
  host?: string | undefined
  metadata?: Metadata | undefined
  theme?: Theme | undefined
  /** BCP 47; default: the page's language. */
  locale?: string | undefined
  features?: SomeFeatures | undefined
  /** http(s). For the checkbox of `features.legalCheckbox`, which needs at least one of the two. */
  termsConditionsUrl?: string | undefined
  privacyPolicyUrl?: string | undefined
  /** Directory ids or rdns. */
  featuredWallets?: readonly string[] | undefined
  includeWallets?: readonly string[] | undefined
  excludeWallets?: readonly string[] | undefined
  /** Your own wallets. */
  customWallets?: readonly CustomWallet[] | undefined
  /** `false` disables WalletConnect, even if the gateway supports it. */
  walletConnect?: boolean | undefined
  /** `false`: no card while a phone is asked over WalletConnect, because your page says so itself. */
  walletPrompt?: boolean | undefined
  /** These come first, in this order. */
  connectorTypeOrder?: readonly ConnectorGroup[] | undefined
  connectMethodsOrder?: readonly ConnectMethod[] | undefined
  /** Your own words at the foot of Connect; at most 512 characters. */
  disclaimer?: string | undefined
  /** Your own words for some of Connect's, by message id (docs/guides/theming.md): at most 128 characters each. */
  overrides?: Readonly<Record<string, string>> | undefined
  /** Your picture above the ways to connect: a `data:` image of at most 65,536 characters. */
  logo?: string | null | undefined
  /** Of the connected account, instead of its name's picture: a `data:` image. `setOptions` changes it with the account. */
  avatar?: string | null | undefined
  /** The embedded wallet's account of a user who has not chosen one (docs/guides/smart-accounts.md). */
  accounts?: { eip155?: 'smart' | 'eoa' | undefined } | undefined
  /** `createSiwx()` of `@postern/siwx`, or your own plugin (docs/guides/sign-in-with-wallet.md). */
  siwx?: Siwx | undefined
  /** The older configuration; not together with `siwx`. */
  siweConfig?: SiweConfig | undefined
  /** Wallets with their own SDK (docs/guides/external-connectors.md). */
  connectors?: readonly ExternalConnector[] | undefined
  /** `false` disables EIP-6963 and Wallet Standard announcements; or how other libraries list Postern. */
  announce?: boolean | { name?: string /** A `data:` image. */; icon?: string } | undefined
  /** `false`: connections of earlier visits are not restored, and the page starts disconnected. */
  autoReconnect?: boolean | undefined
  /**
   * When the frame loads (docs/reference/options.md): once the user is there, on hover or focus of a button, or only with
   * the click. Default: `presence`.
   */
  prewarm?: 'presence' | 'intent' | 'off' | undefined
}

/**
 * A wallet with its own SDK (docs/guides/external-connectors.md). `load` runs on the first connect, and when a visit
 * restores a connection.
 */
export type ExternalConnector = {
  /** Identifies stored sessions: keep it across releases. 1 to 64 characters. */
  readonly id: string
  readonly name: string
  /** A `data:` image. */
  readonly icon?: string | undefined
  readonly namespace: 'eip155'
  /** Runs within the click: may open a popup. */
  readonly load: () => Promise<ExternalProvider>
}

/** EIP-1193 part of a wallet's SDK. */
export type ExternalProvider = {
  request(args: { method: string; params?: unknown }): Promise<unknown>
  on?(event: string, listener: (data: unknown) => void): unknown
  removeListener?(event: string, listener: (data: unknown) => void): unknown
}

/** `namespace`: its account, or Connect for its wallets. */
export type OpenOptions = {
  view?: ViewName | undefined
  swap?: SwapArguments | undefined
  namespace?: Namespace | undefined
}

/** Of `postern.on`. */
export type PosternEvents = {
  /** Also when a connection of an earlier visit is restored. */
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
  /** A call to the modal failed, other than by the user's choice; the call rejects too. */
  error: Error & ErrorDetails & { readonly docs: string }
}

/** What `setOptions` changes. */
export type ChangeableOptions = Pick<PosternOptions, 'locale' | 'theme' | 'features' | 'metadata' | 'logo' | 'avatar'>

/** Default: any configured namespace; `signal` cancels. */
export type ConnectOptions<N extends Namespace = Namespace> = {
  namespace?: N | undefined
  signal?: AbortSignal | undefined
} & ConnectTarget

/** Straight to one wallet (id, rdns or directory id), social account or email address. */
export type ConnectTarget =
  | { wallet?: string | undefined; social?: undefined; email?: undefined }
  | { wallet?: undefined; social?: SocialProvider | undefined; email?: undefined }
  | { wallet?: undefined; social?: undefined; email?: string | undefined }

export type SocialProvider = 'google' | 'github' | 'apple' | 'facebook' | 'x' | 'discord'

/** `icon`: a `data:` URI, or an image of the gateway. */
export type ListedWallet = {
  readonly id: string
  readonly name: string
  readonly icon?: string | undefined
  /** It is in this page. Any other is reached by its app, by WalletConnect. */
  readonly installed: boolean
}

/** Both are absent if unknown. */
export type Profile = {
  /** ENS, or a name of the gateway: one line of at most 64 characters. */
  readonly name?: string | undefined
  /** Your option `avatar`, else the name's picture: a `data:` image. */
  readonly avatar?: string | undefined
}

/** `fix` says what to do if `ok` is false. */
export type Diagnosis = {
  readonly check: string
  readonly ok: boolean
  readonly detail: string
  readonly fix?: string | undefined
}

/** Methods reject with a `PosternError`; codes are in docs/reference/errors.md. */
export type Postern = {
  /** EIP-1193. Straight to a page wallet, otherwise through the host. */
  readonly eip155: Eip1193Provider
  readonly solana: SolanaProvider
  readonly bip122: BitcoinProvider
  /** Default view: Account if connected, else Connect. Resolves once visible. */
  open(options?: OpenOptions): Promise<void>
  /** Resolves once sent; rejects with `USER_REJECTED` if the user leaves. */
  pay(request: PaymentRequest): Promise<PaymentReceipt>
  /** Rejects with `CLOSE_REFUSED` while closing is disabled. */
  close(): Promise<void>
  /** Opens Connect. Rejects with `USER_REJECTED` if the user leaves. */
  connect<N extends Namespace = Namespace>(options?: ConnectOptions<N>): Promise<Connection<N>>
  /** Default: all namespaces. */
  disconnect(namespace?: Namespace): Promise<void>
  /** Alias or CAIP-2 id. Asks a connected wallet. */
  switchNetwork(network: NetworkAlias | CaipNetworkId | (string & Record<never, never>)): Promise<void>
  /**
   * A JWT about the user who signed in to the embedded wallet, for your server: `verifyIdentityToken` of
   * `@postern/siwx/server` checks it. It lives ten minutes. Rejects with `UNAUTHORIZED` without a sign-in.
   *
   * `user: true`: it also says how they signed in, and their email address. The wallet asks the user once per session;
   * rejects with `USER_REJECTED` if they decline.
   */
  getIdentityToken(options?: { readonly user: true } | { readonly user?: false | undefined }): Promise<string>
  /**
   * The wallets that Connect lists, in its order, for a list of your own: `connect({ wallet: id })` asks one. Call again
   * after a wallet has come or gone.
   */
  getWallets(): Promise<readonly ListedWallet[]>
  /** The name and picture of a connected account on the active network. Rejects with `UNAUTHORIZED` for another address. */
  getProfile(address: string): Promise<Profile>
  setTheme(theme: Theme): void
  /** Replaces options while the page runs; those that are absent stay. */
  setOptions(options: ChangeableOptions): void
  /** Returns the unsubscribe function. */
  on<E extends keyof PosternEvents>(event: E, listener: (data: PosternEvents[E]) => void): () => void
  /** Calls `listener` after each change. Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void
  getSnapshot(): Snapshot
  getServerSnapshot(): Snapshot
  /** Call on hover or focus, before a click. Does nothing after a failure, or if the option `prewarm` is `off`. */
  prewarm(): void
  /** Checks everything that the modal needs. */
  diagnose(): Promise<readonly Diagnosis[]>
  /** Leaves no listener, frame or timer. */
  destroy(): void
}

/** `rpc`: EIP-1193 or JSON-RPC number; `fix`: what to do. */
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
