import { type ErrorCode, fromWalletError } from '@postern/protocol'
import { type Failure, fromLinkError } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'

/** A page wallet grants no account without a prompt, or is gone. */
export const pageRefusals: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'UNAUTHORIZED',
  'USER_REJECTED',
  'DISCONNECTED',
  'UNSUPPORTED_METHOD',
  'METHOD_NOT_FOUND',
])

/** The page maps only a failure's outer code; else the message and the causes may name a known one. */
export function toPageFailure(thrown: unknown): Failure {
  const failure = asFailure(thrown)
  if (!isUnknown(failure)) return failure
  const { rpc, message, data } = failure
  const mapped = fromLinkError(fromWalletError({ code: rpc, message, data }))
  return isUnknown(mapped) ? failure : mapped
}

function isUnknown({ code }: Failure): boolean {
  return code === 'INTERNAL' || code === 'UNKNOWN'
}
