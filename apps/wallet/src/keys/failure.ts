import type { KeyFailure } from '../contract'

/** A failure as it crosses from the worker: the code alone. What went wrong in detail may tell of a key, so it stays behind. */
export function keyFailure(code: KeyFailure): Error {
  const failure = new Error(code)
  failure.name = 'KeyFailure'
  // The stack crosses with the error, and names nothing that anybody there needs.
  failure.stack = ''
  return failure
}

const codes: ReadonlySet<string> = new Set<KeyFailure>([
  'BAD_SHARES',
  'BAD_DEVICE_SHARE',
  'BAD_RECOVERY_KEY',
  'UNPROVEN_RECOVERY',
  'NOT_A_MESSAGE',
  'BAD_JOB',
])

export function isKeyFailure(value: unknown): value is Error {
  return value instanceof Error && codes.has(value.message)
}
