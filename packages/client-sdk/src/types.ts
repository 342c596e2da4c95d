/**
 * The public types of `@postern/client`, whole in themselves: a dapp's types need nothing of ours but this file.
 * `types.test.ts` holds them equal to the schemas of the page link.
 */

/** The chain namespaces of CAIP-2 that Postern speaks. */
export type Namespace = 'eip155' | 'solana' | 'bip122'

/** CAIP-2: `namespace:reference`, for instance `eip155:8453`. */
export type CaipNetworkId = `${Namespace}:${string}`

export type Account = {
  namespace: Namespace
  /** As the namespace writes it: EIP-55 checksummed on EVM. */
  address: string
  /** `ordinals` is a Bitcoin wallet's second address: nothing there is to be spent as money. */
  type: 'eoa' | 'payment' | 'smartAccount' | 'ordinals'
  publicKey?: string | undefined
  path?: string | undefined
}

export type NativeCurrency = { name: string; symbol: string; decimals: number }

/** A network that a dapp defines itself. Endpoints given here win over the defaults. */
export type NetworkDefinition = {
  id: CaipNetworkId
  name: string
  nativeCurrency: NativeCurrency
  rpcUrls?: string[] | undefined
  blockExplorers?: { name: string; url: string }[] | undefined
  testnet?: boolean | undefined
  imageUrl?: string | undefined
}

/** A configured network, after aliases and defaults are resolved. */
export type Network = {
  /** The reference in its namespace: a number on EVM. */
  id: number | string
  name: string
  chainNamespace: Namespace
  caipNetworkId: CaipNetworkId
  nativeCurrency: NativeCurrency
  rpcUrls: string[]
  blockExplorers: { name: string; url: string }[]
  testnet: boolean
  deprecatedCaipNetworkId?: CaipNetworkId | undefined
  assets?: { imageId?: string | undefined; imageUrl?: string | undefined } | undefined
}

/** What holds a connection. */
export type ConnectorSummary = {
  id: string
  name: string
  type: 'EXTERNAL' | 'WALLET_CONNECT' | 'INJECTED' | 'ANNOUNCED' | 'AUTH' | 'MULTI_CHAIN' | 'ID_AUTH'
  imageUrl?: string | undefined
  /** Set when the wallet lives in the page: requests go straight to it. */
  pageWallet?: string | undefined
}

/** One namespace's connection. `connecting` and `reconnecting` may already know who was connected. */
export type Connection =
  | { status: 'disconnected' }
  | {
      status: 'connecting' | 'reconnecting'
      connector?: ConnectorSummary | undefined
      accounts?: Account[] | undefined
      networkId?: CaipNetworkId | undefined
    }
  | {
      status: 'connected'
      connector: ConnectorSummary
      /** The first one is the active account. Never empty. */
      accounts: Account[]
      networkId: CaipNetworkId
      /** Set when `networkId` is none of the configured networks. */
      unsupported?: true | undefined
    }

export type Connections = {
  eip155?: Connection | undefined
  solana?: Connection | undefined
  bip122?: Connection | undefined
}

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

export type Metadata = {
  name: string
  description?: string | undefined
  url?: string | undefined
  icons?: string[] | undefined
}

export type ViewName =
  | 'Connect'
  | 'AllWallets'
  | 'Account'
  | 'Networks'
  | 'WhatIsAWallet'
  | 'ConnectingWalletConnectBasic'

/** What the visitor may find in the modal. What you leave out is as the documentation says; the project's own settings win. */
export type SomeFeatures = {
  swaps?: boolean | undefined
  onramp?: boolean | undefined
  receive?: boolean | undefined
  send?: boolean | undefined
  email?: boolean | undefined
  history?: boolean | undefined
  analytics?: boolean | undefined
  legalCheckbox?: boolean | undefined
  smartSessions?: boolean | undefined
  pay?: boolean | undefined
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

export type PosternOptions = {
  /** From your gateway: `npm run gateway -- project add`. */
  projectId: string
  /** Aliases (`'base'`), CAIP-2 ids (`'eip155:8453'`) or whole definitions; the first is the default network. */
  networks: readonly (string | NetworkDefinition)[]
  /** Origin of the modal host, for instance `https://modal.example.com`. */
  host?: string | undefined
  metadata?: Metadata | undefined
  theme?: Theme | undefined
  /** BCP 47 tag; the page's own language when absent. */
  locale?: string | undefined
  features?: SomeFeatures | undefined
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
  /** Wallets that bring their own SDK (docs/external-connectors.md). */
  connectors?: readonly ExternalConnector[] | undefined
  /** `false` keeps Postern from being announced by EIP-6963 and Wallet Standard. */
  announce?: boolean | undefined
}

/**
 * A wallet with an SDK of its own, offered in the modal like any other (docs/external-connectors.md). `load` is called when somebody first
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

export type ConnectOptions = { namespace?: Namespace | undefined; signal?: AbortSignal | undefined }

/** One line of `diagnose()`. `fix` says what to do when `ok` is false. */
export type Diagnosis = {
  readonly check: string
  readonly ok: boolean
  readonly detail: string
  readonly fix?: string | undefined
}

export type RequestArguments = { readonly method: string; readonly params?: readonly unknown[] | object | undefined }

/** Events of EIP-1193 and what they carry. */
export type ProviderEvents = {
  connect: { chainId: string }
  disconnect: Error & { code: number; data?: unknown }
  chainChanged: string
  accountsChanged: string[]
  message: { type: string; data: unknown }
}

/** EIP-1193. Errors carry EIP-1193 and JSON-RPC numbers in `code`. */
export type Eip1193Provider = {
  request(args: RequestArguments): Promise<unknown>
  on<E extends keyof ProviderEvents>(event: E, listener: (data: ProviderEvents[E]) => void): Eip1193Provider
  removeListener<E extends keyof ProviderEvents>(event: E, listener: (data: ProviderEvents[E]) => void): Eip1193Provider
}

/** The wire form of a transaction, or an object of web3.js that has one: `Transaction` and `VersionedTransaction`. */
export type SolanaTransaction =
  | Uint8Array
  | { serialize(options?: { requireAllSignatures?: boolean; verifySignatures?: boolean }): Uint8Array }

export type SolanaSendOptions = {
  skipPreflight?: boolean
  preflightCommitment?: 'processed' | 'confirmed' | 'finalized'
  maxRetries?: number
  minContextSlot?: number
}

/** Events of `.solana` and what they carry: addresses, and networks as CAIP-2 ids. */
export type SolanaEvents = {
  connect: { publicKey: string }
  disconnect: Error & { code: number }
  accountsChanged: string[]
  networkChanged: CaipNetworkId
}

/** Solana as dapps call it (docs/providers.md). Errors carry the numbers of EIP-1193 and JSON-RPC in `code`. */
export type SolanaProvider = {
  /** Address of the active account, in base58. */
  readonly publicKey: string | null
  readonly accounts: readonly string[]
  /** `solana_signMessage` and the like, and the reads of Solana's JSON-RPC. */
  request(args: RequestArguments): Promise<unknown>
  /** `onlyIfTrusted` asks nobody: it rejects with 4100 when nobody is connected. */
  connect(options?: { onlyIfTrusted?: boolean | undefined }): Promise<{ publicKey: string }>
  disconnect(): Promise<void>
  signMessage(message: Uint8Array): Promise<{ signature: Uint8Array; publicKey: string }>
  /** The same kind of object as was given, signed. */
  signTransaction<T extends SolanaTransaction>(transaction: T): Promise<T>
  signAllTransactions<T extends SolanaTransaction>(transactions: readonly T[]): Promise<T[]>
  /** The signature, in base58. */
  signAndSendTransaction(transaction: SolanaTransaction, options?: SolanaSendOptions): Promise<{ signature: string }>
  on<E extends keyof SolanaEvents>(event: E, listener: (data: SolanaEvents[E]) => void): void
  off<E extends keyof SolanaEvents>(event: E, listener: (data: SolanaEvents[E]) => void): void
}

export type BitcoinAccount = {
  address: string
  /** Hexadecimal. */
  publicKey?: string | undefined
  path?: string | undefined
  purpose: 'payment' | 'ordinals'
}

export type BitcoinEvents = {
  connect: { accounts: BitcoinAccount[] }
  disconnect: Error & { code: number }
  accountsChanged: BitcoinAccount[]
  networkChanged: CaipNetworkId
}

/** Bitcoin as dapps call it (docs/providers.md). Amounts are satoshis as decimal digits, PSBTs base64. */
export type BitcoinProvider = {
  readonly accounts: readonly BitcoinAccount[]
  /** `bip122_signPsbt` and the like, and reads such as `bip122_getBalance`. */
  request(args: RequestArguments): Promise<unknown>
  connect(): Promise<BitcoinAccount[]>
  disconnect(): Promise<void>
  /** Empty when nobody is connected. */
  getAccountAddresses(): Promise<BitcoinAccount[]>
  /** By the first payment address unless another is named. `signature` is base64. */
  signMessage(message: {
    message: string
    address?: string
    protocol?: 'ecdsa' | 'bip322'
  }): Promise<{ address: string; signature: string }>
  signPsbt(request: {
    psbt: string
    signInputs: readonly { index: number; address: string; sighashTypes?: readonly number[] }[]
    broadcast?: boolean
  }): Promise<{ psbt: string; txid?: string | undefined }>
  sendTransfer(transfer: {
    recipientAddress: string
    amount: string
    account?: string
    changeAddress?: string
    /** Satoshis per virtual byte. */
    feeRate?: number
  }): Promise<{ txid: string }>
  on<E extends keyof BitcoinEvents>(event: E, listener: (data: BitcoinEvents[E]) => void): void
  off<E extends keyof BitcoinEvents>(event: E, listener: (data: BitcoinEvents[E]) => void): void
}

export type Postern = {
  /** EIP-1193: straight to a wallet in the page, by the host otherwise. */
  readonly eip155: Eip1193Provider
  readonly solana: SolanaProvider
  readonly bip122: BitcoinProvider
  /** Opens the modal: Account when connected, Connect otherwise, or the view named. Settles once it shows. */
  open(options?: { view?: ViewName | undefined }): Promise<void>
  /** Rejects with `CLOSE_REFUSED` while closing is disabled. */
  close(): Promise<void>
  /** Opens Connect; settles with the connection, or rejects with `USER_REJECTED` when the visitor leaves. */
  connect(options?: ConnectOptions): Promise<Connection>
  /** All namespaces when none is named. */
  disconnect(namespace?: Namespace): Promise<void>
  /** An alias or a CAIP-2 id. Asks the wallet when one is connected. */
  switchNetwork(network: string): Promise<void>
  setTheme(theme: Theme): void
  /** Returns what ends the subscription. */
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
