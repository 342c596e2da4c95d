import type { NetworkAlias } from './network-alias'

export type { NetworkAlias } from './network-alias'

/** CAIP-2. */
export type Namespace = 'eip155' | 'solana' | 'bip122'

/** CAIP-2: `eip155:8453`. */
export type CaipNetworkId = `${Namespace}:${string}`

/** `0x` and hex digits. */
export type Hex = `0x${string}`

/** EVM addresses have their EIP-55 checksum. */
export type Account<N extends Namespace = Namespace> = {
  namespace: Namespace
  address: N extends 'eip155' ? Hex : string
  /** `ordinals`: a Bitcoin wallet's second address. Do not spend from it. */
  type: 'eoa' | 'payment' | 'smartAccount' | 'ordinals'
  /** Bitcoin, hex, if known. */
  publicKey?: string | undefined
  /** Bitcoin, BIP-32, if known. */
  path?: string | undefined
}

/** `decimals`: 18 for ether, 8 for bitcoin. */
export type NativeCurrency = { name: string; symbol: string; decimals: number }

export type NetworkDefinition = {
  id: CaipNetworkId
  name: string
  nativeCurrency: NativeCurrency
  /**
   * For reads. If one contains your key, also set `publicRpcUrls`.
   * Otherwise a wallet that adds the network receives `rpcUrls`, unless the network is built in.
   */
  rpcUrls?: string[] | undefined
  /** For a wallet that adds the network. */
  publicRpcUrls?: string[] | undefined
  blockExplorers?: { name: string; url: string }[] | undefined
  testnet?: boolean | undefined
  imageUrl?: string | undefined
  /** Use the endpoints only if the gateway does not know the network. */
  fallback?: true | undefined
}

/** Its endpoints are used only if the gateway does not know the network. */
export type ViemChain = {
  readonly id: number
  readonly name: string
  readonly nativeCurrency: { readonly name: string; readonly symbol: string; readonly decimals: number }
  readonly rpcUrls: { readonly default: { readonly http: readonly string[] } }
  readonly blockExplorers?: { readonly [name: string]: { readonly name: string; readonly url: string } } | undefined
  readonly testnet?: boolean | undefined
}

/** Alias (`'base'`), CAIP-2 id (`'eip155:8453'`), viem chain or your own definition. */
export type NetworkInput =
  | NetworkAlias
  | CaipNetworkId
  // Any string, and editors still complete the aliases.
  | (string & Record<never, never>)
  | ViemChain
  | NetworkDefinition

/** Aliases and defaults resolved. */
export type Network = {
  /** A number on EVM. */
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

export type ConnectorSummary = {
  id: string
  name: string
  type: 'EXTERNAL' | 'WALLET_CONNECT' | 'INJECTED' | 'ANNOUNCED' | 'AUTH' | 'MULTI_CHAIN' | 'ID_AUTH'
  imageUrl?: string | undefined
  /** Set if the wallet is in the page: requests go straight to it. */
  pageWallet?: string | undefined
}

/** `connecting` and `reconnecting` may already have the account. */
export type Connection<N extends Namespace = Namespace> =
  | { status: 'disconnected' }
  | {
      status: 'connecting' | 'reconnecting'
      connector?: ConnectorSummary | undefined
      accounts?: Account<N>[] | undefined
      networkId?: CaipNetworkId | undefined
    }
  | {
      status: 'connected'
      connector: ConnectorSummary
      /** Never empty; the first is active. */
      accounts: Account<N>[]
      networkId: CaipNetworkId
      /** Not configured. */
      unsupported?: true | undefined
    }

/** Absent: never connected. */
export type Connections = { [N in Namespace]?: Connection<N> | undefined }

export type SocialProvider = 'google' | 'github' | 'apple' | 'facebook' | 'x' | 'discord'

export type WalletInfo = {
  name: string
  icon?: string | undefined
  /** The user's sign-in. */
  social?: SocialProvider | undefined
}

export type WalletInfos = { [N in Namespace]?: WalletInfo | undefined }
