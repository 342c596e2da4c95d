/**
 * What the parts of the embedded wallet say to each other. The frame (`main.ts`, no interface) serves the modal host over a pinned port; `keys/` holds the signing worker, the
 * only place where a key is whole; `chains/` prepares requests to the last byte and carries them out once they are approved. `../wallet-window` is the page on the
 * same origin that shows or takes a secret.
 *
 * What is here is types alone, so that the first load brings neither a chain library nor the worker.
 */
import type {
  ApprovalSubject,
  CaipNetworkId,
  Recovery,
  RecoveryProof,
  WalletAddresses,
  WalletFramePage,
} from '@postern/protocol'

/* ---------------------------------------------------------------- keys */

/** Bytes under a non-extractable AES-GCM key, with an IV of their own. Structured-cloneable: it lives in IndexedDB and crosses to the worker as it is. */
export type SealedShare = {
  readonly key: CryptoKey
  readonly iv: Uint8Array<ArrayBuffer>
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** What a key is rebuilt from on this device: two shares of one split. The addresses are checked after combining. */
export type KeySource = {
  readonly device: SealedShare
  /** base64url, from the gateway; asked for anew for each use, so that a revoked device signs nothing. */
  readonly authShare: string
  readonly addresses: WalletAddresses
}

/** A new split of one seed: what stays here, and what goes to the gateway. */
export type NewSplit = {
  readonly device: SealedShare
  readonly authShare: string
  /** As `recovery` wants it: plain for `gateway`, sealed to its public key otherwise. base64url. */
  readonly recoveryShare: string
  /** EIP-191 signature over the protocol's `shareProofText`. */
  readonly proof: `0x${string}`
}

/** A recovery method with what says that the owner chose it. Null: generation 0, which the method `gateway` alone can be. */
export type ProvenRecovery = { readonly recovery: Recovery; readonly recoveryProof: RecoveryProof | null }

/** Opens a sealed recovery share: the PKCS #8 of the recovery key, unwrapped in the wallet's own window by passkey or passphrase. */
export type RecoveryKey = CryptoKey

/** Bytes to sign, in the form that says what they are: the worker hashes them itself and signs no bare hash. A user operation comes as typed data. */
export type SignJob =
  /** EIP-191. → 65 bytes hex */
  | { readonly kind: 'eip155.message'; readonly message: `0x${string}` }
  /** EIP-712; JSON text. → 65 bytes hex */
  | { readonly kind: 'eip155.typedData'; readonly json: string }
  /** Serialised unsigned transaction (EIP-1559 or legacy). → the signed one, hex */
  | { readonly kind: 'eip155.transaction'; readonly unsigned: `0x${string}` }
  /** Bytes of a message, base64. → 64 bytes base58. Refuses what is a serialised transaction message. */
  | { readonly kind: 'solana.message'; readonly message: string }
  /** Whole transactions, base64. → each with our signature in its place, base64, in their order, one space between them */
  | { readonly kind: 'solana.transactions'; readonly transactions: readonly string[] }
  /** → base64: BIP-322 simple witness, or 65 bytes of recoverable ECDSA (BIP-137) */
  | {
      readonly kind: 'bip122.message'
      readonly networkId: CaipNetworkId
      readonly message: string
      readonly protocol: 'ecdsa' | 'bip322'
    }
  /** PSBT, base64. → the PSBT with our signatures, base64, not finalised */
  | {
      readonly kind: 'bip122.psbt'
      readonly networkId: CaipNetworkId
      readonly psbt: string
      readonly inputs: readonly { readonly index: number; readonly sighash?: number }[]
    }

/**
 * The signing worker as Comlink shows it to the frame. Each call rebuilds the key, uses it, and overwrites the seed and every share.
 * Rejects with an `Error` whose message is one of `KeyFailure`.
 */
export type SigningWorker = {
  /** A new seed (BIP-39, 128 bits of `crypto`), split 2 of 3. `recovery` is the user's method; `gateway` for a new wallet. */
  create(given: { readonly userId: string }): Promise<{ readonly addresses: WalletAddresses; readonly split: NewSplit }>
  /** A new split of the seed that this device holds, for the method that its owner chose. */
  split(source: KeySource, given: { readonly userId: string; readonly chosen: ProvenRecovery }): Promise<NewSplit>
  /** The owner's choice of another method, and a new split for it. `generation` is later than that of every choice before. */
  setRecovery(
    source: KeySource,
    given: { readonly userId: string; readonly recovery: Recovery; readonly generation: number },
  ): Promise<{ readonly recoveryProof: RecoveryProof; readonly split: NewSplit }>
  /** This device's first split, from the auth and recovery shares of another row. `recoveryKey` unless the method is `gateway`. */
  recover(given: {
    readonly userId: string
    readonly authShare: string
    readonly recoveryShare: string
    readonly chosen: ProvenRecovery
    readonly recoveryKey?: RecoveryKey
    readonly addresses: WalletAddresses
  }): Promise<NewSplit>
  sign(source: KeySource, job: SignJob): Promise<string>
  /** For the wallet's own window alone. `solana`: 64 bytes base58; `bip122`: WIF of the main network; `eip155`: 32 bytes hex. */
  exportKeys(
    source: KeySource,
  ): Promise<{ readonly mnemonic: string; readonly eip155: string; readonly solana: string; readonly bip122: string }>
}

export type KeyFailure =
  /** The shares are not of one split, or not of this wallet: the addresses do not agree. */
  | 'BAD_SHARES'
  /** The device share does not open: another key, or tampered with. */
  | 'BAD_DEVICE_SHARE'
  | 'BAD_RECOVERY_KEY'
  /** Of a method that a share was to be made for: nothing says that the wallet's owner chose it. */
  | 'UNPROVEN_RECOVERY'
  /** A message that is a transaction in disguise, or what the key signs for the wallet itself. */
  | 'NOT_A_MESSAGE'
  | 'BAD_JOB'

/* ---------------------------------------------------------------- chains */

export type EmbeddedAccountType = 'eoa' | 'smartAccount'

/** What `chains/` is given for one request. */
export type ChainContext = {
  readonly networkId: CaipNetworkId
  readonly addresses: WalletAddresses
  /** Of EVM requests: which of the two accounts is active on this chain. */
  readonly accountType: EmbeddedAccountType
  /** Origin of the dapp as the browser reports it. */
  readonly origin: string
  readonly page: WalletFramePage
  /** JSON-RPC, bundler (`/v1/bundler`), paymaster (`/v1/paymaster`) and Esplora (`/v1/esplora/…`) on the wallet's own origin. */
  readonly baseUrl: string
  readonly fetch: typeof fetch
  readonly signal: AbortSignal
  /** Signs in the worker, after the frame made sure of the approval. */
  readonly sign: (job: SignJob) => Promise<string>
}

/** A not-safe request, ready to be shown: `blocked` where it may not be signed. */
export type PreparedRequest = { readonly subject: ApprovalSubject; readonly blocked?: 'DOMAIN_MISMATCH' }

/**
 * One namespace's chain, loaded on first use (`chains/index.ts`). Rejects with a `Failure`.
 */
export type WalletChain = {
  /** Safe methods that the wallet answers itself (wallet_getCapabilities, wallet_getCallsStatus, wallet_getAssets, eth_accounts …) or its endpoint. */
  answer(method: string, params: unknown, context: ChainContext): Promise<unknown>
  /** Fills in what is missing (fees, nonce, coins, blockhash) and fixes the bytes. */
  prepare(method: string, params: unknown, context: ChainContext): Promise<PreparedRequest>
  /** Signs exactly `subject`, and sends it where the method does. Answers what the dapp gets. */
  execute(method: string, subject: ApprovalSubject, context: ChainContext): Promise<unknown>
}

/** EVM only: the smart account of the wallet. */
export type SmartAccounts = {
  /** Counterfactual: the same on every chain. */
  address(
    addresses: WalletAddresses,
    context: Pick<ChainContext, 'page' | 'baseUrl' | 'fetch' | 'signal'>,
  ): Promise<string>
  isDeployed(
    address: string,
    context: Pick<ChainContext, 'networkId' | 'page' | 'baseUrl' | 'fetch' | 'signal'>,
  ): Promise<boolean>
}

/** What is known of a request besides its payload. `signal` ends with RPC_ABORT and with the link. */
export type RequestContext = { readonly id: string; readonly signal: AbortSignal }
