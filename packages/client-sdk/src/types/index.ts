/** `types.test.ts` compares these with the page link's schemas. */
import type {
  Account,
  CaipNetworkId,
  Connection,
  Connections,
  Namespace,
  Network,
  NetworkInput,
  SocialProvider,
  WalletInfos,
} from './entities'
import type { NetworkAlias } from './network-alias'
import type { BitcoinProvider, Eip1193Provider, SolanaProvider } from './providers'
import type { SiweConfig, Siwx } from './sign-in'

export type * from './entities'
export type * from './providers'
export type * from './sign-in'

export type Theme = {
  /** Default: `auto`, the user's system. */
  mode?: 'light' | 'dark' | 'auto' | undefined
  /** CSS colour for focus, status and gains. */
  accent?: string | undefined
  /** Scale of all radii, 0 to 2. */
  radius?: number | undefined
  /** Must be installed on the user's device. */
  font?: string | undefined
  /** CSS colour mixed into the surfaces. */
  mix?: string | undefined
  /** Percent of `mix`, 0 to 50. */
  mixStrength?: number | undefined
  /** For the alert in the page; the dialog is in the top layer. Default: 999. */
  zIndex?: number | undefined
}

/** Your dapp, for users and wallets. Default name: the page's title. */
export type Metadata = {
  name: string
  description?: string | undefined
  /** Ignored: wallets get the browser-reported origin. */
  url?: string | undefined
  /** Image URLs. */
  icons?: string[] | undefined
}

/** If its feature is off or it needs an account, the default view opens. */
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

/** Tokens: address on the active network, or symbol. `amount`: decimal. */
export type SwapArguments = {
  amount?: string | undefined
  fromToken?: string | undefined
  toToken?: string | undefined
}

export type PaymentRequest = {
  networkId: CaipNetworkId
  /** Address. Default: the native currency. */
  token?: string | undefined
  /** Decimal in the token's unit: `'12.5'`. */
  amount: string
  recipient: string
  /** Shown to the user; max 64 characters. */
  reference?: string | undefined
}

/** The wallet's report: verify it on the chain. */
export type PaymentReceipt = {
  networkId: CaipNetworkId
  hash: string
  from: string
}

/** Features, on by default unless stated (docs/guides/money.md). The project's settings override them. */
export type SomeFeatures = {
  /** Needs a gateway with swaps. */
  swaps?: boolean | undefined
  /** Needs a gateway with a seller. */
  onramp?: boolean | undefined
  receive?: boolean | undefined
  send?: boolean | undefined
  /** Sign-in to the embedded wallet. */
  email?: boolean | undefined
  history?: boolean | undefined
  /** Needs a project with analytics. */
  analytics?: boolean | undefined
  /** Terms to accept before connecting. Default: off. */
  legalCheckbox?: boolean | undefined
  /** Lists and revokes permissions. Default: off. */
  smartSessions?: boolean | undefined
  /** Enables `pay`. Default: off. */
  pay?: boolean | undefined
  /** An empty list disables them. */
  socials?: SocialProvider[] | undefined
}

/** `imageUrl`: a `data:` image. Links are checked when opened. */
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

/** In their default order. */
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

/** Immutable, for `useSyncExternalStore`. */
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
  /** Wallets in use. */
  readonly walletInfo: Readonly<WalletInfos>
}

/** Only `projectId` and `networks` are required. */
export type PosternOptions = {
  /** `npm run gateway -- project add`. */
  projectId: string
  /** The first is the default. For a known network a definition only sets the endpoints. */
  networks: readonly NetworkInput[]
  /** The modal's origin: `https://modal.example.com`. */
  host?: string | undefined
  metadata?: Metadata | undefined
  theme?: Theme | undefined
  /** BCP 47. Default: the page's language. */
  locale?: string | undefined
  features?: SomeFeatures | undefined
  /** `features.legalCheckbox` needs one of these http(s) URLs. */
  termsConditionsUrl?: string | undefined
  privacyPolicyUrl?: string | undefined
  /** Directory ids or reverse domain names. */
  featuredWallets?: readonly string[] | undefined
  includeWallets?: readonly string[] | undefined
  excludeWallets?: readonly string[] | undefined
  customWallets?: readonly CustomWallet[] | undefined
  /** `false` disables WalletConnect. */
  walletConnect?: boolean | undefined
  /** `false`: no card while a phone is asked over WalletConnect. Your page tells the user. */
  walletPrompt?: boolean | undefined
  /** These come first. */
  connectorTypeOrder?: readonly ConnectorGroup[] | undefined
  connectMethodsOrder?: readonly ConnectMethod[] | undefined
  /** Foot of Connect; max 512 characters. */
  disclaimer?: string | undefined
  /** Texts of Connect by message id (docs/guides/theming.md); max 128 characters each. */
  overrides?: Readonly<Record<string, string>> | undefined
  /** Above the ways to connect: a `data:` image of max 65,536 characters. */
  logo?: string | null | undefined
  /** A `data:` image of the connected account. Change it with the account by `setOptions`. */
  avatar?: string | null | undefined
  /** The embedded wallet's default account type (docs/guides/smart-accounts.md). */
  accounts?: { eip155?: 'smart' | 'eoa' | undefined } | undefined
  /** `createSiwx()` of `@postern/siwx`, or your own plugin (docs/guides/sign-in-with-wallet.md). */
  siwx?: Siwx | undefined
  /** Older configuration; not together with `siwx`. */
  siweConfig?: SiweConfig | undefined
  /** See docs/guides/external-connectors.md. */
  connectors?: readonly ExternalConnector[] | undefined
  /** `false` disables EIP-6963 and Wallet Standard announcements. */
  announce?: boolean | { name?: string /** A `data:` image. */; icon?: string } | undefined
  /** `false`: the page starts disconnected. */
  autoReconnect?: boolean | undefined
  /**
   * When the frame loads (docs/reference/options.md). Default: `presence`.
   * `presence` waits for a present user, `intent` for hover or focus of a button, `off` for the click.
   */
  prewarm?: 'presence' | 'intent' | 'off' | undefined
}

/** See docs/guides/external-connectors.md. */
export type ExternalConnector = {
  /** Identifies stored sessions: keep it between releases. 1 to 64 characters. */
  readonly id: string
  readonly name: string
  /** A `data:` image. */
  readonly icon?: string | undefined
  readonly namespace: 'eip155'
  /** Runs within the click, so that it may open a popup. Also restores a connection. */
  readonly load: () => Promise<ExternalProvider>
}

/** EIP-1193. */
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

export type PosternEvents = {
  /** Also for a restored connection. */
  connect: { readonly namespace: Namespace; readonly connection: Extract<Connection, { status: 'connected' }> }
  disconnect: { readonly namespace: Namespace }
  /** Other accounts, or another order. */
  account: { readonly namespace: Namespace; readonly accounts: readonly Account[] }
  network: { readonly networkId: CaipNetworkId }
  /** The sign-in plugin stored a session. */
  signIn: { readonly networkId: CaipNetworkId; readonly address: string }
  open: null
  close: null
  /** A call failed, which the user or dapp did not choose. The call rejects too. */
  error: Error & ErrorDetails & { readonly docs: string }
}

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

/** `icon`: a `data:` URI, or an image of the gateway. */
export type ListedWallet = {
  readonly id: string
  readonly name: string
  readonly icon?: string | undefined
  /** The wallet is in this page. Others use WalletConnect. */
  readonly installed: boolean
}

/** Members are absent if unknown. */
export type Profile = {
  /** ENS, or a name of the gateway; max 64 characters. */
  readonly name?: string | undefined
  /** `data:` image: your option `avatar`, else the name's picture. */
  readonly avatar?: string | undefined
}

/** `fix`: what to do if `ok` is false. */
export type Diagnosis = {
  readonly check: string
  readonly ok: boolean
  readonly detail: string
  readonly fix?: string | undefined
}

/** Methods reject with a `PosternError` (docs/reference/errors.md). */
export type Postern = {
  /** Requests go straight to a page wallet, otherwise through the host. */
  readonly eip155: Eip1193Provider
  readonly solana: SolanaProvider
  readonly bip122: BitcoinProvider
  /** Default: Account if connected, else Connect. Resolves once visible. */
  open(options?: OpenOptions): Promise<void>
  /** Resolves once sent. `USER_REJECTED` if the user leaves. */
  pay(request: PaymentRequest): Promise<PaymentReceipt>
  /** `CLOSE_REFUSED` while closing is disabled. */
  close(): Promise<void>
  /** Opens Connect. `USER_REJECTED` if the user leaves. */
  connect<N extends Namespace = Namespace>(options?: ConnectOptions<N>): Promise<Connection<N>>
  /** Default: all namespaces. */
  disconnect(namespace?: Namespace): Promise<void>
  /** Alias or CAIP-2 id. Asks a connected wallet. */
  switchNetwork(network: NetworkAlias | CaipNetworkId | (string & Record<never, never>)): Promise<void>
  /**
   * Returns a JWT about the embedded wallet's user, for your server. Valid for ten minutes.
   * `verifyIdentityToken` of `@postern/siwx/server` checks it. `UNAUTHORIZED` without a sign-in.
   * `user: true` adds the way of sign-in and the email address. The user is asked once per session; `USER_REJECTED` if
   * they decline.
   */
  getIdentityToken(options?: { readonly user: true } | { readonly user?: false | undefined }): Promise<string>
  /**
   * Connect's wallets in its order, for your own list and `connect({ wallet: id })`.
   * Call it again after a wallet has come or gone.
   */
  getWallets(): Promise<readonly ListedWallet[]>
  /** On the active network. `UNAUTHORIZED` if `address` is not connected. */
  getProfile(address: string): Promise<Profile>
  setTheme(theme: Theme): void
  /** Absent options stay. */
  setOptions(options: ChangeableOptions): void
  /** Returns the unsubscribe function. */
  on<E extends keyof PosternEvents>(event: E, listener: (data: PosternEvents[E]) => void): () => void
  /** Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void
  getSnapshot(): Snapshot
  getServerSnapshot(): Snapshot
  /** Call on hover or focus. No effect after a failure, or with the option `prewarm: 'off'`. */
  prewarm(): void
  diagnose(): Promise<readonly Diagnosis[]>
  /** Leaves no listener, frame or timer. */
  destroy(): void
}

/** `rpc`: EIP-1193 or JSON-RPC number. `fix`: what to do. */
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
    'postern:ready': CustomEvent<PosternGlobal>
  }
}
