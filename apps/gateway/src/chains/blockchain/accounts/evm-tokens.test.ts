import fc from 'fast-check'
import {
  type Address,
  bytesToHex,
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  numberToHex,
  parseAbi,
} from 'viem'
import { expect, test } from 'vitest'
import { UpstreamsFailedError } from '../../../platform/upstreams/attempt'
import { addressAt, hostileChain, isOneOf } from '../../../testing/hostile-chain'
import { readNumber, readText, readTokenFacts } from './evm-tokens'

const honest = getAddress(`0x${'22'.repeat(20)}`)
const decimals = encodeFunctionData({ abi: parseAbi(['function decimals() view returns (uint8)']) })
const name = encodeAbiParameters([{ type: 'string' }], ['Honest'])
const facts = { name: 'Honest', symbol: 'Honest', decimals: 6 }

/** @param hostile contracts that return as much data as they can. */
function chainOf(hostile: readonly Address[], exchanges?: number) {
  return hostileChain({
    ...(exchanges !== undefined && { exchanges }),
    contract(to, data) {
      if (isOneOf(hostile, to)) return 'flood'
      if (to !== honest) return null
      return data === decimals ? numberToHex(6, { size: 32 }) : name
    },
  })
}

test('4 leaves out a token with an oversized response, and only that one', async () => {
  for (const count of [1, 9]) {
    const hostile = Array.from({ length: count }, (_, index) => addressAt(index + 1))
    const tokenFacts = await readTokenFacts(chainOf(hostile), [...hostile, honest])
    expect(tokenFacts).toEqual([...hostile.map(() => null), facts])
  }
})

test('1 truncates a name of a hundred kilobytes to 64 characters', async () => {
  const long = encodeAbiParameters([{ type: 'string' }], ['ä'.repeat(50_000)])
  const chain = hostileChain({ contract: (_, data) => (data === decimals ? numberToHex(6, { size: 32 }) : long) })
  expect(await readTokenFacts(chain, [honest])).toEqual([{ name: 'ä'.repeat(64), symbol: 'ä'.repeat(32), decimals: 6 }])
})

test('4 an unreachable chain is an error, not an empty result', async () => {
  await expect(readTokenFacts(chainOf([], 0), [honest])).rejects.toThrow(UpstreamsFailedError)
})

test('1 decodes valid strings unchanged, and arbitrary bytes to some string', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.uint8Array({ maxLength: 200 }), (text, noise) => {
      expect(readText(encodeAbiParameters([{ type: 'string' }], [text]))).toBe(text)
      expect(typeof readText(bytesToHex(noise))).toBe('string')
      const cut = encodeAbiParameters([{ type: 'string' }], [text]).slice(0, 66 + 64)
      expect(readText(`0x${cut.slice(2)}`)).toBe('')
    }),
  )
})

test('decodes the first word of a response as a number', () => {
  expect(readNumber(`0x${'00'.repeat(31)}07${'ff'.repeat(1_000_000)}`)).toBe(7n)
  expect(readNumber(`0x${'00'.repeat(30)}07`)).toBeNull()
})
