import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bitcoinAccount } from '../../../devnet/src/bitcoin/accounts'
import { signBip322, signEcdsa } from '../../../devnet/src/bitcoin/sign-message'
import type { CaipNetworkId } from '../types'
import { bip122Verifier } from './bip122'
import vectors from './testing/bip322-vectors.json'

const { verify } = bip122Verifier()
const mainnet = 'bip122:000000000019d6689c085ae165831e93'
const testnet = 'bip122:000000000933ea01ad0ee984209779ba'
const regtest = 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328'

const p2tr = 'bc1ppv609nr0vr25u07u95waq5lucwfm6tde4nydujnu8npg4q75mr5sxq8lt3'
/** From BIP-322's drafts, with SIGHASH_ALL appended. */
const draft = 'AUHd69PrJQEv+oKTfZ8l+WROBHuy9HKrbFCJu7U1iK2iiEy1vMU5EfMtjc+VSHM7aU0SDbak5IUZRVno2P5mjSafAQ=='

test('accepts a taproot signature that names its hash type', async () => {
  expect(await verify({ message: 'Hello World', signature: draft, address: p2tr, chainId: mainnet })).toBe(true)
  expect(await verify({ message: 'Hello World!', signature: draft, address: p2tr, chainId: mainnet })).toBe(false)
})

test('rejects an uppercase address, so that each account has one spelling', async () => {
  const question = { message: 'Hello World', signature: draft, chainId: mainnet } as const
  expect(await verify({ ...question, address: p2tr.toUpperCase() })).toBe(false)
})

describe('3. the address must be of the message’s network', () => {
  const good = { message: 'Hello World', signature: draft, address: p2tr }
  test.each<CaipNetworkId>([
    testnet,
    regtest,
    'bip122:12a765e31ffd4059bada1e25190f6e98',
    'bip122:',
    'solana:000000000019d6689c085ae165831e93',
    'eip155:1',
  ])('no address of %s', async (chainId) => {
    expect(await verify({ ...good, chainId })).toBe(false)
  })

  test.each(['payment', 'ordinals'] as const)('accepts regtest’s %s address', async (purpose) => {
    const account = bitcoinAccount(0)
    const message = 'Signed on regtest'
    const signature = Buffer.from(signBip322(account, purpose, new TextEncoder().encode(message))).toString('base64')
    const question = { message, signature, address: account[purpose].address }
    expect(await verify({ ...question, chainId: regtest })).toBe(true)
    expect(await verify({ ...question, chainId: mainnet })).toBe(false)
    expect(await verify({ ...question, address: bitcoinAccount(1)[purpose].address, chainId: regtest })).toBe(false)
  })

  test('accepts regtest’s payment address by BIP-137', async () => {
    const { payment } = bitcoinAccount(0)
    const message = 'a'.repeat(300)
    const signature = Buffer.from(signEcdsa(payment, new TextEncoder().encode(message))).toString('base64')
    expect(await verify({ message, signature, address: payment.address, chainId: regtest })).toBe(true)
    expect(await verify({ message: `${message}a`, signature, address: payment.address, chainId: regtest })).toBe(false)
  })
})

test('rejects a signature with one changed byte', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...vectors.simple),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      async (vector, at, by) => {
        const bytes = Buffer.from(vector.signature.replace(/^smp/, ''), 'base64')
        const place = at % bytes.length
        bytes[place] = (bytes[place] ?? 0) ^ by
        const question = { message: vector.message, address: vector.address, chainId: mainnet } as const
        expect(await verify({ ...question, signature: bytes.toString('base64') })).toBe(false)
        expect(await verify({ ...question, signature: `smp${bytes.toString('base64')}` })).toBe(false)
      },
    ),
    { numRuns: 100 },
  )
})

test('rejects any other signature or address without throwing', async () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.base64String({ maxLength: 400 }),
    fc.uint8Array({ minLength: 60, maxLength: 70 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  )
  const address = fc.oneof(
    fc.constantFrom(...vectors.simple, ...vectors.full).map((vector) => vector.address),
    anything,
  )
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('', 'smp', 'ful'), anything, address, async (prefix, signature, to) => {
      expect(await verify({ message: 'm', signature: prefix + signature, address: to, chainId: mainnet })).toBe(false)
    }),
    { numRuns: 300 },
  )
  const long = 'A'.repeat(1_000_000)
  expect(await verify({ message: 'm', signature: long, address: p2tr, chainId: mainnet })).toBe(false)
  expect(await verify({ message: 'm', signature: draft, address: long, chainId: mainnet })).toBe(false)
})
