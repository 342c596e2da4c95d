import { ed25519 } from '@noble/curves/ed25519.js'
import { base58, hex } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CaipNetworkId } from '../types'
import { solanaVerifier } from './solana'

const chainId = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const { verify } = solanaVerifier()

/** RFC 8032, 7.1, those with text messages: the first is empty, the second is `72`. */
const rfc8032 = [
  {
    key: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    message: '',
    signature:
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  },
  {
    key: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    message: 'r',
    signature:
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  },
]

const order = 2n ** 252n + 27742317777372353535851937790883648493n
const seed = new Uint8Array(32).fill(7)
const address = base58.encode(ed25519.getPublicKey(seed))
const message = 'app.example wants you to sign in with your Solana account:'
const signed = ed25519.sign(new TextEncoder().encode(message), seed)

describe('the vectors of RFC 8032', () => {
  test.each(rfc8032)('"$message"', async (vector) => {
    const question = {
      chainId,
      message: vector.message,
      address: base58.encode(hex.decode(vector.key)),
      signature: base58.encode(hex.decode(vector.signature)),
    } as const
    expect(await verify(question)).toBe(true)
    expect(await verify({ ...question, message: `${vector.message}!` })).toBe(false)
    expect(await verify({ ...question, address })).toBe(false)
  })
})

describe('1. strict', () => {
  test('rejects s above the group order, another encoding of the same signature', async () => {
    const s = BigInt(`0x${hex.encode(signed.slice(32).reverse())}`) + order
    const other = Uint8Array.of(...signed.slice(0, 32), ...hex.decode(s.toString(16).padStart(64, '0')).reverse())
    expect(await verify({ chainId, message, address, signature: base58.encode(signed) })).toBe(true)
    expect(await verify({ chainId, message, address, signature: base58.encode(other) })).toBe(false)
  })

  test.each([
    // Points of small order, canonical and not: https://eprint.iacr.org/2020/1244, table 6.
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0100000000000000000000000000000000000000000000000000000000000000',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    '0100000000000000000000000000000000000000000000000000000000000080',
  ])('rejects the key %s', async (key) => {
    const zero = new Uint8Array(32)
    for (const point of [key, `01${'00'.repeat(31)}`])
      for (const text of [message, '', 'a', 'b', 'c', 'd', 'e', 'f', 'g'])
        expect(
          await verify({
            chainId,
            message: text,
            address: base58.encode(hex.decode(key)),
            signature: base58.encode(Uint8Array.of(...hex.decode(point), ...zero)),
          }),
        ).toBe(false)
  })
})

test('rejects a signature in another encoding, of another length, or for another chain', async () => {
  const signature = base58.encode(signed)
  const others = [
    hex.encode(signed),
    Buffer.from(signed).toString('base64'),
    signature.slice(1),
    `${signature}1`,
    `1${signature}`,
    ` ${signature}`,
    '',
  ]
  for (const other of others) expect(await verify({ chainId, message, address, signature: other })).toBe(false)
  for (const other of [`1${address}`, address.slice(1), address.toLowerCase(), '', '1'.repeat(1_000_000)])
    expect(await verify({ chainId, message, address: other, signature })).toBe(false)
  for (const other of ['eip155:1', 'bip122:000000000019d6689c085ae165831e93'] satisfies CaipNetworkId[])
    expect(await verify({ chainId: other, message, address, signature })).toBe(false)
})

test('rejects a changed byte in signature, message or address', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(63), fc.integer({ min: 1, max: 255 }), async (at, by) => {
      const other = Uint8Array.from(signed)
      other[at] = (other[at] ?? 0) ^ by
      expect(await verify({ chainId, message, address, signature: base58.encode(other) })).toBe(false)
    }),
    { numRuns: 30 },
  )
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 80 }), fc.string({ maxLength: 60 }), async (text, to) => {
      fc.pre(text !== message)
      expect(await verify({ chainId, message: text, address, signature: base58.encode(signed) })).toBe(false)
      expect(await verify({ chainId, message, address: to, signature: base58.encode(signed) })).toBe(false)
    }),
    { numRuns: 50 },
  )
})
