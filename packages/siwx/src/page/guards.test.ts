import { SignInMessage, SignInSession } from '@postern/protocol/sign-in'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSignInMessage, isSignInSession } from './guards'

const network = fc.oneof(
  fc.constantFrom(
    'eip155:1',
    'eip155:01',
    'eip155:',
    'eip155:1\n',
    'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    'cosmos:a',
  ),
  fc.stringMatching(/^(eip155|solana|bip122):[-_0-9a-zA-Z]{0,33}$/),
)
/** Around every limit. */
const long = fc
  .constantFrom(0, 16, 17, 64, 65, 128, 129, 512, 513, 2048, 2049, 4096, 4097, 16_384, 16_385)
  .map((length) => 'x'.repeat(length))
const list = fc.oneof(
  fc.array(long, { maxLength: 3 }),
  fc.constantFrom(128, 129).map((length) => Array.from({ length }, () => 'x')),
)
const anything = fc.oneof(network, long, list, fc.anything())

/** Valid, but for a few members. */
function nearly(sound: Record<string, unknown>): fc.Arbitrary<Record<string, unknown>> {
  const changes = fc.dictionary(fc.constantFrom(...Object.keys(sound), 'more', '__proto__'), anything, { maxKeys: 2 })
  return changes.map((changed) => ({ ...sound, ...changed }))
}

const message = nearly({
  accountAddress: '0x1',
  chainId: 'eip155:1',
  domain: 'example.com',
  uri: 'https://example.com',
  version: '1',
  nonce: 'abcdefgh',
  statement: undefined,
  issuedAt: '2026-11-21T12:00:00Z',
  expirationTime: undefined,
  notBefore: undefined,
  requestId: undefined,
  resources: undefined,
})
const session = fc
  .tuple(message, nearly({ message: 'm', signature: 's', cacao: undefined }))
  .map(([data, rest]) => ({ data, ...rest }))

function agrees(
  arbitrary: fc.Arbitrary<unknown>,
  guard: (value: unknown) => boolean,
  schema: { safeParse(value: unknown): { success: boolean } },
) {
  const seen = new Set<boolean>()
  fc.assert(
    fc.property(fc.oneof({ weight: 9, arbitrary }, { weight: 1, arbitrary: fc.anything() }), (value) => {
      const isSound = schema.safeParse(value).success
      seen.add(isSound)
      expect(guard(value)).toBe(isSound)
    }),
    { numRuns: 1000 },
  )
  expect(seen.size).toBe(2)
}

describe('guards agree with the protocol’s schemas', () => {
  it('isSignInMessage', () => agrees(message, isSignInMessage, SignInMessage))
  it('isSignInSession', () => agrees(session, isSignInSession, SignInSession))
})
