import type { KeyFailure } from '../contract'

/** Only the code leaves the worker: details and the stack may reveal key material. */
export function keyFailure(code: KeyFailure): Error {
  const failure = new Error(code)
  failure.name = 'KeyFailure'
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
