import { sha256 } from '@noble/hashes/sha2.js'
import { segwitAddressOf } from '@postern/chains/bip122/segwit-address'
import { createBase58check, hex } from '@scure/base'
import { entropyToMnemonic, mnemonicToEntropy, mnemonicToSeedSync } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressesOf, keysOf } from './derive'
import { exportOf } from './export'
import { deriveEd25519, deriveSecp256k1 } from './hd'
import { mnemonicBytes, seedOf } from './mnemonic'

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const own = (bytes: Uint8Array) => new Uint8Array(bytes)
const base58check = createBase58check((bytes: Uint8Array) => Uint8Array.from(sha256(bytes)))
const hardened = (index: number) => index + 0x8000_0000

describe('BIP-39', () => {
  // Source: https://github.com/trezor/python-mnemonic/blob/master/vectors.json, the 128-bit ones. Their seeds use the
  // passphrase TREZOR, so seeds are compared with the library.
  it.each([
    [
      '00000000000000000000000000000000',
      'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
    ],
    ['7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f', 'legal winner thank year wave sausage worth useful legal winner thank yellow'],
    [
      '80808080808080808080808080808080',
      'letter advice cage absurd amount doctor acoustic avoid letter advice cage above',
    ],
    ['ffffffffffffffffffffffffffffffff', 'zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong'],
    [
      '5baf069620eff15c71dd97c9a6ee328f',
      'forum join pitch dove yellow purchase shuffle real situate danger million bunker',
    ],
    ['63deb1e7f0c3de56f4ab43c9d2ae6c86', 'glow void ketchup thunder digital clock sport half six nice open artefact'],
    [
      '00641669f095b433a304ed0f953f28eb',
      'about camera omit thrive forget border metal oval auto prepare sketch stomach',
    ],
  ])('%s gives the vector’s words', (entropy, words) => {
    expect(text(mnemonicBytes(hex.decode(entropy)))).toBe(words)
  })

  it('matches the audited library’s words and seed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 16, maxLength: 16 }), async (entropy) => {
        const words = entropyToMnemonic(entropy, wordlist)
        expect(text(mnemonicBytes(entropy))).toBe(words)
        expect(hex.encode(await seedOf(entropy))).toBe(hex.encode(mnemonicToSeedSync(words)))
      }),
      { numRuns: 20 },
    )
  })

  it('accepts exactly 128 bits', () => {
    expect(() => mnemonicBytes(new Uint8Array(15))).toThrow(RangeError)
    expect(() => mnemonicBytes(new Uint8Array(32))).toThrow(RangeError)
  })
})

describe('BIP-32', () => {
  // Source: https://github.com/bitcoin/bips/blob/master/bip-0032.mediawiki, test vectors 1 and 2; the private keys are
  // those of the extended keys there.
  it.each([
    [
      '000102030405060708090a0b0c0d0e0f',
      [],
      'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi',
    ],
    [
      '000102030405060708090a0b0c0d0e0f',
      [hardened(0), 1, hardened(2), 2, 1_000_000_000],
      'xprvA41z7zogVVwxVSgdKUHDy1SKmdb533PjDz7J6N6mV6uS3ze1ai8FHa8kmHScGpWmj4WggLyQjgPie1rFSruoUihUZREPSL39UNdE3BBDu76',
    ],
    [
      'fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a29f9c999693908d8a8784817e7b7875726f6c696663605d5a5754514e4b484542',
      [0, hardened(2_147_483_647), 1, hardened(2_147_483_646), 2],
      'xprvA2nrNbFZABcdryreWet9Ea4LvTJcGsqrMzxHx98MMrotbir7yrKCEXw7nadnHM8Dq38EGfSh6dqA9QWTyefMLEcBYJUuekgW4BYPJcr9E7j',
    ],
  ])('%s along %j', (seed, path, extended) => {
    expect(hex.encode(deriveSecp256k1(hex.decode(seed), path))).toBe(privateKeyOf(extended))
  })
})

describe('SLIP-10 for ed25519', () => {
  // Source: https://github.com/satoshilabs/slips/blob/master/slip-0010.md, test vectors 1 and 2 for ed25519.
  const [one, two] = [
    '000102030405060708090a0b0c0d0e0f',
    'fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a29f9c999693908d8a8784817e7b7875726f6c696663605d5a5754514e4b484542',
  ]
  it.each([
    [one, [], '2b4be7f19ee27bbf30c667b642d5f4aa69fd169872f8fc3059c08ebae2eb19e7'],
    [one, [0], '68e0fe46dfb67e368c75379acec591dad19df3cde26e63b93a8e704f1dade7a3'],
    [one, [0, 1, 2, 2, 1_000_000_000], '8f94d394a8e8fd6b1bc2f3f49f5c47e385281d5c17e65324b0f62483e37e8793'],
    [two, [], '171cb88b1b3c1db25add599712e36245d75bc65a1a5c9e18d76f9f2b1eab4012'],
  ])('%s along %j', (seed, path, key) => {
    expect(hex.encode(deriveEd25519(hex.decode(seed), path))).toBe(key)
  })
})

describe('the wallet of a known phrase', () => {
  it('has the known accounts of the development phrase', async () => {
    // First account of anvil and hardhat. Source: https://getfoundry.sh/anvil/overview
    const entropy = own(mnemonicToEntropy('test test test test test test test test test test test junk', wordlist))
    const keys = await keysOf(entropy)
    expect(addressesOf(keys).eip155).toBe('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')
    expect(exportOf({ entropy, keys }).eip155).toBe(
      '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
    )
  })

  it('has BIP-84’s first address and key', async () => {
    // Source: https://github.com/bitcoin/bips/blob/master/bip-0084.mediawiki, account 0, first receiving address.
    const entropy = new Uint8Array(16)
    const keys = await keysOf(entropy)
    const { bip122 } = addressesOf(keys)
    expect(bip122).toBe('0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c')
    expect(segwitAddressOf(bip122, 'bip122:000000000019d6689c085ae165831e93')).toBe(
      'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
    )
    const exported = exportOf({ entropy, keys })
    expect(exported.bip122).toBe('KyZpNDKnfs94vbrwhJneDi77V6jF64PWPF8x5cdJb8ifgg2DUc9d')
    expect(exported.mnemonic).toBe(
      'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
    )
  })
})

function privateKeyOf(extended: string): string {
  return hex.encode(base58check.decode(extended).slice(-32))
}
