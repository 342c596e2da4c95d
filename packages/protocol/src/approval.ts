/**
 * What the embedded wallet's frame puts before the visitor: the request prepared to the last byte, so that what is read is what is signed.
 *
 * 1. Everything that decides what is signed is in `subject`: fees, nonces, the whole PSBT. Nothing is filled in after approval.
 * 2. `digest` is SHA-256 over the canonical JSON of `subject` (`approvalDigest`); an approval names it, and the frame signs only that.
 * 3. The origin is the dapp's as the browser reports it, never what a page says of itself.
 */
import * as z from 'zod/mini'
import { CaipNetworkId } from './caip'
import { SendOptions } from './wallet-requests'

/** Hexadecimal with 0x. Lengths are bounded by what a frame takes in one message. */
const Hex = z.string().check(z.regex(/^0x[0-9a-fA-F]*$/), z.maxLength(1_048_576))
/** Decimal digits: amounts are bigints on either side. */
const Uint = z.string().check(z.regex(/^\d{1,78}$/))
const Base64 = z.string().check(z.regex(/^[A-Za-z0-9+/]*={0,2}$/), z.maxLength(1_048_576))
const Address = z.string().check(z.minLength(1), z.maxLength(128))

export const EvmCall = z.object({ to: z.optional(Hex), value: Uint, data: Hex })
export type EvmCall = z.infer<typeof EvmCall>

/** Fees in wei. Legacy chains have `gasPrice` alone. `rollup`: what a rollup takes at most beside gas × price, which nobody signs. */
const Fees = z.object({
  gas: Uint,
  rollup: z.optional(Uint),
  maxFeePerGas: z.optional(Uint),
  maxPriorityFeePerGas: z.optional(Uint),
  gasPrice: z.optional(Uint),
})

export const ApprovalSubject = z.discriminatedUnion('kind', [
  /** personal_sign: EIP-191 over the bytes of `message`. */
  z.object({
    kind: z.literal('eip155.message'),
    address: Address,
    account: z.enum(['eoa', 'smartAccount']),
    message: Hex,
  }),
  /** eth_signTypedData_v4: the typed data as JSON text, exactly as it is hashed. */
  z.object({
    kind: z.literal('eip155.typedData'),
    address: Address,
    account: z.enum(['eoa', 'smartAccount']),
    json: z.string().check(z.maxLength(1_048_576)),
  }),
  /** eth_sendTransaction of an EOA. `unsigned` is the serialised transaction whose hash is signed; the other members say the same. */
  z.object({
    kind: z.literal('eip155.transaction'),
    from: Address,
    nonce: Uint,
    call: EvmCall,
    fees: Fees,
    unsigned: Hex,
  }),
  /** Calls of a smart account, as one user operation: eth_sendTransaction, wallet_sendCalls, eth_sendUserOperation. `hash` is the operation's. */
  z.object({
    kind: z.literal('eip155.userOperation'),
    from: Address,
    calls: z.array(EvmCall).check(z.minLength(1), z.maxLength(128)),
    fees: Fees,
    /** Somebody else pays the fee. */
    sponsored: z.boolean(),
    /** The account is deployed by this very operation. */
    deploys: z.boolean(),
    operation: z.record(z.string(), z.unknown()),
    hash: Hex,
  }),
  /** Calls of an EOA one after the other: wallet_sendCalls that need not be atomic. Each is a transaction of its own. */
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
    /** Epoch seconds. */
    expiry: z.optional(z.number()),
    permissions: z.array(
      z.object({ type: z.string().check(z.maxLength(64)), data: z.record(z.string(), z.unknown()) }),
    ),
    /** The operation that puts it on chain, as in `eip155.userOperation`. */
    calls: z.array(EvmCall),
    fees: Fees,
    operation: z.record(z.string(), z.unknown()),
    hash: Hex,
  }),
  /** ed25519 over the bytes of `message` (base64). */
  z.object({ kind: z.literal('solana.message'), address: Address, message: Base64 }),
  /** Whole transactions in wire form, base64; `sends` when the wallet also sends them. */
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
  /** bip122_signPsbt and bip122_sendTransfer: the PSBT as it is signed, base64. */
  z.object({
    kind: z.literal('bip122.psbt'),
    address: Address,
    psbt: Base64,
    /** Indices of the inputs that are signed. */
    inputs: z.array(z.object({ index: z.int().check(z.gte(0)), sighash: z.optional(z.int()) })),
    sends: z.boolean(),
  }),
])
export type ApprovalSubject = z.infer<typeof ApprovalSubject>
export type ApprovalKind = ApprovalSubject['kind']

export const ApprovalRequest = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(64)),
  /** The JSON-RPC method that asked. */
  method: z.string().check(z.maxLength(128)),
  networkId: CaipNetworkId,
  /** Serialised origin of the dapp. */
  origin: z.string().check(z.maxLength(512)),
  digest: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  /** Set where it must not be signed at all: a sign-in message for another domain (DESIGN §4). The visitor sees why, and can only refuse. */
  blocked: z.optional(z.literal('DOMAIN_MISMATCH')),
  subject: ApprovalSubject,
})
export type ApprovalRequest = z.infer<typeof ApprovalRequest>

/** JSON with members in the order of their names: equal subjects have equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

/** SHA-256 of the canonical JSON, 64 hexadecimal digits. */
export async function approvalDigest(subject: ApprovalSubject): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalJson(subject))
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
