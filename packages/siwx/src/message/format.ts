import { type Namespace, namespaceOf, namespaces } from '@postern/protocol/namespaces'
import { isCaipNetworkId, namespaceFacts } from '@postern/protocol/namespaces/facts'
import type { CaipNetworkId, SignInMessage } from '../types'
import { checksumAddress } from './eip55'
import { InvalidMessageError, type MessagePart } from './invalid-message'
import { isAuthority, isSegment, isUri } from './rfc3986'

/**
 * Formats a sign-in message: EIP-4361 on EVM; on Solana and Bitcoin one word differs (CAIP-122).
 *
 * 1. The text follows EIP-4361's ABNF, without the optional scheme. No field can add a line or pass for another.
 * 2. An EVM address is written in EIP-55 case.
 * 3. The chain is written as its CAIP-2 reference.
 * 4. `issuedAt` is required. Times are RFC 3339, of existing days. An empty statement, request id or list of resources
 *    is written as empty.
 *
 * Source: https://eips.ethereum.org/EIPS/eip-4361#abnf-message-format
 *
 * @example
 * formatMessage({
 * domain: 'app.example',
 * accountAddress: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
 * uri: 'https://app.example',
 * version: '1',
 * chainId: 'eip155:1',
 * nonce: createNonce(),
 * issuedAt: new Date().toISOString(),
 * })
 * @throws {InvalidMessageError} naming the field.
 */
export function formatMessage(message: SignInMessage): string {
  const { domain, statement, uri, version, chainId, nonce, issuedAt, resources } = message
  const { expirationTime, notBefore, requestId } = message
  const { namespace, reference } = chainOf(chainId)
  const { name, address: addressPattern, caseChecksum } = namespaceFacts[namespace]

  check('domain', isAuthority(domain), 'must be a host, with an optional port and without a scheme (RFC 3986)')
  check('accountAddress', addressPattern.test(message.accountAddress), `must be an address of ${namespace}`)
  check('statement', statement === undefined || statementPattern.test(statement), statementRule)
  check('uri', isUri(uri), 'must be a URI with a scheme (RFC 3986)')
  check('version', version === '1', 'must be 1')
  check('nonce', /^[A-Za-z0-9]{8,}$/.test(nonce), 'must be at least 8 letters or digits')
  check('issuedAt', issuedAt !== undefined && isDateTime(issuedAt), timeRule)
  check('expirationTime', expirationTime === undefined || isDateTime(expirationTime), timeRule)
  check('notBefore', notBefore === undefined || isDateTime(notBefore), timeRule)
  check('requestId', requestId === undefined || isSegment(requestId), 'must be one path segment (RFC 3986)')
  check('resources', resources === undefined || resources.every(isUri), 'must be URIs with schemes (RFC 3986)')

  const address = caseChecksum === 'EIP-55' ? checksumAddress(message.accountAddress) : message.accountAddress
  return [
    `${domain} wants you to sign in with your ${name} account:`,
    address,
    '',
    ...(statement === undefined ? [] : [statement]),
    '',
    `URI: ${uri}`,
    `Version: ${version}`,
    `Chain ID: ${reference}`,
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt}`,
    ...(expirationTime === undefined ? [] : [`Expiration Time: ${expirationTime}`]),
    ...(notBefore === undefined ? [] : [`Not Before: ${notBefore}`]),
    ...(requestId === undefined ? [] : [`Request ID: ${requestId}`]),
    ...(resources === undefined ? [] : ['Resources:', ...resources.map((resource) => `- ${resource}`)]),
  ].join('\n')
}

const names: Readonly<Record<MessagePart, string>> = {
  text: 'The text',
  domain: 'The domain',
  accountAddress: 'The address',
  chainId: 'The chain',
  statement: 'The statement',
  uri: 'The URI',
  version: 'The version',
  nonce: 'The nonce',
  issuedAt: 'The time of issue',
  expirationTime: 'The expiration time',
  notBefore: 'The start of validity',
  requestId: 'The request id',
  resources: 'The resources',
}

const timeRule = 'must be a time like 2026-01-31T12:00:00Z (RFC 3339)'
const statementRule =
  "may contain spaces, ASCII letters and digits, and - . _ ~ : / ? # [ ] @ ! $ & ' ( ) * + , ; = (EIP-4361), in one line"

function check(part: MessagePart, isGood: boolean, rule: string): void {
  if (!isGood) throw new InvalidMessageError(part, `${names[part]} ${rule}.`)
}

/** RFC 3986's `reserved` and `unreserved`, and space. */
const statementPattern = /^[A-Za-z0-9._~:/?#[\]@!$&'()*+,;= -]*$/

function chainOf(chainId: CaipNetworkId): { namespace: Namespace; reference: string } {
  check('chainId', isCaipNetworkId(chainId), `must be a CAIP-2 id of ${namespaceNames}`)
  const [, reference = ''] = chainId.split(':')
  return { namespace: namespaceOf(chainId), reference }
}

const namespaceNames = `${namespaces.slice(0, -1).join(', ')} or ${namespaces.at(-1)}`

const dateTime =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})T([01][0-9]|2[0-3])(:[0-5][0-9]){2}(\.[0-9]{1,9})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$/

function isDateTime(text: string): boolean {
  const [, day] = dateTime.exec(text) ?? []
  if (day === undefined) return false
  const midnight = Date.parse(`${day}T00:00:00Z`)
  // 30 February parses as 2 March.
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day)
}
