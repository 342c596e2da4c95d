import type { NetworkAlias } from './network-alias'

export type { NetworkAlias } from './network-alias'

/** Supported CAIP-2 namespaces. */
export type Namespace = 'eip155' | 'solana' | 'bip122'

/** CAIP-2 `namespace:reference`: `eip155:8453`. */
export type CaipNetworkId = `${Namespace}:${string}`

/** `0x` and hex digits. */
export type Hex = `0x${string}`

/** An EVM address is `0x…`, EIP-55 checksummed. */
export type Account<N extends Namespace = Namespace> = {
  namespace: Namespace
  address: N extends 'eip155' ? Hex : string
  /** `ordinals` is a Bitcoin wallet's second address: do not spend from it. */
  type: 'eoa' | 'payment' | 'smartAccount' | 'ordinals'
  /** Bitcoin only, hex, if provided. */
  publicKey?: string | undefined
  /** Bitcoin only, BIP-32, if provided. */
  path?: string | undefined
}

/** `decimals`: 18 for ether, 8 for bitcoin. */
export type NativeCurrency = { name: string; symbol: string; decimals: number }

/** The dapp's definition: its endpoints override the defaults. */
export type NetworkDefinition = {
  id: CaipNetworkId
  name: string
  nativeCurrency: NativeCurrency
  /**
   * For reads. An endpoint with your key belongs here, and `publicRpcUrls` beside it: without these, a wallet that adds
   * a network which is not built in gets `rpcUrls`, and stores them.
   */
  rpcUrls?: string[] | undefined
  /** What a wallet gets when it adds the network. Built-in networks have public endpoints of their own. */
  publicRpcUrls?: string[] | undefined
  blockExplorers?: { name: string; url: string }[] | undefined
  testnet?: boolean | undefined
  imageUrl?: string | undefined
  /** The endpoints are only for a network that the gateway does not know. */
  fallback?: true | undefined
}

/** A chain of viem or wagmi. Its endpoints are used only for a network that the gateway does not know. */
export type ViemChain = {
  readonly id: number
  readonly name: string
  readonly nativeCurrency: { readonly name: string; readonly symbol: string; readonly decimals: number }
  readonly rpcUrls: { readonly default: { readonly http: readonly string[] } }
  readonly blockExplorers?: { readonly [name: string]: { readonly name: string; readonly url: string } } | undefined
  readonly testnet?: boolean | undefined
}

/** An alias (`'base'`), a CAIP-2 id (`'eip155:8453'`), a viem chain or your own definition. */
export type NetworkInput =
  | NetworkAlias
  | CaipNetworkId
  // Completes the aliases, and takes any string.
  | (string & Record<never, never>)
  | ViemChain
  | NetworkDefinition

/** With aliases and defaults resolved. */
export type Network = {
  /** CAIP-2 reference: a number on EVM. */
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
  /** Set for page wallets: requests go straight to them. */
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
      /** The first is active. Never empty. */
      accounts: Account<N>[]
      networkId: CaipNetworkId
      /** `networkId` is not configured. */
      unsupported?: true | undefined
    }

/** Absent: never connected. */
export type Connections = { [N in Namespace]?: Connection<N> | undefined }

/** What Postern tells of a connected wallet: nothing that names its user. */
export type WalletInfo = {
  name: string
  icon?: string | undefined
  /** The social account that the user signed in with. */
  social?: 'google' | 'github' | 'apple' | 'facebook' | 'x' | 'discord' | undefined
}

export type WalletInfos = { [N in Namespace]?: WalletInfo | undefined }
