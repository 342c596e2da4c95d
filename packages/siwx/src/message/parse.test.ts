import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CaipNetworkId, SignInMessage } from '../types'
import { formatMessage } from './format'
import { InvalidMessageError } from './invalid-message'
import { parseMessage } from './parse'
import { everyNamespace, evmMessage } from './testing/examples'
import { invalidTexts, validTexts } from './testing/siwe-vectors'

describe('1. parses what formatMessage writes, and nothing else', () => {
  test.each(everyNamespace)('a message on $chainId', (message) => {
    expect(parseMessage(formatMessage(message))).toEqual(message)
  })

  test.each(Object.entries(validTexts))('accepts the SIWE reference vector: %s', (_, { text, fields }) => {
    expect(parseMessage(text)).toEqual(fields)
    expect(formatMessage(fields)).toBe(text)
  })

  test.each(Object.entries(invalidTexts))('rejects the SIWE reference vector: %s', (_, text) => {
    expect(() => parseMessage(text)).toThrow(InvalidMessageError)
  })

  test('every message round-trips', () => {
    fc.assert(
      fc.property(anyMessage(), (message) => {
        expect(parseMessage(formatMessage(message))).toEqual(message)
      }),
    )
  })

  test('an altered text is rejected or parses to exactly its own content', () => {
    const line = fc.oneof(
      fc.constantFrom(
        '',
        ' ',
        '\r',
        'URI: https://evil.example',
        'Version: 1',
        'Chain ID: 5',
        'Nonce: 00000000',
        'Request ID: x',
        'Resources:',
        '- https://evil.example',
        'Not Before: 2026-01-31T12:00:00Z',
      ),
      fc.string({ unit: 'binary', maxLength: 20 }),
    )
    fc.assert(
      fc.property(
        anyMessage(),
        fc.array(
          fc.record({
            at: fc.nat(16),
            remove: fc.integer({ min: 0, max: 2 }),
            insert: fc.array(line, { maxLength: 2 }),
          }),
          { maxLength: 3 },
        ),
        fc.option(fc.record({ at: fc.nat(600), character: fc.string({ unit: 'binary', maxLength: 1 }) }), {
          nil: undefined,
        }),
        (message, edits, slip) => {
          const lines = formatMessage(message).split('\n')
          for (const { at, remove, insert } of edits) lines.splice(at, remove, ...insert)
          const joined = lines.join('\n')
          const text =
            slip === undefined ? joined : `${joined.slice(0, slip.at)}${slip.character}${joined.slice(slip.at + 1)}`
          const read = readOrUndefined(text)
          if (read !== undefined) expect(formatMessage(read)).toBe(text)
        },
      ),
      { numRuns: 300 },
    )
  })

  test('any text is parsed or rejected with InvalidMessageError', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => void readOrUndefined(text)))
  })

  test('rejects a long repetitive text at once', () => {
    for (const piece of ['a', '%', ':', '\n', ' wants you to sign in with your ', '[', 'Resources:\n- a:'])
      expect(() => parseMessage(piece.repeat(50_000))).toThrow(InvalidMessageError)
  })
})

describe('2. also rejects', () => {
  test('a scheme before the domain', () => {
    expect(() => parseMessage(`https://${formatMessage(evmMessage)}`)).toThrow(
      expect.objectContaining({ part: 'domain' }),
    )
  })

  test('an EVM address not in EIP-55 case', () => {
    const text = formatMessage(evmMessage)
    const { accountAddress } = evmMessage
    for (const other of [
      accountAddress.toLowerCase(),
      `0x${accountAddress.slice(2).toUpperCase()}`,
      accountAddress.replace('C', 'c'),
    ])
      expect(() => parseMessage(text.replace(accountAddress, other))).toThrow(
        expect.objectContaining({ part: 'accountAddress' }),
      )
  })

  test('Windows line endings, a trailing line feed, surrounding spaces', () => {
    const text = formatMessage(evmMessage)
    for (const other of [text.replaceAll('\n', '\r\n'), `${text}\n`, ` ${text}`, `${text} `, `\ufeff${text}`])
      expect(() => parseMessage(other)).toThrow(InvalidMessageError)
  })
})

test('parses the message of one-click sign-in over WalletConnect, including its ReCap', () => {
  const recap = `urn:recap:${Buffer.from(JSON.stringify({ att: { eip155: { 'request/personal_sign': [{}] } } })).toString('base64')}`
  const statement =
    "Sign in to the demo. I further authorize the stated URI to perform the following actions on my behalf: (1) 'request': 'personal_sign' for 'eip155'."
  const text = formatMessage({ ...evmMessage, statement, resources: [recap] })
  expect(parseMessage(text)).toMatchObject({ statement, resources: [recap] })
})

function readOrUndefined(text: string): SignInMessage | undefined {
  try {
    return parseMessage(text)
  } catch (error) {
    if (error instanceof InvalidMessageError) return undefined
    throw error
  }
}

function anyMessage(): fc.Arbitrary<SignInMessage> {
  const characters = (allowed: string, constraints: fc.StringConstraints = {}) =>
    fc.string({ unit: fc.constantFrom(...allowed), ...constraints })
  const alphanumeric = 'ABCabcXYZxyz0123456789'
  const segment = `${alphanumeric}-._~!$&'()*+,;=:@`
  const host = fc.oneof(
    fc.domain(),
    fc.ipV4(),
    fc.ipV6().map((address) => `[${address}]`),
    fc.constant('localhost'),
  )
  const domain = fc
    .tuple(host, fc.option(fc.integer({ min: 1, max: 65_535 })))
    .map(([name, port]) => (port === null ? name : `${name}:${port}`))
  const time = fc
    .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
    .map((date) => date.toISOString())
  const uri = fc.oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    characters(segment).map((path) => `urn:${path}`),
  )
  const account: fc.Arbitrary<{ chainId: CaipNetworkId; accountAddress: string }> = fc.constantFrom(
    ...everyNamespace.map(({ chainId, accountAddress }) => ({ chainId, accountAddress })),
  )
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 })
  return fc
    .record({
      account,
      domain,
      uri,
      nonce: characters(alphanumeric, { minLength: 8, maxLength: 40 }),
      issuedAt: time,
      statement: maybe(characters(`${segment} /?#[]`)),
      expirationTime: maybe(time),
      notBefore: maybe(time),
      requestId: maybe(characters(segment)),
      resources: maybe(fc.array(uri, { maxLength: 4 })),
    })
    .map(({ account: own, ...fields }) => {
      const present = Object.entries(fields).filter(([, value]) => value !== undefined)
      return {
        ...own,
        version: '1',
        ...pick(
          fields,
          present.map(([name]) => name),
        ),
      }
    })
}

type Fields = Omit<SignInMessage, 'version' | 'chainId' | 'accountAddress'>

function pick(fields: Fields, names: readonly string[]): Fields {
  const { domain, uri, nonce } = fields
  return { domain, uri, nonce, ...Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name))) }
}
