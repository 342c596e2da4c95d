import { type ErrorCode, errors, fromServerMessage, isErrorCode } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'

export type ReplyFailure = {
  readonly message: string
  readonly code?: unknown
  readonly rpc?: unknown
  readonly data?: unknown
}

/** Codes by message. Codes with the same message mean the same, and the first one wins. */
const codes: ReadonlyMap<string, ErrorCode> = new Map(
  Object.entries(errors)
    .reverse()
    .flatMap(([code, { message }]) => (isErrorCode(code) ? [[message, code] as const] : [])),
)
const cooldown = /^Please try again after \d+ seconds$/

/** An unknown message stays, with the code INTERNAL. */
export function replyFailure(reply: ReplyFailure): Failure {
  const { message, code, rpc, data } = reply
  return new Failure(isErrorCode(code) ? code : codeOf(message), {
    ...(message !== '' && { message }),
    ...(typeof rpc === 'number' && Number.isSafeInteger(rpc) && { rpc }),
    ...(data !== undefined && { data }),
  })
}

function codeOf(message: string): ErrorCode {
  if (cooldown.test(message)) return 'EMAIL_COOLDOWN'
  return codes.get(message) ?? fromServerMessage(message) ?? 'INTERNAL'
}
