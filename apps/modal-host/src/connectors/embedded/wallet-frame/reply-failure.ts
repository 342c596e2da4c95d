import { type ErrorCode, errors, fromServerMessage, isErrorCode } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'

/** What the frame says of a failure: the words, and where it knows it the code. */
export type ReplyFailure = {
  readonly message: string
  readonly code?: unknown
  readonly rpc?: unknown
  readonly data?: unknown
}

/** The first code whose message it is: two codes that say the same mean the same. */
const codes: ReadonlyMap<string, ErrorCode> = new Map(
  Object.entries(errors)
    .reverse()
    .flatMap(([code, { message }]) => (isErrorCode(code) ? [[message, code] as const] : [])),
)
const cooldown = /^Please try again after \d+ seconds$/

/** A failed reply as a failure of the catalogue. Words that nobody knows are kept as they are, under INTERNAL. */
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
