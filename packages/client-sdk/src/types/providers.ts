import type { CaipNetworkId, Hex } from './entities'

/** EIP-1193, also for Solana and Bitcoin methods. */
export type RequestArguments = { readonly method: string; readonly params?: readonly unknown[] | object | undefined }

/** EIP-1193. */
export type ProviderEvents = {
  connect: { chainId: string }
  disconnect: Error & { code: number; data?: unknown }
  chainChanged: string
  accountsChanged: Hex[]
  message: { type: string; data: unknown }
}

/** Bivariant, so that viem's listeners fit. */
type Listener<T> = { call(data: T): void }['call']

export type ProviderListeners = { [E in keyof ProviderEvents]: Listener<ProviderEvents[E]> }

/** Quantities are hex. */
export type TransactionRequest = {
  from?: Hex
  to?: Hex | null
  value?: Hex
  data?: Hex
  gas?: Hex
  gasPrice?: Hex
  maxFeePerGas?: Hex
  maxPriorityFeePerGas?: Hex
  nonce?: Hex
  chainId?: Hex
  type?: Hex
}

/** The endpoint's; may have more fields. */
export type TransactionReceipt = {
  transactionHash: Hex
  blockHash: Hex
  blockNumber: Hex
  from: Hex
  to: Hex | null
  contractAddress?: Hex | null
  gasUsed: Hex
  cumulativeGasUsed: Hex
  effectiveGasPrice?: Hex
  /** 0x1 on success. */
  status: Hex
  logs: { address: Hex; data: Hex; topics: Hex[] }[]
}

/** EIP-4361. Times are RFC 3339. */
export type SignInWithEthereum = {
  nonce: string
  chainId: Hex
  version?: string
  scheme?: string
  /** Default: the page's domain. No other is signed. */
  domain?: string
  /** At the page's origin, the default. */
  uri?: string
  statement?: string
  /** Default: now. */
  issuedAt?: string
  expirationTime?: string
  notBefore?: string
  requestId?: string
  resources?: string[]
}

/** ERC-7846. The first account signs in. */
export type WalletConnectResult = {
  accounts: { address: Hex; capabilities: { signInWithEthereum?: { message: string; signature: Hex } } }[]
}

type BlockTag = 'latest' | 'earliest' | 'pending' | 'safe' | 'finalized' | Hex

/** EIP-2255. */
export type WalletPermission = {
  parentCapability: string
  caveats: { type: string; value: unknown }[]
  invoker?: string
}

/** Every other method works too, with result `unknown`. */
export type Eip1193Methods = {
  eth_accounts: { params?: readonly []; result: Hex[] }
  eth_requestAccounts: { params?: readonly []; result: Hex[] }
  eth_chainId: { params?: readonly []; result: Hex }
  net_version: { params?: readonly []; result: string }
  eth_blockNumber: { params?: readonly []; result: Hex }
  eth_gasPrice: { params?: readonly []; result: Hex }
  eth_getBalance: { params: readonly [address: Hex, block?: BlockTag]; result: Hex }
  eth_getCode: { params: readonly [address: Hex, block?: BlockTag]; result: Hex }
  eth_getTransactionCount: { params: readonly [address: Hex, block?: BlockTag]; result: Hex }
  eth_call: { params: readonly [transaction: TransactionRequest, block?: BlockTag]; result: Hex }
  eth_estimateGas: { params: readonly [transaction: TransactionRequest, block?: BlockTag]; result: Hex }
  eth_sendTransaction: { params: readonly [transaction: TransactionRequest]; result: Hex }
  /** `timeout`: ms. */
  eth_sendTransactionSync: {
    params: readonly [transaction: TransactionRequest, timeout?: number | Hex]
    result: TransactionReceipt
  }
  eth_sendRawTransaction: { params: readonly [transaction: Hex]; result: Hex }
  personal_sign: { params: readonly [message: Hex, address: Hex]; result: Hex }
  eth_signTypedData_v4: { params: readonly [address: Hex, typedData: string]; result: Hex }
  wallet_switchEthereumChain: { params: readonly [{ chainId: Hex }]; result: null }
  wallet_addEthereumChain: { params: readonly [object]; result: null }
  wallet_getPermissions: { params?: readonly []; result: WalletPermission[] }
  wallet_requestPermissions: { params: readonly [{ eth_accounts: object }]; result: WalletPermission[] }
  wallet_revokePermissions: { params: readonly [object]; result: null }
  wallet_getCapabilities: { params?: readonly [address?: Hex, chainIds?: readonly Hex[]]; result: Record<Hex, object> }
  wallet_connect: {
    params?: readonly [{ version?: string; capabilities?: { signInWithEthereum?: SignInWithEthereum } }]
    result: WalletConnectResult
  }
  wallet_disconnect: { params?: readonly []; result: null }
  wallet_sendCalls: { params: readonly [object]; result: { id: string; capabilities?: object } }
}

/** Fits viem, wagmi and ethers. Errors have EIP-1193 or JSON-RPC numbers in `code`. */
export type Eip1193Provider = {
  request<M extends keyof Eip1193Methods>(
    args: { readonly method: M } & Pick<Eip1193Methods[M], Extract<keyof Eip1193Methods[M], 'params'>>,
  ): Promise<Eip1193Methods[M]['result']>
  request<T = unknown>(args: RequestArguments): Promise<T>
  on<E extends keyof ProviderListeners>(event: E, listener: ProviderListeners[E]): Eip1193Provider
  removeListener<E extends keyof ProviderListeners>(event: E, listener: ProviderListeners[E]): Eip1193Provider
}

/** Wire format, or a web3.js object. */
export type SolanaTransaction =
  | Uint8Array
  | { serialize(options?: { requireAllSignatures?: boolean; verifySignatures?: boolean }): Uint8Array }

export type SolanaSendOptions = {
  skipPreflight?: boolean
  preflightCommitment?: 'processed' | 'confirmed' | 'finalized'
  maxRetries?: number
  minContextSlot?: number
}

/** Accounts are addresses. */
export type SolanaEvents = {
  connect: { publicKey: string }
  disconnect: Error & { code: number }
  accountsChanged: string[]
  networkChanged: CaipNetworkId
}

/** See docs/reference/providers.md. Errors have EIP-1193 or JSON-RPC numbers in `code`. */
export type SolanaProvider = {
  /** Base58, active account. */
  readonly publicKey: string | null
  readonly accounts: readonly string[]
  /** `solana_signMessage` and others, and JSON-RPC reads. */
  request(args: RequestArguments): Promise<unknown>
  /** `onlyIfTrusted` shows no prompt: 4100 if disconnected. */
  connect(options?: { onlyIfTrusted?: boolean | undefined }): Promise<{ publicKey: string }>
  disconnect(): Promise<void>
  /** `signedMessage`: set if the wallet changed the message; only it is signed. */
  signMessage(message: Uint8Array): Promise<{ signature: Uint8Array; publicKey: string; signedMessage?: Uint8Array }>
  /** Returns the same kind of object. */
  signTransaction<T extends SolanaTransaction>(transaction: T): Promise<T>
  signAllTransactions<T extends SolanaTransaction>(transactions: readonly T[]): Promise<T[]>
  /** Base58. */
  signAndSendTransaction(transaction: SolanaTransaction, options?: SolanaSendOptions): Promise<{ signature: string }>
  on<E extends keyof SolanaEvents>(event: E, listener: (data: SolanaEvents[E]) => void): void
  off<E extends keyof SolanaEvents>(event: E, listener: (data: SolanaEvents[E]) => void): void
}

/** Do not spend from `ordinals`. */
export type BitcoinAccount = {
  address: string
  /** Hex. */
  publicKey?: string | undefined
  /** BIP-32, if known. */
  path?: string | undefined
  purpose: 'payment' | 'ordinals'
}

export type BitcoinEvents = {
  connect: { accounts: BitcoinAccount[] }
  disconnect: Error & { code: number }
  accountsChanged: BitcoinAccount[]
  networkChanged: CaipNetworkId
}

/** See docs/reference/providers.md. Amounts: satoshis in decimal. PSBTs: base64. */
export type BitcoinProvider = {
  readonly accounts: readonly BitcoinAccount[]
  /** `bip122_signPsbt` and others, and reads such as `bip122_getBalance`. */
  request(args: RequestArguments): Promise<unknown>
  connect(): Promise<BitcoinAccount[]>
  disconnect(): Promise<void>
  /** Empty if disconnected. */
  getAccountAddresses(): Promise<BitcoinAccount[]>
  /** Default: the first payment address. `signature`: base64. */
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
