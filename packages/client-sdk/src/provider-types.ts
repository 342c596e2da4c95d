/** What a dapp calls its wallets by: EIP-1193, and the providers of Solana and Bitcoin. */
import type { CaipNetworkId } from './entity-types'

/** A request of EIP-1193; Solana's and Bitcoin's methods take the same shape. */
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

/** What Solana's `sendTransaction` (JSON-RPC) takes besides the transaction. */
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

/** Solana as dapps call it (docs/reference/providers.md). Errors carry the numbers of EIP-1193 and JSON-RPC in `code`. */
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

/** An address of a Bitcoin wallet. `ordinals`: nothing there is to be spent as money. */
export type BitcoinAccount = {
  address: string
  /** Hexadecimal. */
  publicKey?: string | undefined
  /** BIP-32, where the wallet tells it. */
  path?: string | undefined
  purpose: 'payment' | 'ordinals'
}

/** Events of `.bip122` and what they carry; networks as CAIP-2 ids. */
export type BitcoinEvents = {
  connect: { accounts: BitcoinAccount[] }
  disconnect: Error & { code: number }
  accountsChanged: BitcoinAccount[]
  networkChanged: CaipNetworkId
}

/** Bitcoin as dapps call it (docs/reference/providers.md). Amounts are satoshis as decimal digits, PSBTs base64. */
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
