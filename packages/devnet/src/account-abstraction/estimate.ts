/** Gas limits of an operation: measured by running it, then tried. */
import { BundlerError } from './bundler-error'
import { type Ask, resultOf } from './node'
import { type Trace, trace } from './simulate'
import { type Operation, preVerificationGasOf } from './user-operation'

export type GasLimits = {
  readonly preVerificationGas: bigint
  readonly verificationGasLimit: bigint
  readonly callGasLimit: bigint
  readonly paymasterVerificationGasLimit?: bigint
  readonly paymasterPostOpGasLimit?: bigint
}

/** Together below a block, each far above what an operation needs. */
const generous = { verification: 5_000_000n, call: 12_000_000n, paymasterVerification: 3_000_000n, postOp: 1_000_000n }
/** What the entry point itself spends beside the account's own code, and the signature that is not there yet. */
const verificationExtra = 40_000n
const callExtra = 10_000n
const attempts = 5

const margin = (gas: bigint, percent: bigint, extra: bigint) => (gas * (100n + percent)) / 100n + extra

/**
 * 1. The limits suffice: the operation was run with them. Where they did not, they are raised by half and it is run again.
 * 2. A call that reverts is an error with what it reverted with.
 * 3. Neither a signature nor a balance for the gas is needed; money that the call itself moves must be there.
 */
export async function estimate(ask: Ask, operation: Operation): Promise<GasLimits> {
  const hasPaymaster = operation.paymaster !== undefined
  // A wei for each unit of gas: the account pays as it will, and nobody needs money to ask.
  const priced = { ...operation, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }
  const balance = BigInt(String(await resultOf(ask('eth_getBalance', [operation.sender, 'latest']))))
  const run = (limits: GasLimits) => trace(ask, { ...priced, ...limits }, balance + sum(limits))

  const preVerificationGas = preVerificationGasOf(operation)
  const first = await run({
    preVerificationGas,
    verificationGasLimit: generous.verification,
    callGasLimit: generous.call,
    ...(hasPaymaster && {
      paymasterVerificationGasLimit: generous.paymasterVerification,
      paymasterPostOpGasLimit: generous.postOp,
    }),
  })
  if (first.reverted !== null) throw new BundlerError('executionReverted', 'execution reverted', first.reverted.data)

  let limits = limitsOf(first, preVerificationGas, hasPaymaster)
  for (let attempt = 1; ; attempt += 1) {
    try {
      if ((await run(limits)).reverted === null) return limits
      if (attempt === attempts) throw new BundlerError('executionReverted', 'The gas of the call could not be told.')
    } catch (cause) {
      if (attempt === attempts) throw cause
    }
    limits = {
      ...limits,
      verificationGasLimit: margin(limits.verificationGasLimit, 50n, 0n),
      callGasLimit: margin(limits.callGasLimit, 50n, 0n),
    }
  }
}

function limitsOf(used: Trace, preVerificationGas: bigint, hasPaymaster: boolean): GasLimits {
  return {
    preVerificationGas,
    verificationGasLimit: margin(used.verification, 25n, verificationExtra),
    callGasLimit: margin(used.call, 20n, callExtra),
    ...(hasPaymaster && {
      paymasterVerificationGasLimit: margin(used.paymasterVerification, 25n, verificationExtra),
      paymasterPostOpGasLimit: used.paymasterPostOp === 0n ? 0n : margin(used.paymasterPostOp, 25n, callExtra),
    }),
  }
}

const sum = (limits: GasLimits) => Object.values(limits).reduce((total, gas) => total + gas, 0n)
