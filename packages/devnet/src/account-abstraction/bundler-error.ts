/** Why a bundler refuses: the numbers of ERC-7769. */
import { decodeErrorResult, type Hex } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'

export const bundlerCodes = {
  invalid: -32602,
  methodNotFound: -32601,
  /** The entry point's simulation: the account could not be made or did not validate. */
  rejected: -32500,
  paymaster: -32501,
  outOfTime: -32503,
  signature: -32507,
  /** The paymaster does not want to pay. */
  declined: -32000,
  /** The call itself reverts; only while estimating. */
  executionReverted: -32521,
} as const

export class BundlerError extends Error {
  override readonly name = 'BundlerError'
  readonly code: number
  readonly data: Hex | undefined
  constructor(reason: keyof typeof bundlerCodes, message: string, data?: Hex) {
    super(message)
    this.code = bundlerCodes[reason]
    this.data = data
  }
}

/** Which operation of a bundle the entry point refused, and in its own words (`AA21 didn't pay prefund`). */
export type Refused = { readonly index: number; readonly reason: string; readonly inner: Hex }

/** null: not one of the entry point's refusals. */
export function refusalOf(data: Hex): Refused | null {
  try {
    const { errorName, args } = decodeErrorResult({ abi: entryPoint07Abi, data })
    if (errorName === 'FailedOp') return { index: Number(args[0]), reason: args[1], inner: '0x' }
    if (errorName === 'FailedOpWithRevert') return { index: Number(args[0]), reason: args[1], inner: args[2] }
  } catch {
    // Reverted by somebody else, in words of their own.
  }
  return null
}

export function errorOf({ reason, inner }: Refused): BundlerError {
  const kind = /^AA[23]4/.test(reason)
    ? 'signature'
    : /^AA[23]2/.test(reason)
      ? 'outOfTime'
      : /^AA3/.test(reason)
        ? 'paymaster'
        : 'rejected'
  return new BundlerError(kind, reason, inner === '0x' ? undefined : inner)
}
