/** Parameters with a user operation of entry point 0.7 (ERC-4337, ERC-7677). */
import * as z from 'zod/mini'

const Quantity = z.string().check(z.regex(/^0x[0-9a-fA-F]{1,64}$/))
const Bytes = z.string().check(z.regex(/^0x(?:[0-9a-fA-F]{2})*$/))

/** Unknown members are dropped. Only the sender is required: endpoints report what they miss. */
const Operation = z.object({
  sender: z.string(),
  nonce: z.nullish(Quantity),
  factory: z.nullish(Bytes),
  factoryData: z.nullish(Bytes),
  callData: z.nullish(Bytes),
  callGasLimit: z.nullish(Quantity),
  verificationGasLimit: z.nullish(Quantity),
  preVerificationGas: z.nullish(Quantity),
  maxFeePerGas: z.nullish(Quantity),
  maxPriorityFeePerGas: z.nullish(Quantity),
  paymaster: z.nullish(Bytes),
  paymasterVerificationGasLimit: z.nullish(Quantity),
  paymasterPostOpGasLimit: z.nullish(Quantity),
  paymasterData: z.nullish(Bytes),
  signature: z.nullish(Bytes),
})
export type Operation = z.infer<typeof Operation>

/** State overrides are not forwarded: a wallet does not need them. */
const BundlerParams = z.pipe(
  z.tuple([Operation, z.unknown()], z.unknown()),
  z.transform(([operation, entryPoint]) => ({ operation, entryPoint, params: [operation, entryPoint] })),
)

/** The dapp's context is passed on unchanged. */
const PaymasterParams = z.pipe(
  z.tuple([Operation, z.unknown(), Quantity], z.unknown()),
  z.transform(([operation, entryPoint, chain, context]) => ({
    operation,
    entryPoint,
    chainId: BigInt(chain),
    params: [operation, entryPoint, chain, ...(context === undefined ? [] : [context])],
  })),
)

export type Params = {
  readonly operation: Operation
  readonly entryPoint: unknown
  /** For a paymaster. */
  readonly chainId?: bigint
  readonly params: readonly unknown[]
}

export function readParams(endpoint: 'bundler' | 'paymaster', given: unknown): Params | { readonly problem: string } {
  const { data } = (endpoint === 'bundler' ? BundlerParams : PaymasterParams).safeParse(given)
  return data ?? { problem: 'The operation cannot be read' }
}

/** What the entry point takes in advance. */
export function maxCost(operation: Operation): bigint {
  const of = (quantity: string | null | undefined) => BigInt(quantity ?? 0)
  const gas =
    of(operation.callGasLimit) +
    of(operation.verificationGasLimit) +
    of(operation.preVerificationGas) +
    of(operation.paymasterVerificationGasLimit) +
    of(operation.paymasterPostOpGasLimit)
  return gas * of(operation.maxFeePerGas)
}
