import * as ecc from '@bitcoinerlab/secp256k1'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { base64 } from '@scure/base'
import { crypto, payments, Transaction } from 'bitcoinjs-lib'
import { ECPairFactory } from 'ecpair'
import { expect, test } from 'vitest'
import { bitcoinAccount } from './accounts'
import { signBip322, signEcdsa } from './sign-message'
import { checkTaproot } from './taproot'

const utf8 = (text: string) => new TextEncoder().encode(text)
const ada = bitcoinAccount(0)

test.each([
  [
    '',
    'AkgwRQIhAPkJ1Q4oYS0htvyuSFHLxRQpFAY56b70UvE7Dxazen0ZAiAtZfFz1S6T6I23MWI2lK/pcNTWncuyL8UL+oMdydVgzAEhAsfxIAMZZEKUPYWI4BruhAQjzFT8FSFSajuFwrDL1Yhy',
  ],
  [
    'Hello World',
    'AkgwRQIhAOzyynlqt93lOKJr+wmmxIens//zPzl9tqIOua93wO6MAiBi5n5EyAcPScOjf1lAqIUIQtr3zKNeavYabHyR8eGhowEhAsfxIAMZZEKUPYWI4BruhAQjzFT8FSFSajuFwrDL1Yhy',
  ],
])('signs %j like the BIP-322 vectors', (message, signature) => {
  const key = ECPairFactory(ecc).fromWIF('L3VFeEujGtevx9w18HD1fhRbCH67Az2dpCymeRE1SoPK6XQtaN2k')
  const { address, output } = payments.p2wpkh({ pubkey: key.publicKey })
  expect(address).toBe('bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l')
  const account = { ...ada, payment: { ...ada.payment, key, output: output ?? new Uint8Array() } }
  expect(base64.encode(signBip322(account, 'payment', utf8(message)))).toBe(signature)
})

test('a taproot address signs BIP-322 with its output key', () => {
  const witness = signBip322(ada, 'ordinals', utf8('Hello World'))
  expect([witness.length, witness[0], witness[1]]).toEqual([66, 1, 64])
  const tag = crypto.sha256(utf8('BIP0322-signed-message'))
  const digest = crypto.sha256(Buffer.concat([tag, tag, utf8('Hello World')]))
  const toSpend = new Transaction()
  toSpend.version = 0
  toSpend.addInput(new Uint8Array(32), 0xffffffff, 0, Buffer.concat([Uint8Array.of(0, 32), digest]))
  toSpend.addOutput(ada.ordinals.output, 0n)
  const toSign = new Transaction()
  toSign.version = 0
  toSign.addInput(toSpend.getHash(), 0, 0)
  toSign.addOutput(Uint8Array.of(0x6a), 0n)
  toSign.setWitness(0, [witness.slice(2)])
  expect(checkTaproot(toSign, () => ({ script: ada.ordinals.output, value: 0n }))).toBe(null)
  toSign.locktime = 1
  expect(checkTaproot(toSign, () => ({ script: ada.ordinals.output, value: 0n }))).toContain('Invalid Schnorr')
})

test.each(['short', 'x'.repeat(300)])('an ECDSA signature recovers the public key (%#)', (message) => {
  const signature = signEcdsa(ada.payment, utf8(message))
  const header = signature[0] ?? 0
  expect(header).toBeGreaterThanOrEqual(39)
  const length = message.length < 0xfd ? [message.length] : [0xfd, message.length & 0xff, message.length >> 8]
  const digest = crypto.hash256(
    Buffer.concat([utf8('\u0018Bitcoin Signed Message:\n'), Uint8Array.from(length), utf8(message)]),
  )
  const recovered = secp256k1.Signature.fromBytes(signature.slice(1), 'compact')
    .addRecoveryBit(header - 39)
    .recoverPublicKey(digest)
  expect(Buffer.from(recovered.toBytes(true))).toEqual(Buffer.from(ada.payment.key.publicKey))
})
