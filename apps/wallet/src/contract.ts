/** Types that the wallet's parts share. No code, so that the first load includes no chain library and no worker. */
import type {
  AddressProof,
  ApprovalRequest,
  ApprovalSubject,
  CaipNetworkId,
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
import type { WalletNamespace } from '@postern/protocol/namespaces'

/* Keys */

/** Authenticated with the encrypted device share. `generation`: of the split's recovery method. */
export type ShareBinding = {
  readonly version: 2
  readonly userId: string
  readonly addresses: WalletAddresses
  readonly generation: number
}

/** AES-GCM, with its own non-extractable key. Without `binding` (version 1), only the EVM address is authenticated. */
export type SealedShare = {
  readonly key: CryptoKey
  readonly iv: Uint8Array<ArrayBuffer>
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly binding?: ShareBinding | undefined
}

export type KeySource = {
  readonly device: SealedShare
  /** base64url. Fetched for each use, so that a revoked device cannot sign. */
  readonly authShare: string
  readonly addresses: WalletAddresses
}

export type NewSplit = {
  readonly device: SealedShare
  readonly authShare: string
  /** base64url; encrypted to the method's public key, except for `gateway`. */
  readonly recoveryShare: string
  /** EIP-191, of `shareProofText`. */
  readonly proof: `0x${string}`
  readonly addressProof: AddressProof
}

/** Null: generation 0, for `gateway` only. */
export type ProvenRecovery = { readonly recovery: Recovery; readonly recoveryProof: RecoveryProof | null }

/** `at`: epoch ms. */
export type EndedAt = Pick<WalletEnd, 'generation' | 'at'>

/** PKCS #8, unwrapped in the wallet window. */
export type RecoveryKey = CryptoKey

/** The worker hashes the input itself and never signs a bare hash. */
export type SignJob =
  /** EIP-191. → 65 bytes, hex */
  | { readonly kind: 'eip155.message'; readonly message: `0x${string}` }
  /** EIP-712 as JSON text. → 65 bytes, hex */
  | { readonly kind: 'eip155.typedData'; readonly json: string }
  /** Serialised, unsigned: EIP-1559, EIP-2930 or legacy. → signed, hex */
  | { readonly kind: 'eip155.transaction'; readonly unsigned: `0x${string}` }
  /** Base64. → 64 bytes, base58. Rejects a transaction message. */
  | { readonly kind: 'solana.message'; readonly message: string }
  /** Whole transactions, base64. → signed, base64, in order, space-separated */
  | { readonly kind: 'solana.transactions'; readonly transactions: readonly string[] }
  /** → base64: BIP-322 simple witness, or 65 bytes of recoverable ECDSA (BIP-137) */
  | {
      readonly kind: 'bip122.message'
      readonly networkId: CaipNetworkId
      readonly message: string
      readonly protocol: 'ecdsa' | 'bip322'
    }
  /** PSBT, base64. → signed PSBT, base64, not finalised */
  | {
      readonly kind: 'bip122.psbt'
      readonly networkId: CaipNetworkId
      readonly psbt: string
      readonly inputs: readonly { readonly index: number; readonly sighash?: number }[]
    }

/**
 * Rebuilds the key for each call, then overwrites the seed and every share. Rejects with an `Error` whose message is a
 * `KeyFailure`.
 */
export type SigningWorker = {
  /** BIP-39, 128 bits from `crypto`. */
  draft(params: { readonly userId: string }): Promise<KeySource>
  /** Splits the draft's seed or a new one 2 of 3. The proof is null for `gateway`. */
  create(params: { readonly userId: string; readonly recovery: Recovery; readonly draft?: KeySource }): Promise<{
    readonly addresses: WalletAddresses
    readonly recoveryProof: RecoveryProof | null
    readonly split: NewSplit
  }>
  /** Splits the draft's seed. The key of `source` signs the new addresses (`signature`) and its own `end`. */
  replace(
    source: KeySource,
    params: {
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
  isReplacement(params: {
    readonly userId: string
    readonly replaces: WalletReplacement
    readonly to: WalletAddresses
  }): Promise<boolean>
  endDeleted(
    source: KeySource,
    params: { readonly userId: string; readonly ended: EndedAt },
  ): Promise<Extract<WalletEnd, { what: 'deleted' }>>
  signRemoval(source: KeySource, params: { readonly userId: string; readonly deviceId: string }): Promise<`0x${string}`>
  isEnd(params: {
    readonly userId: string
    readonly addresses: WalletAddresses
    readonly end: WalletEnd
  }): Promise<boolean>
  split(source: KeySource, params: { readonly userId: string; readonly chosen: ProvenRecovery }): Promise<NewSplit>
  /** `generation` must exceed every earlier one. */
  setRecovery(
    source: KeySource,
    params: { readonly userId: string; readonly recovery: Recovery; readonly generation: number },
  ): Promise<{ readonly recoveryProof: RecoveryProof; readonly split: NewSplit }>
  /** Checks and proves the addresses, and seals the device share as version 2. */
  bind(
    source: KeySource,
    params: { readonly userId: string; readonly generation: number },
  ): Promise<{ readonly device: SealedShare; readonly addressProof: AddressProof }>
  isProven(params: {
    readonly userId: string
    readonly addresses: WalletAddresses
    readonly generation: number
    readonly addressProof: AddressProof
  }): Promise<boolean>
  /**
   * From another device's shares. `gateway` needs no `recoveryKey`. `known`: this device's older share of the same
   * wallet.
   */
  recover(params: {
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
export type ExportedKeys = { readonly mnemonic: string } & Readonly<Record<WalletNamespace, string>>

export type KeyFailure =
  /** Of different splits or wallets. */
  | 'BAD_SHARES'
  /** The wrong key, or tampering. */
  | 'BAD_DEVICE_SHARE'
  | 'BAD_RECOVERY_KEY'
  /** The user did not sign the recovery method. */
  | 'UNPROVEN_RECOVERY'
  /** A disguised transaction, or a text that only the wallet itself signs. */
  | 'NOT_A_MESSAGE'
  | 'BAD_JOB'

/* Chains */

export type EmbeddedAccountType = 'eoa' | 'smartAccount'

export type ChainContext = {
  readonly networkId: CaipNetworkId
  readonly addresses: WalletAddresses
  /** EVM only. */
  readonly accountType: EmbeddedAccountType
  readonly origin: string
  readonly page: WalletFramePage
  /** The project's setting overrides the dapp's. */
  readonly smartSessions: boolean
  /** The wallet's own origin. Paths: JSON-RPC, `/v1/bundler`, `/v1/paymaster`, `/v1/esplora/…`. */
  readonly baseUrl: string
  readonly fetch: typeof fetch
  readonly signal: AbortSignal
  readonly sign: (job: SignJob) => Promise<string>
}

export type PreparedRequest = { readonly subject: ApprovalSubject; readonly blocked?: ApprovalRequest['blocked'] }

/** Loaded on first use. Rejects with a `Failure`. */
export type WalletChain = {
  answer(method: string, params: unknown, context: ChainContext): Promise<unknown>
  /** Fills in fees, nonce, coins or blockhash, and fixes the bytes. */
  prepare(method: string, params: unknown, context: ChainContext): Promise<PreparedRequest>
  /** The typed data that a smart account's owner signs; null if there is none, or `subject` is inconsistent. */
  smartAccountJson?(subject: ApprovalSubject, networkId: CaipNetworkId): string | null
  waiting?(context: ChainContext): Promise<readonly WaitingTransaction[]>
  /** `hash`: of the first version. `execute` then returns the replacement's hash. */
  prepareReplacement?(
    params: { readonly hash: string; readonly kind: ReplacementKind },
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

export type OpenedWallet = {
  readonly userId: string
  readonly addresses: WalletAddresses
  readonly recovery: Recovery
  readonly locked: Exclude<RecoveryMethod, 'gateway'> | null
  /** Created on this device since the user signed in. */
  readonly isNew?: true
  readonly ended?: never
}

/** The user must first choose a recovery method. */
export type MissingWallet = {
  readonly userId: string
  readonly addresses: null
  readonly recovery: null
  readonly locked: null
  readonly isNew?: never
  /** This device's share is of an ended wallet. */
  readonly ended?: WalletEnd['what']
}

/** As its own key signed. `ownerId`: this user or their deleted account. `to`: the user's present addresses. */
export type EndedWallet = {
  readonly kind: 'ended'
  readonly userId: string
  readonly ownerId: string
  readonly from: WalletAddresses
  readonly to: WalletAddresses | null
  readonly end: WalletEnd
}

/** Unproven addresses are null. The unlock compares them with the rebuilt seed. */
export type LockedWallet = Omit<OpenedWallet, 'addresses' | 'locked'> & {
  readonly addresses: WalletAddresses | null
  readonly locked: Exclude<RecoveryMethod, 'gateway'>
}
