/** Error codes of ERC-7769. */
import { decodeErrorResult, type Hex } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'

export const bundlerCodes = {
  invalid: -32602,
  methodNotFound: -32601,
  /** The account could not be created or did not validate. */
  rejected: -32500,
  paymaster: -32501,
  outOfTime: -32503,
  signature: -32507,
  declined: -32000,
  /** The call reverts; estimates only. */
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

/** `reason` is the entry point's text (`AA21 didn't pay prefund`). */
export type Refused = { readonly index: number; readonly reason: string; readonly inner: Hex }

/** The entry point's rejection; null if it did not reject. */
export function refusalOf(data: Hex): Refused | null {
  try {
    const { errorName, args } = decodeErrorResult({ abi: entryPoint07Abi, data })
    if (errorName === 'FailedOp') return { index: Number(args[0]), reason: args[1], inner: '0x' }
    if (errorName === 'FailedOpWithRevert') return { index: Number(args[0]), reason: args[1], inner: args[2] }
  } catch {
    // Reverted by another contract.
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
