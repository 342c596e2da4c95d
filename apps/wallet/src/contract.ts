/**
 * The types that the wallet's parts share. The frame serves the modal over a pinned port. The signing worker is the
 * only place where a key is whole. The chains prepare requests to the last byte and execute them after approval. The
 * wallet window, on the same origin, shows or takes secrets.
 *
 * Types only, so that the first load includes no chain library and no worker.
 */
import type {
  AddressProof,
  ApprovalRequest,
  ApprovalSubject,
  CaipNetworkId,
  Namespace,
  Recovery,
  RecoveryMethod,
  RecoveryProof,
  ReplacementKind,
  WaitingTransaction,
  WalletAddresses,
  WalletEnd,
  WalletFramePage,
  WalletReplacement,
} from '@postern/protocol'

/* Keys */

/** What a device share is for; authenticated with the share, under the same key. `generation`: of the split's choice. */
export type ShareBinding = {
  readonly version: 2
  readonly userId: string
  readonly addresses: WalletAddresses
  readonly generation: number
}

/**
 * Encrypted with a non-extractable AES-GCM key and its own IV. Structured-cloneable, for IndexedDB and the worker.
 * Version 1 has no `binding`; it is bound to the EVM address alone.
 */
export type SealedShare = {
  readonly key: CryptoKey
  readonly iv: Uint8Array<ArrayBuffer>
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly binding?: ShareBinding | undefined
}

/** Two shares of one split, to rebuild a key here. The addresses are checked after combining. */
export type KeySource = {
  readonly device: SealedShare
  /** base64url; fetched for each use, so that a revoked device cannot sign. */
  readonly authShare: string
  readonly addresses: WalletAddresses
}

export type NewSplit = {
  readonly device: SealedShare
  readonly authShare: string
  /** Plain for `gateway`, otherwise sealed to the method's public key. base64url. */
  readonly recoveryShare: string
  /** EIP-191 signature of the protocol's `shareProofText`. */
  readonly proof: `0x${string}`
  readonly addressProof: AddressProof
}

/** Null: generation 0, only valid for `gateway`. */
export type ProvenRecovery = { readonly recovery: Recovery; readonly recoveryProof: RecoveryProof | null }

/** The generation of a wallet's recovery method when it ended, and the time (epoch ms). */
export type EndedAt = Pick<WalletEnd, 'generation' | 'at'>

/** The recovery key's PKCS #8, unwrapped in the wallet window by passkey or passphrase. */
export type RecoveryKey = CryptoKey

/** The worker hashes the input itself and never signs a bare hash. A user operation is typed data. */
export type SignJob =
  /** EIP-191. → 65 bytes, hex */
  | { readonly kind: 'eip155.message'; readonly message: `0x${string}` }
  /** EIP-712 as JSON text. → 65 bytes, hex */
  | { readonly kind: 'eip155.typedData'; readonly json: string }
  /** Serialised unsigned transaction (EIP-1559, EIP-2930 or legacy). → the signed one, hex */
  | { readonly kind: 'eip155.transaction'; readonly unsigned: `0x${string}` }
  /** Message bytes, base64. → 64 bytes, base58. Rejects a transaction message. */
  | { readonly kind: 'solana.message'; readonly message: string }
  /** Whole transactions, base64. → each with our signature, base64, in order, separated by spaces */
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
 * Exposed to the frame by Comlink. Each call rebuilds the key, uses it, and overwrites the seed and every share.
 * Rejects with an `Error` whose message is a `KeyFailure`.
 */
export type SigningWorker = {
  /** A seed (BIP-39, 128 bits from `crypto`) that nothing is sent of: its addresses, and two shares to `create` it. */
  draft(given: { readonly userId: string }): Promise<KeySource>
  /**
   * The draft's seed, or else a new one, split 2 of 3 for the recovery method. The proof is null for `gateway`, and of
   * generation 1 for every other method.
   */
  create(given: { readonly userId: string; readonly recovery: Recovery; readonly draft?: KeySource }): Promise<{
    readonly addresses: WalletAddresses
    readonly recoveryProof: RecoveryProof | null
    readonly split: NewSplit
  }>
  /**
   * The draft's seed, split for the recovery method (generation 1). `signature`: the key of `source` names it. `ended`:
   * of the wallet before, for its `end`.
   */
  replace(
    source: KeySource,
    given: {
      readonly userId: string
      readonly recovery: Recovery
      readonly draft: KeySource
      readonly ended: EndedAt
    },
  ): Promise<{
    readonly recoveryProof: RecoveryProof
    readonly split: NewSplit
    readonly signature: `0x${string}`
    readonly end: WalletEnd
  }>
  /** Whether the key of `replaces.from` names the wallet `to`, for this user. */
  isReplacement(given: {
    readonly userId: string
    readonly replaces: WalletReplacement
    readonly to: WalletAddresses
  }): Promise<boolean>
  /** The key says that its user deletes the wallet. */
  endDeleted(
    source: KeySource,
    given: { readonly userId: string; readonly ended: EndedAt },
  ): Promise<Extract<WalletEnd, { what: 'deleted' }>>
  /** The key removes another device of its user. */
  signRemoval(source: KeySource, given: { readonly userId: string; readonly deviceId: string }): Promise<`0x${string}`>
  /** Whether the key of the wallet of these addresses signed the end, for this user. */
  isEnd(given: {
    readonly userId: string
    readonly addresses: WalletAddresses
    readonly end: WalletEnd
  }): Promise<boolean>
  split(source: KeySource, given: { readonly userId: string; readonly chosen: ProvenRecovery }): Promise<NewSplit>
  /** Signs the choice of another method, and splits for it. `generation` must exceed every earlier one. */
  setRecovery(
    source: KeySource,
    given: { readonly userId: string; readonly recovery: Recovery; readonly generation: number },
  ): Promise<{ readonly recoveryProof: RecoveryProof; readonly split: NewSplit }>
  /** After the addresses matched: the device share sealed again as version 2, and the proof of the addresses. */
  bind(
    source: KeySource,
    given: { readonly userId: string; readonly generation: number },
  ): Promise<{ readonly device: SealedShare; readonly addressProof: AddressProof }>
  /** Whether the key of the EVM address vouches for all three addresses, this user and this generation. */
  isProven(given: {
    readonly userId: string
    readonly addresses: WalletAddresses
    readonly generation: number
    readonly addressProof: AddressProof
  }): Promise<boolean>
  /**
   * This device's first split, from another device's auth and recovery shares. `recoveryKey` is required unless the
   * method is `gateway`. `known`, an older share of this device, must be for the same addresses.
   */
  recover(given: {
    readonly userId: string
    readonly authShare: string
    readonly recoveryShare: string
    readonly chosen: ProvenRecovery
    readonly recoveryKey?: RecoveryKey
    readonly addresses: WalletAddresses
    readonly known?: SealedShare
  }): Promise<NewSplit>
  sign(source: KeySource, job: SignJob): Promise<string>
  /** For the wallet window only. */
  exportKeys(source: KeySource): Promise<ExportedKeys>
}

/** `eip155`: 32 bytes, hex; `solana`: 64 bytes, base58; `bip122`: WIF of mainnet. */
export type ExportedKeys = { readonly mnemonic: string } & Readonly<Record<Namespace, string>>

export type KeyFailure =
  /** Different splits or another wallet: the addresses do not match. */
  | 'BAD_SHARES'
  /** Wrong key, or tampered with. */
  | 'BAD_DEVICE_SHARE'
  | 'BAD_RECOVERY_KEY'
  /** No proof that the user chose the recovery method. */
  | 'UNPROVEN_RECOVERY'
  /** A disguised transaction, or a text that the key signs for the wallet itself. */
  | 'NOT_A_MESSAGE'
  | 'BAD_JOB'

/* Chains */

export type EmbeddedAccountType = 'eoa' | 'smartAccount'

export type ChainContext = {
  readonly networkId: CaipNetworkId
  readonly addresses: WalletAddresses
  /** EVM only: the active account on this chain. */
  readonly accountType: EmbeddedAccountType
  readonly origin: string
  readonly page: WalletFramePage
  /** Permissions can be granted: by the project's choice, otherwise the dapp's. */
  readonly smartSessions: boolean
  /**
   * JSON-RPC, bundler (`/v1/bundler`), paymaster (`/v1/paymaster`) and Esplora (`/v1/esplora/…`) on the wallet's own
   * origin.
   */
  readonly baseUrl: string
  readonly fetch: typeof fetch
  readonly signal: AbortSignal
  readonly sign: (job: SignJob) => Promise<string>
}

/** `blocked` if it must not be signed. */
export type PreparedRequest = { readonly subject: ApprovalSubject; readonly blocked?: ApprovalRequest['blocked'] }

/** One namespace's chain, loaded on first use (`chains/index.ts`). Rejects with a `Failure`. */
export type WalletChain = {
  /**
   * A safe method, from the wallet (wallet_getCapabilities, wallet_getCallsStatus, wallet_getAssets, eth_accounts …) or
   * its endpoint.
   */
  answer(method: string, params: unknown, context: ChainContext): Promise<unknown>
  /** Fills in fees, nonce, coins or blockhash, and fixes the bytes. */
  prepare(method: string, params: unknown, context: ChainContext): Promise<PreparedRequest>
  /** The typed data that a smart account's owner signs for `subject`; null if it needs none, or is inconsistent. */
  smartAccountJson?(subject: ApprovalSubject, networkId: CaipNetworkId): string | null
  /** What the accounts have sent and no block has, by the chain's own notes. */
  waiting?(context: ChainContext): Promise<readonly WaitingTransaction[]>
  /**
   * Of a waiting transaction, by its hash as first sent. Everything else is the chain's own note. `execute` takes both and
   * returns the replacement's hash.
   */
  prepareReplacement?(
    given: { readonly hash: string; readonly kind: ReplacementKind },
    context: ChainContext,
  ): Promise<{ readonly method: string; readonly subject: ApprovalSubject }>
  /** Signs exactly `subject`, and sends it if the method does. */
  execute(method: string, subject: ApprovalSubject, context: ChainContext): Promise<unknown>
}

export type SmartAccounts = {
  address(
    addresses: WalletAddresses,
    context: Pick<ChainContext, 'page' | 'baseUrl' | 'fetch' | 'signal'>,
  ): Promise<string>
  isDeployed(
    address: string,
    context: Pick<ChainContext, 'networkId' | 'page' | 'baseUrl' | 'fetch' | 'signal'>,
  ): Promise<boolean>
}

/** `signal` aborts on RPC_ABORT and when the link ends. */
export type RequestContext = { readonly id: string; readonly signal: AbortSignal }

/** The wallet of the signed-in user, as this device knows it. */
export type OpenedWallet = {
  readonly userId: string
  readonly addresses: WalletAddresses
  readonly recovery: Recovery
  /** Set if the user must first unlock it in the wallet window. */
  readonly locked: Exclude<RecoveryMethod, 'gateway'> | null
  /** Made on this device since the user signed in. */
  readonly isNew?: true
  readonly ended?: never
}

/** The user has no wallet yet, and chooses the recovery method before it is made. */
export type MissingWallet = {
  readonly userId: string
  readonly addresses: null
  readonly recovery: null
  readonly locked: null
  readonly isNew?: never
  /** The share of a wallet that has ended is in its place. */
  readonly ended?: WalletEnd['what']
}

/**
 * The wallet of a share on this device has ended, as its own key signed (`end`). `ownerId`: whose share it is, of this
 * user or of their deleted account; `from`: its addresses; `to`: those of the wallet that the user has now, if any.
 */
export type EndedWallet = {
  readonly kind: 'ended'
  readonly userId: string
  readonly ownerId: string
  readonly from: WalletAddresses
  readonly to: WalletAddresses | null
  readonly end: WalletEnd
}

/** Its addresses are null as long as nothing proves them: the unlocking rebuilds the seed and compares them. */
export type LockedWallet = Omit<OpenedWallet, 'addresses' | 'locked'> & {
  readonly addresses: WalletAddresses | null
  readonly locked: Exclude<RecoveryMethod, 'gateway'>
}
