import { concat, type Hex, numberToHex, pad } from 'viem'
import { getUserOperationHash } from 'viem/account-abstraction'
import * as z from 'zod/mini'
import { safeContracts } from '../account/safe'
import { EvmAddress, HexBytes, Quantity } from '../endpoints/quantities'

/**
 * ERC-4337's wire form without the signature, plus `validUntil` (epoch seconds of the chain's clock) of Safe's module.
 */
export const Operation = z.strictObject({
  sender: EvmAddress,
  nonce: Quantity,
  factory: z.optional(EvmAddress),
  factoryData: z.optional(HexBytes),
  callData: HexBytes,
  callGasLimit: Quantity,
  verificationGasLimit: Quantity,
  preVerificationGas: Quantity,
  maxFeePerGas: Quantity,
  maxPriorityFeePerGas: Quantity,
  paymaster: z.optional(EvmAddress),
  paymasterVerificationGasLimit: z.optional(Quantity),
  paymasterPostOpGasLimit: z.optional(Quantity),
  paymasterData: z.optional(HexBytes),
  validUntil: Quantity,
})
export type Operation = z.infer<typeof Operation>

/** An approved operation cannot be held back for longer. */
export const operationLifetimeSeconds = 3_600n

export function toRecord(operation: Partial<Operation>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(operation).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'bigint' ? numberToHex(value) : value]],
    ),
  )
}

/** `signature` is 65 bytes. */
export function toWire(operation: Partial<Operation>, signature: Hex): Record<string, string> {
  const { validUntil = 0n, ...members } = operation
  return { ...toRecord(members), signature: withTimes(validUntil, signature) }
}

/** Source: permissionless. */
export const stubSignature: Hex =
  '0xfffffffffffffffffffffffffffffff0000000000000000000000000000000007aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1c'

/** Safe4337Module: `abi.encodePacked(uint48 validAfter, uint48 validUntil, signatures)`. */
export function withTimes(validUntil: bigint, signature: Hex): Hex {
  return concat([numberToHex(0, { size: 6 }), numberToHex(validUntil, { size: 6 }), signature])
}

export function operationHash(operation: Operation, chainId: number): Hex {
  const { validUntil: _, ...members } = operation
  return getUserOperationHash({
    chainId,
    entryPointAddress: safeContracts.entryPoint,
    entryPointVersion: '0.7',
    userOperation: { ...members, signature: '0x' },
  })
}

export function totalGas(operation: Operation): bigint {
  return (
    operation.callGasLimit +
    operation.verificationGasLimit +
    operation.preVerificationGas +
    (operation.paymasterVerificationGasLimit ?? 0n) +
    (operation.paymasterPostOpGasLimit ?? 0n)
  )
}

const safeOperationType = [
  { type: 'address', name: 'safe' },
  { type: 'uint256', name: 'nonce' },
  { type: 'bytes', name: 'initCode' },
  { type: 'bytes', name: 'callData' },
  { type: 'uint128', name: 'verificationGasLimit' },
  { type: 'uint128', name: 'callGasLimit' },
  { type: 'uint256', name: 'preVerificationGas' },
  { type: 'uint128', name: 'maxPriorityFeePerGas' },
  { type: 'uint128', name: 'maxFeePerGas' },
  { type: 'bytes', name: 'paymasterAndData' },
  { type: 'uint48', name: 'validAfter' },
  { type: 'uint48', name: 'validUntil' },
  { type: 'address', name: 'entryPoint' },
]

/** EIP-712 JSON of every field. Source: Safe4337Module.sol, `SAFE_OP_TYPEHASH`. */
export function safeOperationJson(operation: Operation, chainId: number): string {
  const { factory, factoryData = '0x', paymaster, paymasterData = '0x' } = operation
  const gasWord = (gas: bigint | undefined) => pad(numberToHex(gas ?? 0n), { size: 16 })
  const paymasterAndData =
    paymaster === undefined
      ? '0x'
      : concat([
          paymaster,
          gasWord(operation.paymasterVerificationGasLimit),
          gasWord(operation.paymasterPostOpGasLimit),
          paymasterData,
        ])
  return JSON.stringify({
    types: {
      EIP712Domain: [
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
      SafeOp: safeOperationType,
    },
    primaryType: 'SafeOp',
    domain: { chainId, verifyingContract: safeContracts.module },
    message: {
      safe: operation.sender,
      nonce: String(operation.nonce),
      initCode: factory === undefined ? '0x' : concat([factory, factoryData]),
      callData: operation.callData,
      verificationGasLimit: String(operation.verificationGasLimit),
      callGasLimit: String(operation.callGasLimit),
      preVerificationGas: String(operation.preVerificationGas),
      maxPriorityFeePerGas: String(operation.maxPriorityFeePerGas),
      maxFeePerGas: String(operation.maxFeePerGas),
      paymasterAndData,
      validAfter: '0',
      validUntil: String(operation.validUntil),
      entryPoint: safeContracts.entryPoint,
    },
  })
}
