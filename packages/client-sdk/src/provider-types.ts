/** EIP-1193, Solana and Bitcoin providers. */
import type { CaipNetworkId } from './entity-types'

/** EIP-1193; Solana and Bitcoin methods have the same shape. */
export type RequestArguments = { readonly method: string; readonly params?: readonly unknown[] | object | undefined }

/** EIP-1193. */
export type ProviderEvents = {
  connect: { chainId: string }
  disconnect: Error & { code: number; data?: unknown }
  chainChanged: string
  accountsChanged: string[]
  message: { type: string; data: unknown }
}

/** Errors have EIP-1193 or JSON-RPC numbers in `code`. */
export type Eip1193Provider = {
  request(args: RequestArguments): Promise<unknown>
  on<E extends keyof ProviderEvents>(event: E, listener: (data: ProviderEvents[E]) => void): Eip1193Provider
  removeListener<E extends keyof ProviderEvents>(event: E, listener: (data: ProviderEvents[E]) => void): Eip1193Provider
}

/** Wire format, or a web3.js object: `Transaction`, `VersionedTransaction`. */
export type SolanaTransaction =
  | Uint8Array
  | { serialize(options?: { requireAllSignatures?: boolean; verifySignatures?: boolean }): Uint8Array }

/** Of `sendTransaction` (JSON-RPC). */
export type SolanaSendOptions = {
  skipPreflight?: boolean
  preflightCommitment?: 'processed' | 'confirmed' | 'finalized'
  maxRetries?: number
  minContextSlot?: number
}

/** Addresses, and networks as CAIP-2 ids. */
export type SolanaEvents = {
  connect: { publicKey: string }
  disconnect: Error & { code: number }
  accountsChanged: string[]
  networkChanged: CaipNetworkId
}

/** See docs/reference/providers.md. Errors have EIP-1193 or JSON-RPC numbers in `code`. */
export type SolanaProvider = {
  /** Base58 address of the active account. */
  readonly publicKey: string | null
  readonly accounts: readonly string[]
  /** `solana_signMessage` and the like, and JSON-RPC reads. */
  request(args: RequestArguments): Promise<unknown>
  /** `onlyIfTrusted` shows no prompt: rejects with 4100 if disconnected. */
  connect(options?: { onlyIfTrusted?: boolean | undefined }): Promise<{ publicKey: string }>
  disconnect(): Promise<void>
  signMessage(message: Uint8Array): Promise<{ signature: Uint8Array; publicKey: string }>
  /** Returns the same kind of object. */
  signTransaction<T extends SolanaTransaction>(transaction: T): Promise<T>
  signAllTransactions<T extends SolanaTransaction>(transactions: readonly T[]): Promise<T[]>
  /** Base58 signature. */
  signAndSendTransaction(transaction: SolanaTransaction, options?: SolanaSendOptions): Promise<{ signature: string }>
  on<E extends keyof SolanaEvents>(event: E, listener: (data: SolanaEvents[E]) => void): void
  off<E extends keyof SolanaEvents>(event: E, listener: (data: SolanaEvents[E]) => void): void
}

/** `ordinals`: do not spend from it. */
export type BitcoinAccount = {
  address: string
  /** Hex. */
  publicKey?: string | undefined
  /** BIP-32, if provided. */
  path?: string | undefined
  purpose: 'payment' | 'ordinals'
}

/** Networks as CAIP-2 ids. */
export type BitcoinEvents = {
  connect: { accounts: BitcoinAccount[] }
  disconnect: Error & { code: number }
  accountsChanged: BitcoinAccount[]
  networkChanged: CaipNetworkId
}

/** See docs/reference/providers.md. Amounts are decimal strings of satoshis, PSBTs base64. */
export type BitcoinProvider = {
  readonly accounts: readonly BitcoinAccount[]
  /** `bip122_signPsbt` and the like, and reads such as `bip122_getBalance`. */
  request(args: RequestArguments): Promise<unknown>
  connect(): Promise<BitcoinAccount[]>
  disconnect(): Promise<void>
  /** Empty if disconnected. */
  getAccountAddresses(): Promise<BitcoinAccount[]>
  /** Default: the first payment address. `signature` is base64. */
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
