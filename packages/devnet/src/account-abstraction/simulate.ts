/** Simulates by replacing the entry point's code for one call. */
import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  numberToHex,
  parseAbi,
  zeroAddress,
} from 'viem'
import { toPackedUserOperation } from 'viem/account-abstraction'
import * as z from 'zod'
import { entryPoint } from './addresses'
import { simulationCode } from './artifacts'
import { BundlerError, errorOf, refusalOf } from './bundler-error'
import { type Ask, resultOf } from './node'
import { Bytes, type Operation } from './user-operation'

/** Source: IEntryPointSimulations.sol of @account-abstraction/contracts 0.7.0. */
const simulationAbi = parseAbi([
  'struct PackedUserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }',
  'struct ReturnInfo { uint256 preOpGas; uint256 prefund; uint256 accountValidationData; uint256 paymasterValidationData; bytes paymasterContext; }',
  'struct StakeInfo { uint256 stake; uint256 unstakeDelaySec; }',
  'struct AggregatorStakeInfo { address aggregator; StakeInfo stakeInfo; }',
  'struct ValidationResult { ReturnInfo returnInfo; StakeInfo senderInfo; StakeInfo factoryInfo; StakeInfo paymasterInfo; AggregatorStakeInfo aggregatorInfo; }',
  'function simulateValidation(PackedUserOperation userOp) returns (ValidationResult)',
  'function simulateHandleOp(PackedUserOperation op, address target, bytes targetCallData) returns ((uint256 preOpGas, uint256 paid, uint256 accountValidationData, uint256 paymasterValidationData, bool targetSuccess, bytes targetResult))',
])

/** Below anvil's block limit. */
const simulationGas = 29_000_000n

type Overrides = Record<Address, { readonly code?: Hex; readonly balance?: Hex }>
const simulating = (more: Overrides = {}): Overrides => ({ [entryPoint]: { code: simulationCode() }, ...more })

const call = (data: Hex) => ({ from: zeroAddress, to: entryPoint, data, gas: numberToHex(simulationGas) })

const refused = (message: string, data: Hex): BundlerError => {
  const refusal = refusalOf(data)
  return refusal === null ? new BundlerError('rejected', message, data) : errorOf(refusal)
}

/**
 * Throws a {@link BundlerError} unless the entry point would accept the operation.
 * @param now epoch seconds.
 */
export async function validate(ask: Ask, operation: Operation, now: number): Promise<void> {
  const data = encodeFunctionData({
    abi: simulationAbi,
    functionName: 'simulateValidation',
    args: [toPackedUserOperation(operation)],
  })
  const answer = await ask('eth_call', [call(data), 'latest', simulating()])
  if (answer.kind === 'refused') throw refused(answer.message, answer.data)
  const { returnInfo } = decodeFunctionResult({
    abi: simulationAbi,
    functionName: 'simulateValidation',
    data: Bytes.parse(answer.value),
  })
  checkValidity(returnInfo.accountValidationData, 'AA2', now)
  checkValidity(returnInfo.paymasterValidationData, 'AA3', now)
}

/** ERC-4337: 20 bytes (1: wrong signature), validUntil (0: no limit) and validAfter, 6 bytes each. */
function checkValidity(packed: bigint, prefix: 'AA2' | 'AA3', now: number) {
  const isPaymaster = prefix === 'AA3'
  if ((packed & (2n ** 160n - 1n)) !== 0n) throw new BundlerError('signature', `${prefix}4 signature error`)
  const until = Number((packed >> 160n) & (2n ** 48n - 1n))
  const after = Number(packed >> 208n)
  if (now < after || (until !== 0 && now > until))
    throw new BundlerError('outOfTime', `${prefix}2 ${isPaymaster ? 'paymaster ' : ''}expired or not due`)
}

type Frame = {
  readonly to?: string | undefined
  readonly input: string
  readonly gasUsed: bigint
  readonly error?: string | undefined
  readonly output?: Hex | undefined
  readonly calls?: readonly Frame[] | undefined
}
const Frame: z.ZodType<Frame> = z.object({
  to: z.string().optional(),
  input: z.string(),
  gasUsed: z.string().transform((text) => BigInt(text)),
  error: z.string().optional(),
  output: Bytes.optional().catch(undefined),
  get calls() {
    return z.array(Frame).optional()
  },
})

/** Gas of each part, and the outcome of the call. */
export type Trace = {
  /** Creation and validation of the account. */
  readonly verification: bigint
  readonly paymasterVerification: bigint
  readonly paymasterPostOp: bigint
  readonly call: bigint
  readonly reverted: { readonly data: Hex } | null
}

const selectors = {
  validateUserOp: '0x19822f7c',
  createSender: '0x570e1a36',
  validatePaymasterUserOp: '0x52b7512c',
  innerHandleOp: '0x0042dc53',
  postOp: '0x7c627b21',
} as const

/** The sender has `balance` wei; the signature is ignored. Throws a {@link BundlerError} if invalid. */
export async function trace(ask: Ask, operation: Operation, balance: bigint): Promise<Trace> {
  const data = encodeFunctionData({
    abi: simulationAbi,
    functionName: 'simulateHandleOp',
    args: [toPackedUserOperation(operation), zeroAddress, '0x'],
  })
  const stateOverrides = simulating({ [operation.sender]: { balance: numberToHex(balance) } })
  const options = { tracer: 'callTracer', stateOverrides }
  const root = Frame.parse(await resultOf(ask('debug_traceCall', [call(data), 'latest', options])))
  if (root.error !== undefined) throw refused(root.error, root.output ?? '0x')

  const find = (frames: readonly Frame[] | undefined, selector: string) =>
    frames?.find(({ input }) => input.startsWith(selector))
  const inner = find(root.calls, selectors.innerHandleOp)
  const account = inner?.calls?.find(({ to }) => to?.toLowerCase() === operation.sender.toLowerCase())
  const used = (frame: Frame | undefined) => frame?.gasUsed ?? 0n
  return {
    verification: used(find(root.calls, selectors.createSender)) + used(find(root.calls, selectors.validateUserOp)),
    paymasterVerification: used(find(root.calls, selectors.validatePaymasterUserOp)),
    paymasterPostOp: used(find(inner?.calls, selectors.postOp)),
    call: used(account),
    reverted: account?.error === undefined ? null : { data: account.output ?? '0x' },
  }
}
