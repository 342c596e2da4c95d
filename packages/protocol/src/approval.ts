/**
 * What the embedded wallet's frame shows for approval, prepared to the last byte: the user signs exactly what they
 * read.
 *
 * 1. `subject` has everything that determines what is signed: fees, nonces, the whole PSBT. Nothing is filled in after
 *    approval.
 * 2. `digest` is the SHA-256 of the canonical JSON of `subject` (`approvalDigest`). An approval names it, and the frame
 *    signs only that.
 * 3. The origin is the dapp's as the browser reports it, never what a page claims.
 */
import * as z from 'zod/mini'
import { CaipNetworkId } from './caip'
import { ReplacementKind, SentHash, SharedUser } from './wallet-frame/entities'
import { SendOptions } from './wallet-requests'

/** Max length: what a frame accepts in one message. */
const Hex = z.string().check(z.regex(/^0x[0-9a-fA-F]*$/), z.maxLength(1_048_576))
/** Decimal digits: amounts are bigints. */
const Uint = z.string().check(z.regex(/^\d{1,78}$/))
const Base64 = z.string().check(z.regex(/^[A-Za-z0-9+/]*={0,2}$/), z.maxLength(1_048_576))
const Address = z.string().check(z.minLength(1), z.maxLength(128))

export const EvmCall = z.object({ to: z.optional(Hex), value: Uint, data: Hex })
export type EvmCall = z.infer<typeof EvmCall>

/** Fees in wei. Legacy chains have `gasPrice` only. `rollup`: max charge beyond gas × price, which is not signed. */
const Fees = z.object({
  gas: Uint,
  rollup: z.optional(Uint),
  maxFeePerGas: z.optional(Uint),
  maxPriorityFeePerGas: z.optional(Uint),
  gasPrice: z.optional(Uint),
})

/**
 * A transaction of this wallet whose nonce another one takes. `hash` and `call`: as first sent. `newest`: the hash of the
 * last one with this nonce, and `fees` the fees to raise. `isFollowed`: the caller of the first received its hash.
 */
const ReplacedTransaction = z.object({
  kind: ReplacementKind,
  hash: Hex,
  newest: Hex,
  isFollowed: z.boolean(),
  call: EvmCall,
  fees: Fees,
})

/**
 * A user operation of this wallet whose nonce another one takes; as {@link ReplacedTransaction}. `paymaster`: pays the fee of
 * the last one with this nonce.
 */
const ReplacedOperation = z.object({
  kind: ReplacementKind,
  hash: Hex,
  newest: Hex,
  isFollowed: z.boolean(),
  calls: z.array(EvmCall).check(z.minLength(1), z.maxLength(128)),
  fees: Fees,
  paymaster: z.optional(Address),
})

/**
 * A transaction of this wallet whose coins another one spends. `hash` and `psbt` (without signatures): as first sent.
 * `newest`: the id of the last one with these coins.
 */
const ReplacedPsbt = z.object({
  kind: ReplacementKind,
  hash: SentHash,
  newest: SentHash,
  psbt: Base64,
})

export const ApprovalSubject = z.discriminatedUnion('kind', [
  /** personal_sign: EIP-191 over the bytes of `message`. */
  z.object({
    kind: z.literal('eip155.message'),
    address: Address,
    account: z.enum(['eoa', 'smartAccount']),
    message: Hex,
  }),
  /** eth_signTypedData_v4: JSON text, exactly as hashed. */
  z.object({
    kind: z.literal('eip155.typedData'),
    address: Address,
    account: z.enum(['eoa', 'smartAccount']),
    json: z.string().check(z.maxLength(1_048_576)),
  }),
  /**
   * eth_sendTransaction of an EOA. `unsigned` is serialized; its hash is signed, and the other members repeat its
   * content.
   */
  z.object({
    kind: z.literal('eip155.transaction'),
    from: Address,
    nonce: Uint,
    call: EvmCall,
    fees: Fees,
    unsigned: Hex,
    replaces: z.optional(ReplacedTransaction),
  }),
  /** One user operation of a smart account: eth_sendTransaction, wallet_sendCalls, eth_sendUserOperation. */
  z.object({
    kind: z.literal('eip155.userOperation'),
    from: Address,
    calls: z.array(EvmCall).check(z.minLength(1), z.maxLength(128)),
    fees: Fees,
    /** The operator's paymaster pays. */
    sponsored: z.boolean(),
    /** The paymaster that the page named, or whose terms it named: it may take tokens for the fee. */
    pagePaymaster: z.optional(Address),
    deploys: z.boolean(),
    operation: z.record(z.string(), z.unknown()),
    hash: Hex,
    replaces: z.optional(ReplacedOperation),
  }),
  /** Non-atomic wallet_sendCalls of an EOA: one transaction per call. */
  z.object({
    kind: z.literal('eip155.transactions'),
    from: Address,
    transactions: z
      .array(z.object({ nonce: Uint, call: EvmCall, fees: Fees, unsigned: Hex }))
      .check(z.minLength(1), z.maxLength(32)),
  }),
  /** wallet_grantPermissions and wallet_revokePermissions (ERC-7715). */
  z.object({
    kind: z.literal('eip155.permissions'),
    action: z.enum(['grant', 'revoke']),
    from: Address,
    signer: z.optional(Address),
    /** In epoch seconds. */
    expiry: z.optional(z.number()),
    permissions: z.array(
      z.object({ type: z.string().check(z.maxLength(64)), data: z.record(z.string(), z.unknown()) }),
    ),
    /** Stores it on chain, as in `eip155.userOperation`. */
    calls: z.array(EvmCall),
    fees: Fees,
    operation: z.record(z.string(), z.unknown()),
    hash: Hex,
  }),
  /** ed25519 over the bytes of `message` (base64). */
  z.object({ kind: z.literal('solana.message'), address: Address, message: Base64 }),
  /** Wire format, base64. `sends`: the wallet also sends them. */
  z.object({
    kind: z.literal('solana.transactions'),
    address: Address,
    transactions: z.array(Base64).check(z.minLength(1), z.maxLength(32)),
    sends: z.boolean(),
    sendOptions: z.optional(SendOptions),
  }),
  /** bip122_signMessage: BIP-322 simple (or legacy ECDSA) over the text. */
  z.object({
    kind: z.literal('bip122.message'),
    address: Address,
    message: z.string().check(z.maxLength(65_536)),
    protocol: z.enum(['ecdsa', 'bip322']),
  }),
  /** bip122_signPsbt and bip122_sendTransfer: the PSBT in base64. */
  z.object({
    kind: z.literal('bip122.psbt'),
    address: Address,
    psbt: Base64,
    /** Inputs to sign. */
    inputs: z.array(z.object({ index: z.int().check(z.gte(0)), sighash: z.optional(z.int()) })),
    sends: z.boolean(),
    replaces: z.optional(ReplacedPsbt),
  }),
  /** SHARE_USER: signs nothing. What the dapp's token will say of the user. */
  z.object({ kind: z.literal('user'), ...SharedUser.shape }),
  /** Signs nothing: no network answered that the request needs. `sends`: its method does. */
  z.object({ kind: z.literal('unprepared'), sends: z.boolean() }),
])
export type ApprovalSubject = z.infer<typeof ApprovalSubject>
export type ApprovalKind = ApprovalSubject['kind']

export const ApprovalRequest = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(64)),
  /** JSON-RPC method, or `getIdentityToken`. */
  method: z.string().check(z.maxLength(128)),
  networkId: CaipNetworkId,
  /** The dapp's, serialized. */
  origin: z.string().check(z.maxLength(512)),
  digest: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  /**
   * Must not be signed. DOMAIN_MISMATCH: a sign-in message for another domain, which the user can only reject.
   * NETWORK_UNREACHABLE: `unprepared`, until the user tries again.
   */
  blocked: z.optional(z.enum(['DOMAIN_MISMATCH', 'NETWORK_UNREACHABLE'])),
  subject: ApprovalSubject,
})
export type ApprovalRequest = z.infer<typeof ApprovalRequest>

/** Sorted members: equal subjects have equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

export const approvalDigest: (subject: ApprovalSubject) => Promise<string> = digestOf

/** SHA-256 of the canonical JSON: 64 hexadecimal digits. */
export async function digestOf(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalJson(value))
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
