/** Valid except for one change. */
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { base64 } from '@scure/base'
import { address as addresses, networks, type Transaction } from 'bitcoinjs-lib'
import { describe, expect, test } from 'vitest'
import { bip122Verifier } from '../bip122'
import { outputOf, payToKeyHash, payToWitnessKeyHash } from './address'
import { toSignOf, toSpendOf } from './bip322'
import { compactSize, hash160 } from './bytes'

const mainnet = 'bip122:000000000019d6689c085ae165831e93'
const message = 'app.example wants you to sign in with your Bitcoin account:'
const { verify } = bip122Verifier()

const secrets = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte))
const [secret = new Uint8Array()] = secrets
const keyOf = (of: Uint8Array, isCompressed = true) => secp256k1.getPublicKey(of, isCompressed)
const bech32 = (version: number, program: Uint8Array) => addresses.toBech32(program, version, networks.bitcoin.bech32)

const keyHash = hash160(keyOf(secret))
const p2wpkh = bech32(0, keyHash)
const redeem = payToWitnessKeyHash(keyHash)
const p2sh = addresses.toBase58Check(hash160(redeem), networks.bitcoin.scriptHash)
const p2tr = bech32(1, keyOf(secret).slice(1))
const twoOfThree = Uint8Array.of(0x52, ...secrets.flatMap((each) => [33, ...keyOf(each)]), 0x53, 0xae)
const p2wsh = bech32(0, sha256(twoOfThree))

function scriptOf(address: string): Uint8Array {
  const output = outputOf(address, mainnet.slice('bip122:'.length))
  if (output === undefined) throw new Error(`${address} is not an address.`)
  return output.script
}

const fresh = (address: string) => toSignOf(toSpendOf(message, scriptOf(address)))

type Signing = { readonly by?: Uint8Array; readonly type?: number; readonly isHigh?: boolean }

function ecdsa(digest: Uint8Array, { by = secret, type = 1, isHigh = false }: Signing = {}): Uint8Array {
  const low = secp256k1.sign(digest, by)
  const signature = isHigh ? new secp256k1.Signature(low.r, secp256k1.CURVE.n - low.s) : low
  return Uint8Array.of(...signature.toDERRawBytes(), type)
}

const v0 = (toSign: Transaction, script: Uint8Array, type = 1) => toSign.hashForWitnessV0(0, script, 0n, type)

const simple = (witness: readonly Uint8Array[]) =>
  base64.encode(Uint8Array.from([witness.length, ...witness.flatMap((item) => [...compactSize(item.length), ...item])]))
const full = (toSign: Transaction) => base64.encode(Uint8Array.from(toSign.toBuffer()))

const isGood = (address: string, signature: string) => verify({ message, signature, address, chainId: mainnet })

describe('P2WPKH', () => {
  const witness = (options: Signing = {}) => [
    ecdsa(v0(fresh(p2wpkh), payToKeyHash(keyHash), options.type), options),
    keyOf(secret),
  ]

  test('accepts a valid signature', async () => {
    expect(await isGood(p2wpkh, simple(witness()))).toBe(true)
  })

  test.each([0x00, 0x02, 0x03, 0x81, 0x82, 0x83])('rejects signature type %i, which commits to less', async (type) => {
    expect(await isGood(p2wpkh, simple(witness({ type })))).toBe(false)
  })

  test('rejects a high s, another key, and a missing or extra item', async () => {
    const [signature = secret, key = secret] = witness()
    expect(await isGood(p2wpkh, simple(witness({ isHigh: true })))).toBe(false)
    expect(await isGood(p2wpkh, simple(witness({ by: new Uint8Array(32).fill(9) })))).toBe(false)
    expect(await isGood(p2wpkh, simple([signature, keyOf(secret, false)]))).toBe(false)
    expect(await isGood(p2wpkh, simple([signature]))).toBe(false)
    expect(await isGood(p2wpkh, simple([signature, key, key]))).toBe(false)
    expect(await isGood(p2wpkh, simple([new Uint8Array(), key]))).toBe(false)
  })
})

test('rejects P2WPKH with an uncompressed key, which BIP-143 does not allow', async () => {
  const key = keyOf(secret, false)
  const address = bech32(0, hash160(key))
  const signature = ecdsa(v0(fresh(address), payToKeyHash(hash160(key))))
  expect(await isGood(address, simple([signature, key]))).toBe(false)
})

describe('a full proof', () => {
  const signed = (change: (toSign: Transaction) => unknown = () => undefined) => {
    const toSign = fresh(p2wpkh)
    change(toSign)
    toSign.setWitness(0, [ecdsa(v0(toSign, payToKeyHash(keyHash))), keyOf(secret)])
    return full(toSign)
  }

  test('accepts a valid one with any time fields', async () => {
    expect(await isGood(p2wpkh, signed())).toBe(true)
    const timed = signed((toSign) => {
      toSign.version = 2
      toSign.locktime = 900_000
      for (const input of toSign.ins) input.sequence = 5
    })
    expect(await isGood(p2wpkh, timed)).toBe(true)
    expect(await isGood(p2wpkh, `ful${timed}`)).toBe(true)
    expect(await isGood(p2wpkh, `smp${timed}`)).toBe(false)
  })

  test.each<[string, (toSign: Transaction) => unknown]>([
    ['of another version', (toSign) => Object.assign(toSign, { version: 1 })],
    ['with one more output', (toSign) => toSign.addOutput(Uint8Array.of(0x6a), 0n)],
    ['with one more input', (toSign) => toSign.addInput(new Uint8Array(32).fill(1), 0)],
    ['that pays', ({ outs: [output = {}] }) => Object.assign(output, { value: 1n })],
    ['that pays to a script', ({ outs: [output = {}] }) => Object.assign(output, { script: scriptOf(p2tr) })],
    ['that spends another output', ({ ins: [input = {}] }) => Object.assign(input, { index: 1 })],
    ['of another message', ({ ins: [input = {}] }) => Object.assign(input, { hash: new Uint8Array(32).fill(1) })],
    ['with a script in its input', (toSign) => toSign.setInputScript(0, Uint8Array.of(0x51))],
  ])('%s', async (_, change) => {
    expect(await isGood(p2wpkh, signed(change))).toBe(false)
  })

  test('rejects a trailing byte', async () => {
    const bytes = base64.decode(signed())
    expect(await isGood(p2wpkh, base64.encode(Uint8Array.of(...bytes, 0)))).toBe(false)
  })
})

describe('P2SH-P2WPKH', () => {
  const witnessOf = (toSign: Transaction) => [ecdsa(v0(toSign, payToKeyHash(keyHash))), keyOf(secret)]
  const signed = (script: Uint8Array) => {
    const toSign = fresh(p2sh)
    toSign.setInputScript(0, script)
    toSign.setWitness(0, witnessOf(toSign))
    return full(toSign)
  }

  test('accepts the witness alone, as wallets sign', async () => {
    expect(await isGood(p2sh, simple(witnessOf(fresh(p2sh))))).toBe(true)
    expect(await isGood(p2sh, simple(witnessOf(fresh(p2wpkh))))).toBe(false)
  })

  test('full: requires the script that the address hashes', async () => {
    expect(await isGood(p2sh, signed(Uint8Array.of(22, ...redeem)))).toBe(true)
    expect(await isGood(p2sh, signed(new Uint8Array()))).toBe(false)
    expect(await isGood(p2sh, signed(Uint8Array.of(0x4c, 22, ...redeem)))).toBe(false)
    expect(await isGood(p2sh, signed(Uint8Array.of(22, ...payToWitnessKeyHash(new Uint8Array(20)))))).toBe(false)
  })
})

describe('P2WSH with two of three keys', () => {
  const sign = (index: number) => ecdsa(v0(fresh(p2wsh), twoOfThree), { by: secrets[index] ?? secret })
  const nothing = new Uint8Array()

  test.each([[[0, 1]], [[0, 2]], [[1, 2]]])('accepts signatures by %j', async (signers) => {
    expect(await isGood(p2wsh, simple([nothing, ...signers.map(sign), twoOfThree]))).toBe(true)
  })

  test.each([[[0]], [[]], [[0, 0]], [[2, 0]], [[0, 1, 2]]])('rejects signatures by %j', async (signers) => {
    expect(await isGood(p2wsh, simple([nothing, ...signers.map(sign), twoOfThree]))).toBe(false)
  })

  test('rejects another script, or a non-empty dummy element', async () => {
    const oneOfThree = Uint8Array.of(0x51, ...twoOfThree.slice(1))
    expect(await isGood(p2wsh, simple([nothing, sign(0), oneOfThree]))).toBe(false)
    expect(await isGood(p2wsh, simple([Uint8Array.of(1), sign(0), sign(1), twoOfThree]))).toBe(false)
    expect(await isGood(p2wsh, simple([sign(0), sign(1), twoOfThree]))).toBe(false)
  })

  test.each([
    ['no condition', Uint8Array.of(0x51)],
    ['no required signature', Uint8Array.of(0x50, 0x50, 0xae)],
    ['no keys', Uint8Array.of(0x00, 0x00, 0xae)],
    ['more signatures than keys', Uint8Array.of(0x52, 33, ...keyOf(secret), 0x51, 0xae)],
  ])('rejects any spend of a script with %s', async (_, script) => {
    const address = bech32(0, sha256(script))
    const signature = ecdsa(v0(fresh(address), script))
    for (const items of [[], [nothing], [nothing, nothing], [nothing, signature], [nothing, signature, signature]])
      expect(await isGood(address, simple([...items, script]))).toBe(false)
  })
})

describe('P2TR by key path', () => {
  const sign = (type: number) => {
    const digest = fresh(p2tr).hashForWitnessV1(0, [scriptOf(p2tr)], [0n], type)
    return Uint8Array.of(...schnorr.sign(digest, secret), ...(type === 0 ? [] : [type]))
  }

  test.each([0x00, 0x01])('accepts hash type %i', async (type) => {
    expect(await isGood(p2tr, simple([sign(type)]))).toBe(true)
  })

  test.each([0x02, 0x03, 0x81, 0x82, 0x83])('rejects hash type %i', async (type) => {
    expect(await isGood(p2tr, simple([sign(type)]))).toBe(false)
  })

  test('rejects an explicit type 0, an annex and a script path', async () => {
    expect(await isGood(p2tr, simple([Uint8Array.of(...sign(0), 0)]))).toBe(false)
    expect(await isGood(p2tr, simple([Uint8Array.of(...sign(1).slice(0, 64), 2)]))).toBe(false)
    expect(await isGood(p2tr, simple([sign(0), Uint8Array.of(0x50, 1)]))).toBe(false)
    expect(await isGood(p2tr, simple([Uint8Array.of(0x51), Uint8Array.of(0xc0, ...keyOf(secret).slice(1))]))).toBe(
      false,
    )
  })
})

describe('P2PKH', () => {
  const signed = ({
    isCompressed = true,
    ...options
  }: {
    isCompressed?: boolean
    type?: number
    isHigh?: boolean
  } = {}) => {
    const key = keyOf(secret, isCompressed)
    const address = addresses.toBase58Check(hash160(key), networks.bitcoin.pubKeyHash)
    const toSign = fresh(address)
    const signature = ecdsa(toSign.hashForSignature(0, scriptOf(address), options.type ?? 1), options)
    toSign.setInputScript(0, Uint8Array.of(signature.length, ...signature, key.length, ...key))
    return { address, toSign }
  }

  test.each([true, false])('accepts full, with a compressed key: %s', async (isCompressed) => {
    const { address, toSign } = signed({ isCompressed })
    expect(await isGood(address, full(toSign))).toBe(true)
  })

  test('rejects a partial commitment, a high s, an extra witness and a non-minimal push', async () => {
    for (const { address, toSign } of [signed({ type: 2 }), signed({ type: 0x81 }), signed({ isHigh: true })])
      expect(await isGood(address, full(toSign))).toBe(false)
    const { address, toSign } = signed()
    const script = Uint8Array.from(toSign.ins[0]?.script ?? [])
    toSign.setWitness(0, [Uint8Array.of(1)])
    expect(await isGood(address, full(toSign))).toBe(false)
    toSign.setWitness(0, [])
    expect(await isGood(address, full(toSign))).toBe(true)
    for (const other of [Uint8Array.of(0x4c, ...script), Uint8Array.of(...script, 0x51), Uint8Array.of(0, ...script)]) {
      toSign.setInputScript(0, other)
      expect(await isGood(address, full(toSign))).toBe(false)
    }
  })
})
