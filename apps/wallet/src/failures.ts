import { type ErrorCode, errors, fillText } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { fileMissing } from '@postern/ui/preload'
import { GatewayError } from './account/gateway'
import type { KeyFailure } from './contract'

const gatewayCodes: Readonly<Record<GatewayError['failure'], ErrorCode>> = {
  EMAIL_COOLDOWN: 'EMAIL_COOLDOWN',
  INVALID_EMAIL: 'INVALID_EMAIL',
  CHALLENGE_REQUIRED: 'TOO_MANY_ATTEMPTS',
  WRONG_CODE: 'WRONG_CODE',
  CODE_EXPIRED: 'CODE_EXPIRED',
  CODE_SPENT: 'CODE_SPENT',
  TOO_MANY_ATTEMPTS: 'TOO_MANY_ATTEMPTS',
  SESSION_EXPIRED: 'SIGN_IN_AGAIN',
  SIGN_IN_TOO_OLD: 'SIGN_IN_AGAIN',
  DPOP_REFUSED: 'SIGN_IN_AGAIN',
  DEVICE_REVOKED: 'DEVICE_REVOKED',
  USER_BLOCKED: 'USER_BLOCKED',
  CONSENT_DENIED: 'CONSENT_DENIED',
  PROVIDER_FAILED: 'PROVIDER_FAILED',
  STATE_MISMATCH: 'STATE_MISMATCH',
  WALLET_EXISTS: 'SOMETHING_WENT_WRONG',
  PREVIOUS_WALLET_EXISTS: 'PREVIOUS_WALLET_EXISTS',
  WALLET_NOT_FOUND: 'SOMETHING_WENT_WRONG',
  RECOVERY_WAITING: 'RECOVERY_WAITING',
  BAD_PROOF: 'WALLET_KEY_MISMATCH',
  LAST_DEVICE: 'LAST_DEVICE',
  WALLET_IN_USE: 'WALLET_IN_USE',
  HARDENED_RECOVERY_REQUIRED: 'HARDENED_RECOVERY_REQUIRED',
  EMAIL_TAKEN: 'EMAIL_TAKEN',
  EMAIL_ON_HOLD: 'EMAIL_ON_HOLD',
  MAIL_FAILED: 'MAIL_FAILED',
  UNREACHABLE: 'WALLET_SERVICE_UNREACHABLE',
  TIMEOUT: 'TIMEOUT',
  UNKNOWN: 'SOMETHING_WENT_WRONG',
}

const keyCodes: ReadonlyMap<string, ErrorCode> = new Map<KeyFailure, ErrorCode>([
  ['BAD_SHARES', 'WALLET_KEY_MISMATCH'],
  ['BAD_DEVICE_SHARE', 'WALLET_KEY_MISMATCH'],
  ['BAD_RECOVERY_KEY', 'WALLET_LOCKED'],
  ['UNPROVEN_RECOVERY', 'WALLET_KEY_MISMATCH'],
  ['NOT_A_MESSAGE', 'INVALID_PARAMS'],
  ['BAD_JOB', 'INVALID_PARAMS'],
])

/** In seconds. */
const unknownCooldown = 30

/**
 * Maps a thrown value to a Failure.
 *
 * 1. A part of the wallet that does not load is an unreachable service: the user may retry.
 * 2. An unknown value is INTERNAL; `report` receives only its kind.
 */
export function toFailure(thrown: unknown, report: (kind: string) => void): Failure {
  if (thrown instanceof Failure) return thrown
  if (thrown instanceof GatewayError) {
    const code = gatewayCodes[thrown.failure]
    return new Failure(code, { message: messageOf(code, thrown) })
  }
  const key = thrown instanceof Error ? keyCodes.get(thrown.message) : undefined
  if (key !== undefined) return new Failure(key)
  if (thrown instanceof DOMException && thrown.name === 'AbortError') return new Failure('ABORTED')
  if (thrown instanceof Error && thrown.name === fileMissing) return new Failure('WALLET_SERVICE_UNREACHABLE')
  report(thrown instanceof Error ? thrown.name : typeof thrown)
  return new Failure('INTERNAL')
}

function messageOf(code: ErrorCode, { retryAfter, triesLeft }: GatewayError): string {
  const { message } = errors[code]
  if (code === 'EMAIL_COOLDOWN') return fillText(message, { seconds: retryAfter ?? unknownCooldown })
  if (code === 'TOO_MANY_ATTEMPTS' && retryAfter !== null) return `${message}. Try again in ${waitText(retryAfter)}.`
  if (code === 'WRONG_CODE' && triesLeft !== null)
    return `${message}. Tries left: ${triesLeft}.${triesLeft === 0 ? ' Request a new code.' : ''}`
  return message
}

function waitText(seconds: number): string {
  return seconds <= 60 ? `${Math.max(1, Math.ceil(seconds))} s` : `${Math.ceil(seconds / 60)} min`
}

/** Whether the worker threw it, and so still runs. */
export function isWorkerFailure(thrown: unknown): boolean {
  return thrown instanceof Error && keyCodes.has(thrown.message)
}

export function isKeyFailure(thrown: unknown, ...failures: readonly KeyFailure[]): boolean {
  return thrown instanceof Error && failures.some((failure) => failure === thrown.message)
}
