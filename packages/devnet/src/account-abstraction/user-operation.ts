/** User operations of EntryPoint 0.7 in JSON-RPC form (ERC-7769). */
import { type Address, encodeFunctionData, getAddress, type Hex, hexToBytes, isAddress, numberToHex, size } from 'viem'
import { entryPoint07Abi, toPackedUserOperation, type UserOperation } from 'viem/account-abstraction'
import * as z from 'zod'

export type Operation = UserOperation<'0.7'>

const quantity = (bits: number) =>
  z
    .string()
    .regex(/^0x[0-9a-fA-F]{1,64}$/)
    .transform((text) => BigInt(text))
    .refine((value) => value < 2n ** BigInt(bits))
export const Bytes = z
  .string()
  .regex(/^0x([0-9a-fA-F]{2})*$/)
  .transform((text): Hex => `0x${text.slice(2).toLowerCase()}`)
export const AddressText = z
  .string()
  .refine((text) => isAddress(text, { strict: false }))
  .transform((text): Address => getAddress(text))

/** Clients also send null or empty for an absent member. */
const optional = <T extends z.ZodType>(schema: T) =>
  z
    .union([schema, z.null(), z.literal('0x').transform(() => null)])
    .optional()
    .transform((value) => value ?? undefined)

const Unestimated = z.object({
  sender: AddressText,
  nonce: quantity(256),
  factory: optional(AddressText),
  factoryData: optional(Bytes),
  callData: Bytes,
  callGasLimit: optional(quantity(128)),
  verificationGasLimit: optional(quantity(128)),
  preVerificationGas: optional(quantity(128)),
  maxFeePerGas: optional(quantity(128)),
  maxPriorityFeePerGas: optional(quantity(128)),
  paymaster: optional(AddressText),
  paymasterVerificationGasLimit: optional(quantity(128)),
  paymasterPostOpGasLimit: optional(quantity(128)),
  paymasterData: optional(Bytes),
  signature: optional(Bytes),
})

/** Missing members are zero, for estimates and a paymaster's stub. */
export const DraftOperation = Unestimated.transform(
  ({
    callGasLimit,
    verificationGasLimit,
    preVerificationGas,
    maxFeePerGas,
    maxPriorityFeePerGas,
    ...rest
  }): Operation => ({
    ...rest,
    callGasLimit: callGasLimit ?? 0n,
    verificationGasLimit: verificationGasLimit ?? 0n,
    preVerificationGas: preVerificationGas ?? 0n,
    maxFeePerGas: maxFeePerGas ?? 0n,
    maxPriorityFeePerGas: maxPriorityFeePerGas ?? 0n,
    signature: rest.signature ?? '0x',
  }),
)

const gas = quantity(128)
/** All limits and a signature are present. */
export const FinalOperation = Unestimated.extend({
  callGasLimit: gas,
  verificationGasLimit: gas,
  preVerificationGas: gas,
  maxFeePerGas: gas,
  maxPriorityFeePerGas: gas,
  signature: Bytes,
}).transform((operation): Operation => operation)

/** Result of `eth_getUserOperationByHash`. */
export function operationToRpc(operation: Operation): Record<string, string> {
  return Object.fromEntries(
    Object.entries(operation).flatMap(([name, value]) => {
      if (typeof value === 'bigint') return [[name, numberToHex(value)]]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
}

export const handleOpsData = (operations: readonly Operation[], beneficiary: Address): Hex =>
  encodeFunctionData({
    abi: entryPoint07Abi,
    functionName: 'handleOps',
    args: [operations.map((operation) => toPackedUserOperation(operation)), beneficiary],
  })

const transactionGas = 21_000n
/** Gas outside the entry point's own metering. */
const operationGas = 18_300n
const max = 2n ** 128n - 1n

/**
 * Gas of the transaction around an operation.
 * Gas fields and signature count at full size, so that filling them in changes nothing.
 */
export function preVerificationGasOf(operation: Operation): bigint {
  const fullSize: Operation = {
    ...operation,
    callGasLimit: max,
    verificationGasLimit: max,
    preVerificationGas: max,
    maxFeePerGas: max,
    maxPriorityFeePerGas: max,
    signature: `0x${'ff'.repeat(size(operation.signature))}`,
    ...(operation.paymaster !== undefined && {
      paymasterVerificationGasLimit: max,
      paymasterPostOpGasLimit: max,
      paymasterData: `0x${'ff'.repeat(size(operation.paymasterData ?? '0x'))}`,
    }),
  }
  const bytes = hexToBytes(handleOpsData([fullSize], operation.sender))
  return bytes.reduce((sum, byte) => sum + (byte === 0 ? 4n : 16n), transactionGas + operationGas)
}
