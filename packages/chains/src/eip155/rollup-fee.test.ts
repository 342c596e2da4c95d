import type { CaipNetworkId } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import fc from 'fast-check'
import { decodeFunctionData, type Hex, numberToHex, pad, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { gasPriceOracle, type RollupChain, rollupFee } from './rollup-fee'

const abi = parseAbi([
  'function getL1Fee(bytes) view returns (uint256)',
  'function getL1FeeUpperBound(uint256) view returns (uint256)',
  'function getOperatorFee(uint256) view returns (uint256)',
])
const network: CaipNetworkId = 'eip155:8453'
const unsigned = `0x02${'ab'.repeat(99)}`
const word = (value: bigint) => pad(numberToHex(value), { size: 32 })
const reverts = new Failure('INTERNAL', { rpc: 3, message: 'execution reverted' })

type Answers = {
  readonly code?: unknown
  readonly getL1Fee?: (bytes: Hex) => unknown
  readonly getL1FeeUpperBound?: (size: bigint) => unknown
  readonly getOperatorFee?: (gas: bigint) => unknown
}

/** Every call that `answers` lacks reverts; `asked` lists the calls. */
function chain(answers: Answers): RollupChain & { readonly requests: string[] } {
  const requests: string[] = []
  return {
    networkId: network,
    cacheKey: {},
    now: () => 0,
    requests,
    async ask(method, [call]) {
      if (method === 'eth_getCode') {
        requests.push('code')
        expect(call).toBe(gasPriceOracle)
        return 'code' in answers ? answers.code : '0x6080'
      }
      expect(call).toMatchObject({ to: gasPriceOracle })
      const data: Hex = `0x${String(Reflect.get(Object(call), 'data')).slice(2)}`
      const read = decodeFunctionData({ abi, data })
      requests.push(read.functionName)
      const answer =
        read.functionName === 'getL1Fee' ? answers.getL1Fee?.(read.args[0]) : answers[read.functionName]?.(read.args[0])
      if (answer === undefined) throw reverts
      if (answer instanceof Error) throw answer
      return answer
    },
  }
}

describe('rollupFee', () => {
  it('1. returns zero without an oracle, and checks once per network', async () => {
    const plain = chain({ code: '0x' })
    expect(await rollupFee(plain, { unsigned }, 21_000n)).toBe(0n)
    expect(await rollupFee(plain, { unsigned }, 21_000n)).toBe(0n)
    expect(plain.requests).toEqual(['code'])
    const other: RollupChain = {
      ...chain({ getL1Fee: () => word(7n) }),
      networkId: 'eip155:10',
      cacheKey: plain.cacheKey,
    }
    expect(await rollupFee(other, { unsigned }, 21_000n)).toBe(7n)
  })

  it('1. checks again after a minute if there was no oracle, and never again once it found one', async () => {
    let [now, code] = [0, '0x']
    const requests: string[] = []
    const node: RollupChain = {
      networkId: network,
      cacheKey: {},
      now: () => now,
      async ask(method) {
        requests.push(method)
        return method === 'eth_getCode' ? code : word(1n)
      },
    }
    const getCodes = () => requests.filter((method) => method === 'eth_getCode').length
    expect(await rollupFee(node, { unsigned }, 1n)).toBe(0n)
    code = '0x6080'
    now = 59_999
    expect(await rollupFee(node, { unsigned }, 1n)).toBe(0n)
    expect(getCodes()).toBe(1)
    now = 60_000
    expect(await rollupFee(node, { unsigned }, 1n)).toBe(2n)
    code = '0x'
    now = 10 ** 9
    expect(await rollupFee(node, { unsigned }, 1n)).toBe(2n)
    expect(getCodes()).toBe(2)
  })

  it('2. passes the exact bytes to the oracle, whatever their number', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), async (bytes) => {
        const given = `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
        const seen: Hex[] = []
        const oracle = chain({ getL1Fee: (weighed) => seen.push(weighed) && word(1n) })
        await rollupFee(oracle, { unsigned: given }, 1n)
        expect(seen).toEqual([given])
      }),
    )
  })

  it('2. uses the upper bound for that size if the oracle cannot weigh the bytes, and real bytes before Fjord', async () => {
    const long = chain({
      getL1Fee: () => new Failure('INTERNAL', { message: 'out of gas' }),
      getL1FeeUpperBound: word,
    })
    expect(await rollupFee(long, { unsigned }, 1n)).toBe(100n)
    const fjord = chain({ getL1FeeUpperBound: word })
    expect(await rollupFee(fjord, { size: 1_500 }, 1n)).toBe(1_500n)
    expect(fjord.requests).not.toContain('getL1Fee')
    const bedrock = chain({
      getL1Fee: (bytes) => word(BigInt(bytes.length / 2 - 1) * BigInt(Number(/^0x(ff)+$/.test(bytes)))),
    })
    expect(await rollupFee(bedrock, { size: 1_500 }, 1n)).toBe(1_500n)
  })

  it('3. adds the operator fee if there is one', async () => {
    const oracle = chain({ getL1Fee: () => word(5n), getOperatorFee: (gas) => word(gas * 2n) })
    expect(await rollupFee(oracle, { unsigned }, 21_000n)).toBe(42_005n)
  })

  it.each([
    ['the largest number', word(2n ** 256n - 1n)],
    ['more than such bytes can cost', word(10n ** 20n)],
    ['nothing', '0x'],
    ['less than a word', '0x01'],
    ['more than a word', `${word(1n)}00`],
    ['megabytes', `0x${'00'.repeat(2_000_000)}`],
    ['a decimal', '12'],
    ['a number', 12],
    ['null', null],
    ['an object', { result: word(1n) }],
  ])('4. rejects with a message if the oracle returns %s', async (_what, answer) => {
    for (const oracle of [
      chain({ getL1Fee: () => answer }),
      chain({ getL1Fee: () => word(1n), getOperatorFee: () => answer }),
    ])
      await expect(rollupFee(oracle, { unsigned }, 1_000n)).rejects.toMatchObject({
        code: 'INTERNAL',
        message: 'The network names no credible fee for its data',
      })
  })

  it('4. rejects malformed contract code, and checks again on the next call', async () => {
    for (const code of [`0x${'60'.repeat(24_577)}`, '0x6', 'yes', null, 1]) {
      const odd = chain({ code, getL1Fee: () => word(1n) })
      await expect(rollupFee(odd, { unsigned }, 1n)).rejects.toMatchObject({ code: 'INTERNAL' })
      await expect(rollupFee(odd, { unsigned }, 1n)).rejects.toMatchObject({ code: 'INTERNAL' })
      expect(odd.requests.slice(0, 2)).toEqual(['code', 'code'])
    }
  })

  it('4. rejects with the revert if the oracle supports neither call', async () => {
    await expect(rollupFee(chain({}), { unsigned }, 1n)).rejects.toBe(reverts)
  })

  it('5. rejects with the node’s own error if the node does not respond', async () => {
    const silent = new Failure('TIMEOUT')
    await expect(rollupFee({ ...chain({}), ask: () => Promise.reject(silent) }, { unsigned }, 1n)).rejects.toBe(silent)
    const half = chain({ getL1Fee: () => word(1n), getOperatorFee: () => silent })
    await expect(rollupFee(half, { unsigned }, 1n)).rejects.toBe(silent)
  })
})
