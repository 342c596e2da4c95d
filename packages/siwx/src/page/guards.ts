/** `guards.test.ts` checks these against the protocol. */
import { isCaipNetworkId } from '@postern/protocol/namespaces/facts'
import type { SignInMessage, SignInSession } from '../types'

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** UTF-16 units. */
const isText = (value: unknown, min: number, max: number): boolean =>
  typeof value === 'string' && value.length >= min && value.length <= max
const isOptionalText = (value: unknown, max: number): boolean => value === undefined || isText(value, 0, max)

const messageMembers = new Set([
  ...['accountAddress', 'chainId', 'domain', 'uri', 'version', 'nonce', 'statement'],
  ...['issuedAt', 'expirationTime', 'notBefore', 'requestId', 'resources'],
])
const sessionMembers = new Set(['data', 'message', 'signature', 'cacao'])
const hasOnly = (value: object, members: ReadonlySet<string>): boolean =>
  Object.keys(value).every((name) => members.has(name))

export function isSignInMessage(value: unknown): value is SignInMessage {
  if (!isRecord(value) || !hasOnly(value, messageMembers)) return false
  const { resources } = value
  return (
    isText(value.accountAddress, 1, 128) &&
    isCaipNetworkId(value.chainId) &&
    isText(value.domain, 1, 2048) &&
    isText(value.uri, 1, 2048) &&
    isText(value.version, 0, 16) &&
    isText(value.nonce, 1, 512) &&
    isOptionalText(value.statement, 4096) &&
    [value.issuedAt, value.expirationTime, value.notBefore].every((time) => isOptionalText(time, 64)) &&
    isOptionalText(value.requestId, 512) &&
    (resources === undefined ||
      (Array.isArray(resources) && resources.length <= 128 && resources.every((entry) => isText(entry, 0, 2048))))
  )
}

export function isSignInSession(value: unknown): value is SignInSession {
  return (
    isRecord(value) &&
    hasOnly(value, sessionMembers) &&
    isSignInMessage(value.data) &&
    isText(value.message, 1, 16_384) &&
    isText(value.signature, 1, 16_384)
  )
}
