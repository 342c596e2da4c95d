import { hex } from '@scure/base'
import { describe, expect, test } from 'vitest'
import { bip122Verifier } from '../bip122'
import vectors from '../testing/bip322-vectors.json'
import { outputOf } from './address'
import { messageHash, toSignOf, toSpendOf } from './bip322'

const mainnet = 'bip122:000000000019d6689c085ae165831e93'
const { verify } = bip122Verifier()
const isGood = ({ message, address, signature }: { message: string; address: string; signature: string }) =>
  verify({ message, address, signature, chainId: mainnet })

/** Needs a script interpreter, or another nested kind. */
const notTaken = ['p2tr-time-lock', 'p2wsh-time-lock', 'p2sh-p2wsh-multisig-2of2', 'p2sh-multisig-2of2']

describe('the vectors of BIP-322', () => {
  test.each(vectors.hashes)('hashes "$message"', ({ message, address, ...hashes }) => {
    const output = outputOf(address, mainnet.slice(7))
    expect(output).toBeDefined()
    if (output === undefined) return
    const toSpend = toSpendOf(message, output.script)
    expect({
      messageHash: hex.encode(messageHash(message)),
      toSpend: toSpend.getId(),
      toSign: toSignOf(toSpend).getId(),
    }).toEqual(hashes)
  })

  test.each(vectors.simple)('1. verifies simple: $type, "$message"', async (vector) => {
    expect(await isGood(vector)).toBe(true)
    // The drafts had no prefix.
    expect(await isGood({ ...vector, signature: vector.signature.replace(/^smp/, '') })).toBe(true)
    expect(await isGood({ ...vector, message: `${vector.message} ` })).toBe(false)
  })

  test.each(vectors.full.filter(({ type }) => !notTaken.includes(type)))('1. verifies full: $type', async (vector) => {
    expect(await isGood(vector)).toBe(true)
    expect(await isGood({ ...vector, signature: vector.signature.replace(/^ful/, '') })).toBe(true)
    expect(await isGood({ ...vector, message: `${vector.message} ` })).toBe(false)
  })

  test.each(vectors.full.filter(({ type }) => notTaken.includes(type)))(
    '2. rejects scripts that cannot be run: $type',
    async (vector) => {
      expect(await isGood(vector)).toBe(false)
    },
  )

  test.each(vectors.proofsOfFunds)('2. rejects a proof of funds: $type', async (vector) => {
    expect(await isGood(vector)).toBe(false)
    expect(await isGood({ ...vector, signature: vector.signature.slice(3) })).toBe(false)
  })

  test.each(vectors.invalid)('$description', async (vector) => {
    expect(await isGood(vector)).toBe(false)
  })
})

test.each([
  ['simple', vectors.simple],
  ['full', vectors.full],
])('rejects a prefix that does not match the %s form', async (_, list) => {
  for (const vector of list) {
    const bare = vector.signature.replace(/^(smp|ful)/, '')
    const other = list === vectors.simple ? 'ful' : 'smp'
    for (const prefix of [other, 'pof', 'foo', 'SMP'])
      expect(await isGood({ ...vector, signature: prefix + bare })).toBe(false)
  }
})
