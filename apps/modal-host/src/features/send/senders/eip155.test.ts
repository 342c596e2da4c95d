import fc from 'fast-check'
import { decodeFunctionData, encodeFunctionData, erc20Abi } from 'viem'
import { describe, expect, it } from 'vitest'
import { testMoney } from '../../testing/test-money'
import { currencyOf, ethereum } from '../../testing/test-networks'
import type { SendToken } from '../token'
import { type EvmFacts, evmQuote, evmRequest, sender, transferData } from './eip155'
import type { Draft } from './sender'

const from = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const contract = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const ether = currencyOf(ethereum, 10n ** 18n)
const dollar: SendToken = { ...ether, key: contract, address: contract, decimals: 6, balance: 5_000_000n }
const draft: Draft = {
  network: ethereum,
  account: { namespace: 'eip155', address: from, type: 'eoa' },
  token: ether,
  to,
  amount: null,
}
const facts: EvmFacts = {
  native: 10n ** 18n,
  balance: 10n ** 18n,
  decimals: null,
  isToToken: false,
  gas: 21_000n,
  isEstimated: true,
  price: 11n,
  tip: 1n,
  rollup: 0n,
  wouldFail: false,
}

describe('evmQuote', () => {
  it('reserves the max that a wallet may bid, so it never sends more than the balance (2)', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 30n }),
        fc.bigInt({ min: 0n, max: 10n ** 15n }),
        fc.bigInt({ min: 21_000n, max: 30_000_000n }),
        fc.bigInt({ min: 0n, max: 10n ** 18n }),
        (native, price, gas, rollup) => {
          const said = { ...facts, native, balance: native, gas, price, rollup }
          const { max, maxFee } = evmQuote(said, draft)
          expect(max >= 0n).toBe(true)
          expect(max === 0n || max + (maxFee ?? 0n) <= native).toBe(true)
        },
      ),
    )
  })

  it('sends all of a token, and requires the fee in the native currency', () => {
    const quote = evmQuote({ ...facts, balance: 5_000_000n, gas: 50_000n }, { ...draft, token: dollar })
    expect(quote).toMatchObject({ max: 5_000_000n, needed: 550_000n, fee: 550_000n, refusal: null })
  })

  it('adds the rollup fee, and reserves twice as much (2)', () => {
    const rollup = 190_000n
    expect(evmQuote({ ...facts, rollup }, draft)).toMatchObject({
      fee: 231_000n + rollup,
      maxFee: 2n * (231_000n + rollup),
      max: 10n ** 18n - 2n * (231_000n + rollup),
    })
    const token = evmQuote({ ...facts, rollup, balance: 5_000_000n }, { ...draft, token: dollar })
    expect(token).toMatchObject({ max: 5_000_000n, needed: 231_000n + rollup })
    const account = { ...draft.account, type: 'smartAccount' } as const
    const [plain, rolled] = [facts, { ...facts, rollup }].map((said) => evmQuote(said, { ...draft, account }))
    expect(rolled).toMatchObject({ fee: null, max: (plain?.max ?? 0n) - 2n * rollup })
  })

  it('has no fee for a smart account, which may be sponsored (3)', () => {
    const account = { ...draft.account, type: 'smartAccount' } as const
    expect(evmQuote(facts, { ...draft, account })).toMatchObject({ fee: null, needed: 0n })
    expect(evmQuote(facts, { ...draft, account }).max < evmQuote(facts, draft).max).toBe(true)
  })

  it('rejects the token’s own contract (4)', () => {
    expect(evmQuote(facts, { ...draft, token: dollar, to: contract.toLowerCase() }).refusal).toBe('tokenContract')
    expect(evmQuote(facts, { ...draft, to: contract }).refusal).toBeNull()
  })

  it('rejects a token whose contract reports other decimals than its list (5)', () => {
    const quoted = (decimals: number) => evmQuote({ ...facts, decimals }, { ...draft, token: dollar }).obstacle
    expect([6, 18, 5, 0].map(quoted)).toEqual([undefined, 'unreadable', 'unreadable', 'unreadable'])
  })
})

describe('the wallet request (1)', () => {
  it('sends the native currency to the recipient', () => {
    expect(evmRequest(draft, 10n ** 17n, facts)).toEqual({
      method: 'eth_sendTransaction',
      params: [{ from, to, value: '0x16345785d8a0000', data: '0x', chainId: '0x1' }],
    })
  })

  it('names the fee only if the wallet could bid more than the balance covers (2)', () => {
    const rich = { ...facts, native: 10n ** 18n }
    const { max } = evmQuote(rich, draft)
    const named = (amount: bigint, changes: Partial<EvmFacts> = {}, more: Partial<Draft> = {}) =>
      evmRequest({ ...draft, ...more }, amount, { ...rich, ...changes }).params[0]
    const fee = { gas: '0x5208', maxFeePerGas: '0x16', maxPriorityFeePerGas: '0x1' }
    expect(named(max)).toMatchObject(fee)
    expect(named(max - 1n)).toMatchObject(fee)
    for (const call of [
      named(10n ** 18n / 2n),
      named(max, { tip: null }),
      named(max, { isEstimated: false }),
      named(max, {}, { account: { ...draft.account, type: 'smartAccount' } }),
      named(1n, {}, { token: dollar }),
    ])
      expect(call).not.toHaveProperty('maxFeePerGas')
  })

  it('encodes a token transfer like viem', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (amount) => {
        expect(transferData(to, amount)).toBe(
          encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }).toLowerCase(),
        )
      }),
    )
    const { params } = evmRequest({ ...draft, token: dollar }, 7n, facts)
    expect(params).toEqual([{ from, to: contract, value: '0x0', data: transferData(to, 7n), chainId: '0x1' }])
    expect(decodeFunctionData({ abi: erc20Abi, data: `0x${transferData(to, 7n).slice(2)}` }).args).toEqual([to, 7n])
  })

  it('is null without a recipient', () => expect(() => evmRequest({ ...draft, to: null }, 1n, facts)).toThrow())
})

describe('prepare', () => {
  function chain(answers: Readonly<Record<string, unknown>>) {
    const requests: string[] = []
    const money = testMoney({
      client: (networkId) => ({
        networkId,
        rpc: {
          request: async ({ method, params }) => {
            requests.push(method)
            const answer = answers[method]
            if (answer instanceof Error) throw answer
            return typeof answer === 'function' ? answer(params) : answer
          },
        },
        esplora: { get: async () => null, post: async () => '' },
      }),
    })
    return { money, requests }
  }
  const answers = {
    eth_getBalance: '0xde0b6b3a7640000',
    eth_getBlockByNumber: { baseFeePerGas: '0xa' },
    eth_maxPriorityFeePerGas: '0x1',
    eth_gasPrice: '0xb',
    eth_estimateGas: '0x5208',
    eth_getCode: '0x',
  }

  it('reads the fee from the chain', async () => {
    const { money } = chain(answers)
    const opened = await sender.prepare(draft, money, new AbortController().signal)
    expect(opened.quote(1n, 'normal')).toMatchObject({ native: 10n ** 18n, fee: 231_000n, maxFee: 462_000n })
  })

  it('bids the larger of the suggested tip and the median paid', async () => {
    const history = { reward: [['0x3'], ['0x3'], ['0x9']], gasUsedRatio: [0.5, 0.5, 0.5] }
    for (const [suggested, fee] of [
      ['0x0', 13n * 21_000n],
      ['0x5', 15n * 21_000n],
    ] as const) {
      const { money } = chain({ ...answers, eth_maxPriorityFeePerGas: suggested, eth_feeHistory: history })
      const opened = await sender.prepare(draft, money, new AbortController().signal)
      expect(opened.quote(1n, 'normal')).toMatchObject({ fee, maxFee: 2n * fee })
    }
  })

  it('supports chains without a base fee', async () => {
    const { money } = chain({ ...answers, eth_getBlockByNumber: {}, eth_maxPriorityFeePerGas: new Error('no') })
    const opened = await sender.prepare(draft, money, new AbortController().signal)
    expect(opened.quote(1n, 'normal')).toMatchObject({ fee: 231_000n, maxFee: 462_000n })
  })

  it('reports a revert of this transfer, but not an unresponsive chain', async () => {
    const { Failure } = await import('@postern/protocol/failure')
    const signal = new AbortController().signal
    const reverts = chain({
      ...answers,
      eth_estimateGas: new Failure('INTERNAL', { message: 'execution reverted' }),
    })
    expect((await sender.prepare({ ...draft, amount: 5n }, reverts.money, signal)).quote(5n, 'normal').wouldFail).toBe(
      true,
    )
    expect((await sender.prepare(draft, reverts.money, signal)).quote(null, 'normal').wouldFail).toBe(false)
    const silent = chain({ ...answers, eth_estimateGas: new Failure('TIMEOUT') })
    expect((await sender.prepare({ ...draft, amount: 5n }, silent.money, signal)).quote(5n, 'normal').wouldFail).toBe(
      false,
    )
  })

  it('skips the estimate if the balance is too low', async () => {
    const { money, requests } = chain(answers)
    await sender.prepare({ ...draft, amount: 2n * 10n ** 18n }, money, new AbortController().signal)
    expect(requests).not.toContain('eth_estimateGas')
  })

  it('reads decimals of the token and the recipient: a contract with decimals is a token (4, 5)', async () => {
    const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
    const other = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
    const tokens: Readonly<Record<string, bigint>> = { [contract]: 6n, [other]: 18n }
    const eth_call = ([{ to: called, data }]: readonly [{ readonly to: string; readonly data: string }]) => {
      if (data.startsWith('0x70a08231')) return word(5_000_000n)
      return called in tokens ? word(tokens[called] ?? 0n) : '0x'
    }
    const opened = (changes: Partial<Draft>) =>
      sender.prepare({ ...draft, ...changes }, chain({ ...answers, eth_call }).money, new AbortController().signal)
    const quoted = async (changes: Partial<Draft>) => (await opened(changes)).quote(1n, 'normal')
    expect(await quoted({ token: dollar })).toMatchObject({ refusal: null, balance: 5_000_000n })
    expect(await quoted({ token: dollar })).not.toHaveProperty('obstacle')
    expect(await quoted({ token: { ...dollar, decimals: 18 } })).toMatchObject({ obstacle: 'unreadable' })
    expect(await quoted({ token: dollar, to: other })).toMatchObject({ refusal: 'tokenContract' })
    // Sending ether to its contract wraps it.
    expect(await quoted({ to: other })).toMatchObject({ refusal: null })
    await expect(opened({ token: { ...dollar, address: to } })).rejects.toMatchObject({ code: 'INTERNAL' })
  })

  it('asks the oracle about these exact bytes, and rejects an implausible fee', async () => {
    const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
    const rollup = { ...answers, eth_getCode: '0x6080', eth_call: word(10n ** 9n) }
    const { money } = chain(rollup)
    const opened = await sender.prepare(draft, money, new AbortController().signal)
    // One call for the data fee, one for the operator fee.
    expect(opened.quote(1n, 'normal').fee).toBe(231_000n + 2n * 10n ** 9n)
    for (const odd of [word(2n ** 256n - 1n), '0x', `0x${'ab'.repeat(10 ** 6)}`, 1]) {
      const lies = chain({ ...rollup, eth_call: odd })
      await expect(sender.prepare(draft, lies.money, new AbortController().signal)).rejects.toMatchObject({
        code: 'INTERNAL',
      })
    }
    const silent = chain({ ...answers, eth_getCode: new Error('down') })
    await expect(sender.prepare(draft, silent.money, new AbortController().signal)).rejects.toThrow()
  })

  it('rejects if the chain does not respond', async () => {
    const { money } = chain({ ...answers, eth_getBalance: new Error('down') })
    await expect(sender.prepare(draft, money, new AbortController().signal)).rejects.toThrow()
  })
})
