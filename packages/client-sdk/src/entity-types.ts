/** Who is connected, and where. */

/** The chain namespaces of CAIP-2 that Postern speaks. */
export type Namespace = 'eip155' | 'solana' | 'bip122'

/** CAIP-2: `namespace:reference`, for instance `eip155:8453`. */
export type CaipNetworkId = `${Namespace}:${string}`

/** An account of a connected wallet. */
export type Account = {
  namespace: Namespace
  /** As the namespace writes it: EIP-55 checksummed on EVM. */
  address: string
  /** `ordinals` is a Bitcoin wallet's second address: nothing there is to be spent as money. */
  type: 'eoa' | 'payment' | 'smartAccount' | 'ordinals'
  /** Of a Bitcoin account, hexadecimal, where its wallet tells it. */
  publicKey?: string | undefined
  /** Of a Bitcoin account, BIP-32, where its wallet tells it. */
  path?: string | undefined
}

/** What fees are paid with. `decimals` of its unit: 18 of an ether, 8 of a bitcoin. */
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

/** By namespace. One that is absent is disconnected: nobody connected there yet. */
export type Connections = {
  eip155?: Connection | undefined
  solana?: Connection | undefined
  bip122?: Connection | undefined
}
