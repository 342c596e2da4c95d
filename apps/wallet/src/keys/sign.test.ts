import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { parseTransaction } from '@postern/chains/solana/transaction'
import { base58, base64, createBase58check, hex } from '@scure/base'
import { Psbt, Transaction } from 'bitcoinjs-lib'
import fc from 'fast-check'
import * as Hex from 'ox/Hex'
import * as PersonalMessage from 'ox/PersonalMessage'
import * as Secp256k1 from 'ox/Secp256k1'
import * as Signature from 'ox/Signature'
import * as Eip1559 from 'ox/TxEnvelopeEip1559'
import * as Eip2930 from 'ox/TxEnvelopeEip2930'
import * as Legacy from 'ox/TxEnvelopeLegacy'
import { describe, expect, it } from 'vitest'
import { bip322Hash, bip322ToSpend, ownScript, signBip137, signBip322, signPsbt } from '../chains/bip122/keys/sign'
import { signPersonalMessage, signTransaction, signTypedData } from '../chains/eip155/keys/sign'
import { typedDataDigest } from '../chains/eip155/keys/typed-data'
import { isTransactionMessage } from '../chains/solana/keys/message'
import { signSolanaMessage, signSolanaTransactions } from '../chains/solana/keys/sign'
import { mail, mailDigest } from '../testing/eip712'

const key = (text: string) => new Uint8Array(hex.decode(text))
const text = (value: string) => base64.encode(new TextEncoder().encode(value))

describe('EIP-191', () => {
  it('matches another library’s verification, whatever the bytes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 512 }),
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        (bytes, random) => {
          const secret = new Uint8Array(random)
          fc.pre(secp256k1.utils.isValidPrivateKey(secret))
          const message = Hex.fromBytes(bytes)
          const signature = signPersonalMessage(message, secret)
          const publicKey = Secp256k1.getPublicKey({ privateKey: Hex.fromBytes(secret) })
          const payload = PersonalMessage.getSignPayload(message)
          expect(Secp256k1.verify({ payload, publicKey, signature: Signature.fromHex(signature) })).toBe(true)
        },
      ),
      { numRuns: 30 },
    )
  })

  it('matches the published signature', () => {
    // Source: https://web3js.readthedocs.io/en/v1.10.0/web3-eth-accounts.html#sign
    const secret = key('4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318')
    expect(signPersonalMessage(Hex.fromString('Some data'), secret)).toBe(
      '0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c',
    )
  })

  it('rejects text that is not hex', () => {
    expect(() => signPersonalMessage('0xabc', key('01'.repeat(32)))).toThrow('BAD_JOB')
  })
})

describe('EIP-712', () => {
  // Source: https://eips.ethereum.org/EIPS/eip-712, assets/eip-712/Example.js; the key is keccak256('cow').
  const cow = key('c85ef7d79691fe79573b1a7064c19c1a9819ebdbd1faaab1a8ec92344438aaf4')

  it('signs the standard’s Mail example', () => {
    expect(typedDataDigest(JSON.stringify(mail))).toBe(mailDigest)
    expect(signTypedData(JSON.stringify(mail), cow)).toBe(
      '0x4355c47d63924e8a72e509b65029052eb6c299d53a04e167c5775fd466751c9d07299936d304c153f6443dfa05f40ff007d72911b6f72307f996231605b915621c',
    )
  })

  it('reads a chain id and numbers given as text', () => {
    const same = [1, '1', '0x1'].map((chainId) =>
      typedDataDigest(JSON.stringify({ ...mail, domain: { ...mail.domain, chainId } })),
    )
    expect(new Set(same).size).toBe(1)
  })

  it('derives the domain’s type if it is missing', () => {
    const { EIP712Domain: _given, ...types } = mail.types
    expect(typedDataDigest(JSON.stringify({ ...mail, types }))).toBe(typedDataDigest(JSON.stringify(mail)))
  })

  it('hashes nested arrays and structs like v4', () => {
    // Source: https://github.com/MetaMask/eth-sig-util/blob/main/src/sign-typed-data.test.ts ("Group" and "Person" with arrays of addresses)
    const group = {
      types: {
        EIP712Domain: mail.types.EIP712Domain,
        Group: [
          { name: 'name', type: 'string' },
          { name: 'members', type: 'Person[]' },
        ],
        Mail: [
          { name: 'from', type: 'Person' },
          { name: 'to', type: 'Person[]' },
          { name: 'contents', type: 'string' },
        ],
        Person: [
          { name: 'name', type: 'string' },
          { name: 'wallets', type: 'address[]' },
        ],
      },
      domain: mail.domain,
      primaryType: 'Mail',
      message: {
        from: {
          name: 'Cow',
          wallets: ['0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826', '0xDeaDbeefdEAdbeefdEadbEEFdeadbeEFdEaDbeeF'],
        },
        to: [
          {
            name: 'Bob',
            wallets: [
              '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB',
              '0xB0BdaBea57B0BDABeA57b0bdABEA57b0BDabEa57',
              '0xB0B0b0b0b0b0B000000000000000000000000000',
            ],
          },
        ],
        contents: 'Hello, Bob!',
      },
    }
    expect(typedDataDigest(JSON.stringify(group))).toBe(
      '0xa85c2e2b118698e88db68a8105b794a8cc7cec074e89ef991cb4f5f533819cc2',
    )
  })

  it.each([
    ['a missing member', { ...mail, message: { from: mail.message.from, to: mail.message.to } }],
    ['an unknown primary type', { ...mail, primaryType: 'Letter' }],
    ['a primary type of the prototype', { ...mail, primaryType: 'constructor' }],
    ['an unknown type', { ...mail, types: { ...mail.types, Person: [{ name: 'name', type: 'Name' }] } }],
    ['an invalid address', { ...mail, message: { ...mail.message, to: { name: 'Bob', wallet: '0x1234' } } }],
    ['a number out of exactness', { ...mail, domain: { ...mail.domain, chainId: 2 ** 53 } }],
    ['a negative unsigned number', { ...mail, domain: { ...mail.domain, chainId: -1 } }],
    [
      'two members of one name',
      { ...mail, types: { ...mail.types, Person: [...mail.types.Person, { name: 'name', type: 'string' }] } },
    ],
  ])('rejects %s', (_what, data) => {
    expect(() => typedDataDigest(JSON.stringify(data))).toThrow('BAD_JOB')
  })

  it('rejects endlessly recursive types', () => {
    const endless = { types: { Node: [{ name: 'next', type: 'Node' }] }, primaryType: 'Node', domain: {}, message: {} }
    let message: Record<string, unknown> = {}
    for (let depth = 0; depth < 100; depth++) message = { next: message }
    expect(() => typedDataDigest(JSON.stringify({ ...endless, message }))).toThrow('BAD_JOB')
  })

  it('only ever throws BAD_JOB', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          fc.string(),
          fc.jsonValue().map((value) => JSON.stringify({ ...mail, message: value })),
        ),
        (json) => {
          expect(() => typedDataDigest(json)).toThrow('BAD_JOB')
        },
      ),
    )
  })
})

describe('EVM transactions', () => {
  // Source: https://eips.ethereum.org/EIPS/eip-155, example.
  const secret = key('46'.repeat(32))
  const unsigned = '0xec098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a764000080018080'

  it('signs EIP-155’s example transaction', () => {
    expect(signTransaction(unsigned, secret)).toBe(
      '0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83',
    )
  })

  it('rejects a legacy transaction without a chain id, and a signed one', () => {
    const anywhere = Legacy.serialize({ nonce: 9n, gasPrice: 1n, gas: 21_000n, to: `0x${'35'.repeat(20)}`, value: 1n })
    expect(() => signTransaction(anywhere, secret)).toThrow('BAD_JOB')
    expect(() => signTransaction(signTransaction(unsigned, secret), secret)).toThrow('BAD_JOB')
  })

  it('signs EIP-1559 bytes exactly as given', () => {
    fc.assert(
      fc.property(
        fc.record({
          chainId: fc.integer({ min: 1, max: 2 ** 31 }),
          nonce: fc.bigInt({ min: 0n, max: 2n ** 32n }),
          value: fc.bigInt({ min: 0n, max: 2n ** 128n }),
          gas: fc.bigInt({ min: 0n, max: 2n ** 32n }),
          data: fc.uint8Array({ maxLength: 64 }),
        }),
        ({ data, ...rest }) => {
          const transaction = {
            ...rest,
            data: Hex.fromBytes(data),
            to: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
            maxFeePerGas: 20n,
            maxPriorityFeePerGas: 2n,
            type: 'eip1559',
          } as const
          const bytes = Eip1559.serialize(transaction)
          const signed = Eip1559.deserialize(assertEip1559(signTransaction(bytes, secret)))
          const { r, s, yParity, ...inner } = signed
          expect(Eip1559.serialize(inner)).toBe(bytes)
          const payload = Eip1559.getSignPayload(transaction)
          const signature = { r: r ?? 0n, s: s ?? 0n, yParity: yParity ?? 0 }
          expect(Secp256k1.recoverAddress({ payload, signature })).toBe('0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f')
        },
      ),
      { numRuns: 30 },
    )
  })

  it('signs EIP-2930 bytes exactly as given', () => {
    const transaction = {
      type: 'eip2930',
      chainId: 1,
      nonce: 7n,
      gas: 30_000n,
      gasPrice: 20n,
      value: 1n,
      to: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
      accessList: [{ address: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', storageKeys: [`0x${'11'.repeat(32)}`] }],
    } as const
    const bytes = Eip2930.serialize(transaction)
    const text = signTransaction(bytes, secret)
    const { r = 0n, s = 0n, yParity = 0, ...inner } = Eip2930.deserialize(`0x01${text.slice(4)}`)
    expect(Eip2930.serialize(inner)).toBe(bytes)
    const payload = Eip2930.getSignPayload(transaction)
    expect(Secp256k1.recoverAddress({ payload, signature: { r, s, yParity } })).toBe(
      '0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f',
    )
    expect(() => signTransaction(text, secret)).toThrow('BAD_JOB')
    expect(() => signTransaction(`${bytes}00`, secret)).toThrow()
  })

  it('rejects other transaction types and malformed bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), (bytes) => {
        expect(() => signTransaction(Hex.fromBytes(bytes), secret)).toThrow()
      }),
    )
    expect(() => signTransaction('0x01c0', secret)).toThrow()
  })
})

function assertEip1559(bytes: `0x${string}`): Eip1559.Serialized {
  if (!isEip1559(bytes)) throw new Error('Not a transaction of EIP-1559')
  return bytes
}

function isEip1559(bytes: `0x${string}`): bytes is Eip1559.Serialized {
  return bytes.startsWith('0x02')
}

describe('ed25519', () => {
  // Source: RFC 8032, section 7.1, tests 2 and 3.
  it.each([
    [
      '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
      '72',
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    ],
    [
      'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
      'af82',
      '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
    ],
  ])('%s signs %s', (secret, message, signature) => {
    const signed = signSolanaMessage(base64.encode(hex.decode(message)), key(secret))
    expect(hex.encode(base58.decode(signed))).toBe(signature)
  })
})

describe('Solana', () => {
  const secret = key('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb')
  const owner = ed25519.getPublicKey(secret)
  const other = new Uint8Array(32).fill(7)
  /** A System Program transfer with `signers` first. */
  const message = (signers: readonly Uint8Array[], isVersioned: boolean) =>
    Uint8Array.of(
      ...(isVersioned ? [0x80] : []),
      signers.length,
      0,
      1,
      signers.length + 2,
      ...signers.flatMap((signer) => [...signer]),
      ...new Uint8Array(32).fill(9),
      ...new Uint8Array(32),
      ...new Uint8Array(32).fill(3),
      1,
      signers.length + 1,
      2,
      0,
      signers.length,
      12,
      ...[2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0],
      ...(isVersioned ? [0] : []),
    )
  const transaction = (signers: readonly Uint8Array[], isVersioned: boolean) =>
    base64.encode(
      Uint8Array.of(signers.length, ...new Uint8Array(64 * signers.length), ...message(signers, isVersioned)),
    )

  it.each([false, true])(
    'signs a transaction at its own position and changes nothing else (versioned: %s)',
    (isVersioned) => {
      const asked = transaction([other, owner], isVersioned)
      const signed = parseTransaction(signSolanaTransactions([asked], secret))
      expect(signed.message).toEqual(parseTransaction(asked).message)
      expect(signed.signatures[0]).toEqual(new Uint8Array(64))
      expect(ed25519.verify(signed.signatures[1] ?? new Uint8Array(), signed.message, owner)).toBe(true)
    },
  )

  it('signs several, separated by spaces, and rejects all if one is not ours', () => {
    const mine = transaction([owner], true)
    expect(signSolanaTransactions([mine, mine], secret).split(' ')).toHaveLength(2)
    expect(() => signSolanaTransactions([mine, transaction([other], true)], secret)).toThrow()
  })

  it.each([false, true])('rejects a message that parses as a transaction (versioned: %s)', (isVersioned) => {
    const disguised = message([owner], isVersioned)
    expect(isTransactionMessage(disguised)).toBe(true)
    expect(() => signSolanaMessage(base64.encode(disguised), secret)).toThrow('NOT_A_MESSAGE')
  })

  it('rejects an unknown version', () => {
    expect(() => signSolanaMessage(base64.encode(new Uint8Array(100).fill(0x81)), secret)).toThrow('NOT_A_MESSAGE')
  })

  it('signs any text and any message that is not a transaction', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 2000 }), (words) => {
        const signature = base58.decode(signSolanaMessage(text(words), secret))
        expect(ed25519.verify(signature, new TextEncoder().encode(words), owner)).toBe(true)
      }),
      { numRuns: 50 },
    )
  })
})

describe('BIP-322', () => {
  // Source: https://github.com/bitcoin/bips/blob/master/bip-0322.mediawiki, test vectors. Of its two signatures, ours
  // is the one without low-r grinding.
  const base58check = createBase58check((bytes: Uint8Array) => Uint8Array.from(sha256(bytes)))
  const secret = new Uint8Array(base58check.decode('L3VFeEujGtevx9w18HD1fhRbCH67Az2dpCymeRE1SoPK6XQtaN2k').slice(1, 33))

  it.each([
    [
      '',
      'c90c269c4f8fcbe6880f72a721ddfbf1914268a794cbb21cfafee13770ae19f1',
      'c5680aa69bb8d860bf82d4e9cd3504b55dde018de765a91bb566283c545a99a7',
      'AkgwRQIhAPkJ1Q4oYS0htvyuSFHLxRQpFAY56b70UvE7Dxazen0ZAiAtZfFz1S6T6I23MWI2lK/pcNTWncuyL8UL+oMdydVgzAEhAsfxIAMZZEKUPYWI4BruhAQjzFT8FSFSajuFwrDL1Yhy',
    ],
    [
      'Hello World',
      'f0eb03b1a75ac6d9847f55c624a99169b5dccba2a31f5b23bea77ba270de0a7a',
      'b79d196740ad5217771c1098fc4a4b51e0535c32236c71f1ea4d61a2d603352b',
      'AkgwRQIhAOzyynlqt93lOKJr+wmmxIens//zPzl9tqIOua93wO6MAiBi5n5EyAcPScOjf1lAqIUIQtr3zKNeavYabHyR8eGhowEhAsfxIAMZZEKUPYWI4BruhAQjzFT8FSFSajuFwrDL1Yhy',
    ],
  ])('signs “%s”', (message, hash, toSpend, signature) => {
    expect(hex.encode(bip322Hash(message))).toBe(hash)
    expect(bip322ToSpend(message, ownScript(secret)).getId()).toBe(toSpend)
    expect(signBip322(message, secret)).toBe(signature)
  })

  it('signs BIP-137 with the native segwit header, recoverable to our key', () => {
    const bytes = base64.decode(signBip137('Hello World', secret))
    expect(bytes).toHaveLength(65)
    const header = bytes[0] ?? 0
    expect(header).toBeGreaterThanOrEqual(39)
    expect(header).toBeLessThanOrEqual(42)
    const digest = sha256(sha256(new TextEncoder().encode('\u0018Bitcoin Signed Message:\n\u000bHello World')))
    const recovered = secp256k1.Signature.fromCompact(bytes.slice(1))
      .addRecoveryBit(header - 39)
      .recoverPublicKey(digest)
    expect(recovered.toRawBytes(true)).toEqual(secp256k1.getPublicKey(secret, true))
  })
})

describe('PSBT', () => {
  // Source: https://github.com/bitcoin/bips/blob/master/bip-0143.mediawiki, native P2WPKH.
  const secret = key('619c335025c7f4012e556c2a58b2506e30b8511b53ade95ea316fd8c3286feb9')
  const unsigned =
    '0100000002fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f0000000000eeffffffef51e1b804cc89d182d279655c3aa89e815b1b309fe287d9b2b55d57b90ec68a0100000000ffffffff02202cb206000000001976a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac9093510d000000001976a9143bde42dbee7e4dbe6a21b2d50ce2f0167faa815988ac11000000'

  function vector(change: (psbt: Psbt) => void = () => undefined): string {
    const transaction = Transaction.fromHex(unsigned)
    const psbt = new Psbt().setVersion(transaction.version).setLocktime(transaction.locktime)
    const scripts = [
      '2103c9f4836b9a4f77fc0d81f7bcb01b7f1b35916864b9476c241ce9fc198bd25432ac',
      '00141d0f172a0ecb48aee1be1f2687d2963ae33f71a1',
    ]
    for (const [place, input] of transaction.ins.entries())
      psbt.addInput({
        hash: input.hash,
        index: input.index,
        sequence: input.sequence,
        witnessUtxo: { script: hex.decode(scripts[place] ?? ''), value: place === 0 ? 625_000_000n : 600_000_000n },
      })
    for (const { script, value } of transaction.outs) psbt.addOutput({ script, value })
    change(psbt)
    return psbt.toBase64()
  }

  it('signs BIP-143’s input', () => {
    const signed = Psbt.fromBase64(signPsbt(vector(), [{ index: 1 }], secret))
    expect(hex.encode(signed.data.inputs[1]?.partialSig?.[0]?.signature ?? new Uint8Array())).toBe(
      '304402203609e17b84f6a7d30c80bfa610b5b4542f32a8a0d5447a12fb1366d7f01cc44a0220573a954c4518331561406f90300e8f3358f51928d43c212a8caed02de67eebee01',
    )
    expect(signed.data.inputs[0]?.partialSig).toBeUndefined()
    expect(hex.encode(signed.data.globalMap.unsignedTx.toBuffer())).toBe(unsigned)
  })

  it.each([
    ['an input that is not ours', vector(), [{ index: 0 }]],
    ['an input that is not there', vector(), [{ index: 7 }]],
    ['no input', vector(), []],
    ['SIGHASH_NONE', vector(), [{ index: 1, sighash: Transaction.SIGHASH_NONE }]],
    [
      'a signature type that only the PSBT asks for',
      vector((psbt) => psbt.updateInput(1, { sighashType: 0x83 })),
      [{ index: 1 }],
    ],
    [
      'our script behind a witness script',
      vector((psbt) => psbt.updateInput(1, { witnessScript: Uint8Array.of(0x51) })),
      [{ index: 1 }],
    ],
    ['bytes that are no PSBT', 'cHNidP8=', [{ index: 0 }]],
  ])('rejects %s', (_what, psbt, inputs) => {
    expect(() => signPsbt(psbt, inputs, secret)).toThrow()
  })

  it('signs a listing only if there is an output at its index', () => {
    const listing = Transaction.SIGHASH_SINGLE | Transaction.SIGHASH_ANYONECANPAY
    const signed = Psbt.fromBase64(signPsbt(vector(), [{ index: 1, sighash: listing }], secret))
    expect(signed.data.inputs[1]?.partialSig?.[0]?.signature.at(-1)).toBe(listing)
    const short = new Psbt()
    const { script } = { script: ownScript(secret) }
    for (const place of [0, 1])
      short.addInput({ hash: new Uint8Array(32).fill(place + 1), index: 0, witnessUtxo: { script, value: 1000n } })
    short.addOutput({ script, value: 900n })
    expect(() => signPsbt(short.toBase64(), [{ index: 1, sighash: listing }], secret)).toThrow('BAD_JOB')
  })
})
