import { type Address, encodeFunctionData } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { entryPoint } from './addresses'
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

/** Gas limits far above what is needed; their sum is below a block's. */
const generous = { verification: 5_000_000n, call: 12_000_000n, paymasterVerification: 3_000_000n, postOp: 1_000_000n }
/** Gas of the entry point itself and the missing signature. */
const verificationExtra = 40_000n
const callExtra = 10_000n
const attempts = 5

const margin = (gas: bigint, percent: bigint, extra: bigint) => (gas * (100n + percent)) / 100n + extra

/**
 * Estimates gas limits by running the operation.
 *
 * 1. The operation ran with the returned limits. After a run that fails, they are raised by half.
 * 2. A call that reverts is an error with its revert data.
 * 3. Needs only the funds that the call moves, no signature and no balance for gas.
 */
export async function estimate(ask: Ask, operation: Operation): Promise<GasLimits> {
  const hasPaymaster = operation.paymaster !== undefined
  const [balance, deposit] = await Promise.all([balanceOf(ask, operation.sender), depositOf(ask, operation.sender)])
  const run = (limits: GasLimits) => {
    // More than the deposit pays, to measure the transfer to the entry point too.
    const price = hasPaymaster ? 1n : deposit / sum(limits) + 1n
    const priced = { ...operation, maxFeePerGas: price, maxPriorityFeePerGas: price }
    return trace(ask, { ...priced, ...limits }, balance + price * sum(limits))
  }

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
      if (attempt === attempts)
        throw new BundlerError('executionReverted', 'The gas of the call could not be estimated.')
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

const balanceOf = async (ask: Ask, account: Address) =>
  BigInt(String(await resultOf(ask('eth_getBalance', [account, 'latest']))))

async function depositOf(ask: Ask, account: Address): Promise<bigint> {
  const data = encodeFunctionData({ abi: entryPoint07Abi, functionName: 'balanceOf', args: [account] })
  return BigInt(String(await resultOf(ask('eth_call', [{ to: entryPoint, data }, 'latest']))))
}

const sum = (limits: GasLimits) => Object.values(limits).reduce((total, gas) => total + gas, 0n)
