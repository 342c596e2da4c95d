import * as z from 'zod/mini'
import { ReplacementKind } from '../wallet-frame/entities'
import { Address } from './fields'

const Hex = z.string().check(z.regex(/^0x[0-9a-fA-F]*$/), z.maxLength(1_048_576))
/** A bigint in decimal. */
const Uint = z.string().check(z.regex(/^\d{1,78}$/))

export const EvmCall = z.object({ to: z.optional(Hex), value: Uint, data: Hex })
export type EvmCall = z.infer<typeof EvmCall>

/** Wei. Legacy chains have only `gasPrice`. `rollup`: max charge beyond gas × price; not signed. */
const Fees = z.object({
  gas: Uint,
  rollup: z.optional(Uint),
  maxFeePerGas: z.optional(Uint),
  maxPriorityFeePerGas: z.optional(Uint),
  gasPrice: z.optional(Uint),
})

/** `hash`, `call`: first version. `newest`, `fees`: last version. `isFollowed`: the caller received `hash`. */
const ReplacedTransaction = z.object({
  kind: ReplacementKind,
  hash: Hex,
  newest: Hex,
  isFollowed: z.boolean(),
  call: EvmCall,
  fees: Fees,
})

/** {@link ReplacedTransaction} for a user operation. `paymaster`: of the last version. */
const ReplacedOperation = z.object({
  kind: ReplacementKind,
  hash: Hex,
  newest: Hex,
  isFollowed: z.boolean(),
  calls: z.array(EvmCall).check(z.minLength(1), z.maxLength(128)),
  fees: Fees,
  paymaster: z.optional(Address),
})

/** EIP-5792. */
const BatchId = z.optional(z.string().check(z.maxLength(4096)))

export const eip155Subjects = [
  /** personal_sign (EIP-191). */
  z.object({
    kind: z.literal('eip155.message'),
    address: Address,
    account: z.enum(['eoa', 'smartAccount']),
    message: Hex,
  }),
  /** eth_signTypedData_v4, exactly as hashed. */
  z.object({
    kind: z.literal('eip155.typedData'),
    address: Address,
    account: z.enum(['eoa', 'smartAccount']),
    json: z.string().check(z.maxLength(1_048_576)),
  }),
  /** The hash of `unsigned` is signed; the other members repeat its content. */
  z.object({
    kind: z.literal('eip155.transaction'),
    from: Address,
    nonce: Uint,
    call: EvmCall,
    fees: Fees,
    unsigned: Hex,
    replaces: z.optional(ReplacedTransaction),
  }),
  /** One user operation. */
  z.object({
    kind: z.literal('eip155.userOperation'),
    from: Address,
    calls: z.array(EvmCall).check(z.minLength(1), z.maxLength(128)),
    fees: Fees,
    /** The operator's paymaster pays. */
    sponsored: z.boolean(),
    /** Paymaster that the page named: may take tokens for the fee. */
    pagePaymaster: z.optional(Address),
    deploys: z.boolean(),
    operation: z.record(z.string(), z.unknown()),
    hash: Hex,
    replaces: z.optional(ReplacedOperation),
    batchId: BatchId,
  }),
  /** Non-atomic wallet_sendCalls. */
  z.object({
    kind: z.literal('eip155.transactions'),
    from: Address,
    transactions: z
      .array(z.object({ nonce: Uint, call: EvmCall, fees: Fees, unsigned: Hex }))
      .check(z.minLength(1), z.maxLength(32)),
    batchId: BatchId,
  }),
  /** ERC-7715. */
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
    calls: z.array(EvmCall),
    fees: Fees,
    operation: z.record(z.string(), z.unknown()),
    hash: Hex,
  }),
] as const
