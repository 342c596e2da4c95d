import { expect, test } from 'vitest'
import { formatMessage } from './message/format'
import { createNonce } from './nonce'

test('a nonce is 128 bits from the randomness source', () => {
  const random = <T extends ArrayBufferView | null>(array: T): T => {
    if (array instanceof Uint8Array) array.set(Array.from({ length: 16 }, (_, index) => index * 17))
    return array
  }
  expect(createNonce({ getRandomValues: random })).toBe('00112233445566778899aabbccddeeff')
})

test('nonces are unique and valid in a message', () => {
  const nonces = Array.from({ length: 1_000 }, () => createNonce())
  expect(new Set(nonces).size).toBe(1_000)
  const [nonce = ''] = nonces
  const text = formatMessage({
    domain: 'app.example',
    accountAddress: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
    uri: 'https://app.example',
    version: '1',
    chainId: 'eip155:1',
    nonce,
    issuedAt: '2026-01-31T12:00:00Z',
  })
  expect(text).toContain(`Nonce: ${nonce}`)
})
