import * as z from 'zod/mini'
import { ReplacementKind } from '../wallet-frame/entities'
import { Address } from './fields'

/** Max length: what a frame accepts in one message. */
const Hex = z.string().check(z.regex(/^0x[0-9a-fA-F]*$/), z.maxLength(1_048_576))
/** Decimal digits, for bigints. */
const Uint = z.string().check(z.regex(/^\d{1,78}$/))

export const EvmCall = z.object({ to: z.optional(Hex), value: Uint, data: Hex })
export type EvmCall = z.infer<typeof EvmCall>

/** Fees in wei. Legacy chains have only `gasPrice`. `rollup`: max charge beyond gas × price; not signed. */
const Fees = z.object({
  gas: Uint,
  rollup: z.optional(Uint),
  maxFeePerGas: z.optional(Uint),
  maxPriorityFeePerGas: z.optional(Uint),
  gasPrice: z.optional(Uint),
})

/**
 * A transaction of this wallet that is being replaced: another one uses the same nonce.
 * `hash` and `call`: of the first version. `newest` and `fees`: of the last version. `isFollowed`: the caller of the
 * first version received its hash.
 */
const ReplacedTransaction = z.object({
  kind: ReplacementKind,
  hash: Hex,
  newest: Hex,
  isFollowed: z.boolean(),
  call: EvmCall,
  fees: Fees,
})

/** A user operation that is being replaced, as {@link ReplacedTransaction}. `paymaster`: pays for the last version. */
const ReplacedOperation = z.object({
  kind: ReplacementKind,
  hash: Hex,
  newest: Hex,
  isFollowed: z.boolean(),
  calls: z.array(EvmCall).check(z.minLength(1), z.maxLength(128)),
  fees: Fees,
  paymaster: z.optional(Address),
})

/** The dapp's `id` in wallet_sendCalls (EIP-5792). */
const BatchId = z.optional(z.string().check(z.maxLength(4096)))

export const eip155Subjects = [
  /** personal_sign: EIP-191 over the bytes of `message`. */
  z.object({
    kind: z.literal('eip155.message'),
    address: Address,
    account: z.enum(['eoa', 'smartAccount']),
    message: Hex,
  }),
  /** eth_signTypedData_v4: the JSON text, exactly as hashed. */
  z.object({
    kind: z.literal('eip155.typedData'),
    address: Address,
    account: z.enum(['eoa', 'smartAccount']),
    json: z.string().check(z.maxLength(1_048_576)),
  }),
  /**
   * eth_sendTransaction of an EOA. `unsigned`: serialized; its hash is signed. The other members repeat its content.
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
    /** The paymaster that the page named, or whose terms it named. It may take tokens for the fee. */
    pagePaymaster: z.optional(Address),
    deploys: z.boolean(),
    operation: z.record(z.string(), z.unknown()),
    hash: Hex,
    replaces: z.optional(ReplacedOperation),
    batchId: BatchId,
  }),
  /** Non-atomic wallet_sendCalls of an EOA: one transaction per call. */
  z.object({
    kind: z.literal('eip155.transactions'),
    from: Address,
    transactions: z
      .array(z.object({ nonce: Uint, call: EvmCall, fees: Fees, unsigned: Hex }))
      .check(z.minLength(1), z.maxLength(32)),
    batchId: BatchId,
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
    /** The user operation that stores the change on chain, as in `eip155.userOperation`. */
    calls: z.array(EvmCall),
    fees: Fees,
    operation: z.record(z.string(), z.unknown()),
    hash: Hex,
  }),
] as const
