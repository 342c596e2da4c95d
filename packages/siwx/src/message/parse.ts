import { namespaces } from '@postern/protocol/namespaces'
import { namespaceFacts } from '@postern/protocol/namespaces/facts'
import type { SignInMessage } from '../types'
import { formatMessage } from './format'
import { InvalidMessageError, type MessagePart } from './invalid-message'

/**
 * Parses a sign-in message. `verifySignIn` checks the rest.
 *
 * 1. The parser accepts exactly the texts that {@link formatMessage} writes: what is shown, signed and checked is the
 *    same.
 * 2. A scheme before the domain, or an EVM address not in EIP-55 case, is rejected.
 *
 * @throws {InvalidMessageError} naming the field, or `text`.
 */
export function parseMessage(text: string): SignInMessage {
  const [first = '', accountAddress = '', , ...rest] = text.split('\n')
  const [, domain, word] = opening.exec(first) ?? []
  const namespace = namespaces.find((each) => namespaceFacts[each].name === word)
  if (domain === undefined || namespace === undefined)
    throw new InvalidMessageError('text', 'The first line is not the first line of a sign-in message.')

  const hasStatement = rest[0] !== '' || rest[1] === ''
  const [statement] = rest
  const lines = rest.slice(hasStatement ? 2 : 1)
  const optional = (label: string): string | undefined => {
    const start = `${label}: `
    return lines[0]?.startsWith(start) ? lines.shift()?.slice(start.length) : undefined
  }
  const required = (part: MessagePart, label: string): string => {
    const value = optional(label)
    if (value === undefined)
      throw new InvalidMessageError(part, `The line "${label}" is missing or in the wrong place.`)
    return value
  }

  const uri = required('uri', 'URI')
  const version = required('version', 'Version')
  const reference = required('chainId', 'Chain ID')
  const nonce = required('nonce', 'Nonce')
  const issuedAt = required('issuedAt', 'Issued At')
  const expirationTime = optional('Expiration Time')
  const notBefore = optional('Not Before')
  const requestId = optional('Request ID')
  const resources = resourcesIn(lines)

  const message: SignInMessage = {
    accountAddress,
    chainId: `${namespace}:${reference}`,
    domain,
    uri,
    version,
    nonce,
    issuedAt,
    ...(hasStatement && statement !== undefined && { statement }),
    ...(expirationTime !== undefined && { expirationTime }),
    ...(notBefore !== undefined && { notBefore }),
    ...(requestId !== undefined && { requestId }),
    ...(resources !== undefined && { resources }),
  }
  const canonical = formatMessage(message)
  if (canonical !== text) throw difference(canonical, text)
  return message
}

const opening = /^(.*) wants you to sign in with your ([A-Za-z]+) account:$/

function resourcesIn([heading, ...entries]: readonly string[]): string[] | undefined {
  if (heading !== 'Resources:') return undefined
  return entries.map((entry) => (entry.startsWith('- ') ? entry.slice(2) : entry))
}

function difference(canonical: string, text: string): InvalidMessageError {
  const isAddress = canonical.toLowerCase() === text.toLowerCase()
  return isAddress
    ? new InvalidMessageError('accountAddress', 'The address is not in EIP-55 case.')
    : new InvalidMessageError('text', 'The text has lines that a sign-in message does not have.')
}
