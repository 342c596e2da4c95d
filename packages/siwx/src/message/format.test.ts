import { signInDomain } from '@postern/chains/sign-in-message'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SignInMessage } from '../types'
import { formatMessage } from './format'
import { InvalidMessageError } from './invalid-message'
import { parseMessage } from './parse'
import { bitcoinMessage, everyNamespace, evmMessage, solanaMessage } from './testing/examples'

const resources = [
  'ipfs://bafybeiemxf5abjwjbikoz4mc3a3dla6ual3jsgpdr4cjr3oz3evfyavhwq/',
  'https://example.com/my-web2-claim.json',
]

describe('1. the text follows the ABNF of EIP-4361', () => {
  test('the example of EIP-4361', () => {
    const text = formatMessage({
      domain: 'example.com',
      accountAddress: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
      statement: 'I accept the ExampleOrg Terms of Service: https://example.com/tos',
      uri: 'https://example.com/login',
      version: '1',
      chainId: 'eip155:1',
      nonce: '32891756',
      issuedAt: '2021-09-30T16:25:24Z',
      resources,
    })
    expect(text).toBe(`example.com wants you to sign in with your Ethereum account:
0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2

I accept the ExampleOrg Terms of Service: https://example.com/tos

URI: https://example.com/login
Version: 1
Chain ID: 1
Nonce: 32891756
Issued At: 2021-09-30T16:25:24Z
Resources:
- ipfs://bafybeiemxf5abjwjbikoz4mc3a3dla6ual3jsgpdr4cjr3oz3evfyavhwq/
- https://example.com/my-web2-claim.json`)
  })

  test('the Solana example of CAIP-122, byte by byte', () => {
    const text = formatMessage({
      domain: 'service.org',
      accountAddress: 'GwAF45zjfyGzUbd3i3hXxzGeuchzEZXwpRYHZM5912F1',
      statement: 'I accept the ServiceOrg Terms of Service: https://service.org/tos',
      uri: 'https://service.org/login',
      version: '1',
      chainId: 'solana:1',
      nonce: '32891757',
      issuedAt: '2021-09-30T16:25:24.000Z',
      resources: ['ipfs://Qme7ss3ARVgxv6rXqVPiikMJ8u2NLgmgszg13pYrDKEoiu', 'https://example.com/my-web2-claim.json'],
    })
    // https://namespaces.chainagnostic.org/solana/caip122
    const published =
      'c2VydmljZS5vcmcgd2FudHMgeW91IHRvIHNpZ24gaW4gd2l0aCB5b3VyIFNvbGFuYSBhY2NvdW50OgpHd0FGNDV6amZ5R3pVYmQzaTNoWHh6R2V1Y2h6RVpYd3BSWUhaTTU5MTJGMQoKSSBhY2NlcHQgdGhlIFNlcnZpY2VPcmcgVGVybXMgb2YgU2VydmljZTogaHR0cHM6Ly9zZXJ2aWNlLm9yZy90b3MKClVSSTogaHR0cHM6Ly9zZXJ2aWNlLm9yZy9sb2dpbgpWZXJzaW9uOiAxCkNoYWluIElEOiAxCk5vbmNlOiAzMjg5MTc1NwpJc3N1ZWQgQXQ6IDIwMjEtMDktMzBUMTY6MjU6MjQuMDAwWgpSZXNvdXJjZXM6Ci0gaXBmczovL1FtZTdzczNBUlZneHY2clhxVlBpaWtNSjh1Mk5MZ21nc3pnMTNwWXJES0VvaXUKLSBodHRwczovL2V4YW1wbGUuY29tL215LXdlYjItY2xhaW0uanNvbg'
    expect(Buffer.from(text).toString('base64url')).toBe(published)
  })

  test('all fields in order', () => {
    const text = formatMessage({
      ...bitcoinMessage,
      expirationTime: '2026-02-01T12:00:00+01:00',
      notBefore: '2026-01-31T11:59:00Z',
      requestId: 'some_id',
      resources,
    })
    expect(text).toBe(`app.example wants you to sign in with your Bitcoin account:
bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l

I accept the Terms of Service: https://app.example/tos

URI: https://app.example/login
Version: 1
Chain ID: 000000000019d6689c085ae165831e93
Nonce: 32891756
Issued At: 2026-01-31T12:00:00.000Z
Expiration Time: 2026-02-01T12:00:00+01:00
Not Before: 2026-01-31T11:59:00Z
Request ID: some_id
Resources:
- ipfs://bafybeiemxf5abjwjbikoz4mc3a3dla6ual3jsgpdr4cjr3oz3evfyavhwq/
- https://example.com/my-web2-claim.json`)
  })

  test('two empty lines without a statement, three with an empty one', () => {
    const { statement: _, ...silent } = evmMessage
    expect(formatMessage(silent)).toContain('Cc2\n\n\nURI: ')
    expect(formatMessage({ ...silent, statement: '' })).toContain('Cc2\n\n\n\nURI: ')
  })

  test.each<[keyof SignInMessage, unknown[]]>([
    [
      'domain',
      [
        '',
        'https://app.example',
        'app.example/',
        'app example',
        'app.example\n',
        'a\tb',
        'a\u202eb',
        '[::1',
        'ä.example',
        'app.example:8a',
        'a@',
        'a?',
        'a#',
      ],
    ],
    ['statement', ['two\nlines', 'two\rlines', 'tab\t', 'Grüße', '"quoted"', '\u202etxet', '<b>', '100%', 'zero\0']],
    [
      'uri',
      [
        '',
        'app.example',
        '/login',
        'https://app.example/a b',
        'https://app.example\nNonce: 1',
        'https://app.example/ä',
        'https://[::1',
        'https://a.example/%zz',
      ],
    ],
    ['version', ['', '2', '1 ', '01']],
    ['nonce', ['', '1234567', '12345678 ', '1234-5678', '12345678\n', '１２３４５６７８']],
    [
      'chainId',
      ['eip155:', 'eip155:01', 'eip155:0x1', 'eip155:1:2', 'cosmos:hub', 'solana:a b', 'eip155:1\n', '1', 'eip155'],
    ],
    [
      'issuedAt',
      [
        undefined,
        '',
        'now',
        '2026-01-31',
        '2026-01-31 12:00:00Z',
        '2026-01-31T12:00:00',
        '2026-02-30T12:00:00Z',
        '2026-13-01T12:00:00Z',
        '2026-01-31T24:00:00Z',
        '2026-01-31T12:60:00Z',
        '2026-01-31T12:00:60Z',
        '2026-01-31T12:00:00z',
        '2026-01-31T12:00:00Z\n',
        'Wed Oct 05 2011 16:48:00 GMT+0200 (CEST)',
      ],
    ],
    ['expirationTime', ['', 'tomorrow', '2026-01-31T12:00:00.Z']],
    ['notBefore', ['', '1769860800']],
    ['requestId', ['a/b', 'a b', 'a\nb', 'a#b', '%']],
    ['resources', [['example.com'], ['https://a.example', ''], ['https://a.example\n- https://b.example']]],
    [
      'accountAddress',
      [
        '',
        '0x',
        '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc',
        'C02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
        'vitalik.eth',
        '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2\n',
      ],
    ],
  ])('refuses what the field "%s" may not hold, and says which field it is', (part, values) => {
    for (const value of values) {
      const wrong = Object.assign({}, evmMessage, { [part]: value })
      expect(() => formatMessage(wrong), JSON.stringify(value)).toThrow(InvalidMessageError)
      expect(() => formatMessage(wrong)).toThrow(expect.objectContaining({ part }))
    }
  })

  test.each([
    [
      solanaMessage,
      ['0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2', 'GwAF45zjfyGzUbd3i3hXxzGeuchzEZXwpRYHZM5912FO', 'short'],
    ],
    [
      bitcoinMessage,
      ['bc1q', 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l ', 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l\n'],
    ],
  ])("rejects an address in another namespace's format", (message, addresses) => {
    for (const accountAddress of addresses)
      expect(() => formatMessage({ ...message, accountAddress })).toThrow(
        expect.objectContaining({ part: 'accountAddress' }),
      )
  })

  test('no hostile field value changes how the text is read', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc
        .array(
          fc.constantFrom(
            '\n',
            '\r',
            '\r\n',
            '\u2028',
            '\u0085',
            ' ',
            '\n\n',
            'URI: https://evil.example',
            'Nonce: 00000000',
            'Version: 1',
            'Chain ID: 5',
            'Issued At: 2026-01-31T12:00:00Z',
            'Resources:',
            '- https://evil.example',
            'Request ID: ',
            'https://a.example',
            'a',
            'evil.example wants you to sign in with your Ethereum account:',
            '@',
            '[',
            ':',
            '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
          ),
          { maxLength: 8 },
        )
        .map((parts) => parts.join('')),
    )
    const fields = [
      'domain',
      'statement',
      'uri',
      'nonce',
      'issuedAt',
      'expirationTime',
      'notBefore',
      'requestId',
      'accountAddress',
    ] as const
    let count = 0
    fc.assert(
      fc.property(fc.constantFrom(...everyNamespace), fc.constantFrom(...fields), hostile, (base, field, strange) => {
        const message = { ...base, [field]: strange }
        const text = textOrUndefined(message)
        if (text === undefined) return
        count += 1
        const { accountAddress } = message
        const read = parseMessage(text)
        expect(read.accountAddress.toLowerCase()).toBe(accountAddress.toLowerCase())
        expect({ ...read, accountAddress }).toEqual(message)
      }),
      { numRuns: 1_000 },
    )
    expect(count).toBeGreaterThan(20)
  })
})

test('2. writes an EVM address in EIP-55 case', () => {
  const address = evmMessage.accountAddress
  for (const accountAddress of [address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`, address])
    expect(formatMessage({ ...evmMessage, accountAddress }).split('\n')[1]).toBe(address)
})

test.each([
  [evmMessage, 'Ethereum', '1'],
  [solanaMessage, 'Solana', '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
  [bitcoinMessage, 'Bitcoin', '000000000019d6689c085ae165831e93'],
])('3. writes $chainId as its reference, and names its accounts', (message, word, reference) => {
  const lines = formatMessage(message).split('\n')
  expect(lines[0]).toBe(`app.example wants you to sign in with your ${word} account:`)
  expect(lines[7]).toBe(`Chain ID: ${reference}`)
})

describe('how the embedded wallet reads the text', () => {
  test.each(everyNamespace)('recognises the page’s own message on $chainId', (message) => {
    expect(signInDomain(formatMessage(message), 'https://app.example')).toBe('own')
    expect(
      signInDomain(
        formatMessage({ ...message, domain: 'localhost:3000', uri: 'http://localhost:3000' }),
        'http://localhost:3000',
      ),
    ).toBe('own')
  })

  test.each(everyNamespace)('rejects another page’s message on $chainId', (message) => {
    const text = formatMessage(message)
    for (const origin of ['https://evil.example', 'https://app.example:8443', 'null'])
      expect(signInDomain(text, origin)).toBe('foreign')
    expect(signInDomain(formatMessage({ ...message, domain: 'app.example@evil.example' }), 'https://app.example')).toBe(
      'foreign',
    )
  })
})

function textOrUndefined(message: SignInMessage): string | undefined {
  try {
    return formatMessage(message)
  } catch (error) {
    if (error instanceof InvalidMessageError) return undefined
    throw error
  }
}
