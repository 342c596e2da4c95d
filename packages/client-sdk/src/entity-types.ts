/** Supported CAIP-2 namespaces. */
export type Namespace = 'eip155' | 'solana' | 'bip122'

/** CAIP-2 `namespace:reference`: `eip155:8453`. */
export type CaipNetworkId = `${Namespace}:${string}`

export type Account = {
  namespace: Namespace
  /** EIP-55 checksummed on EVM. */
  address: string
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
  rpcUrls?: string[] | undefined
  blockExplorers?: { name: string; url: string }[] | undefined
  testnet?: boolean | undefined
  imageUrl?: string | undefined
}

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
      /** The first is active. Never empty. */
      accounts: Account[]
      networkId: CaipNetworkId
      /** `networkId` is not configured. */
      unsupported?: true | undefined
    }

/** Absent: never connected. */
export type Connections = {
  eip155?: Connection | undefined
  solana?: Connection | undefined
  bip122?: Connection | undefined
}
