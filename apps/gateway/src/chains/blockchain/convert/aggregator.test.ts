import { CaipNetworkId } from '@postern/protocol'
import { type Address, getAddress } from 'viem'
import { expect, test } from 'vitest'
import { AggregatorError, createAggregatorSwaps } from './aggregator'
import { Aggregator } from './config'
import { native, PriceMovedError, type SwapOrder } from './provider'

const router = getAddress('0x111111125421ca6dc452d289314280a0f8842a65')
const usdc = getAddress('0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48')
const user: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const order: SwapOrder = { from: native, to: usdc, amount: 1_000n, user, slippage: 10_000n, shown: null }
const chainId = CaipNetworkId.parse('eip155:1')

type Reply = { readonly status?: number; readonly body: unknown }

function service(replies: Readonly<Record<string, (query: URLSearchParams) => Reply>> = {}) {
  const requests: { readonly path: string; readonly query: URLSearchParams; readonly authorization: string | null }[] =
    []
  const usual: typeof replies = {
    '/approve/spender': () => ({ body: { address: router.toLowerCase() } }),
    '/tokens': () => ({
      body: {
        tokens: {
          [usdc]: {
            address: usdc.toLowerCase(),
            symbol: 'USDC',
            name: 'USD Coin\u202e',
            decimals: 6,
            eip2612: true,
            logoURI: 'https://evil.test/x',
          },
          [native]: { address: native, symbol: 'ETH', name: 'Ether', decimals: 18 },
          bad: { address: 'nonsense', symbol: 1 },
        },
      },
    }),
    '/quote': () => ({ body: { dstAmount: '2500', gas: 200_000 } }),
    '/swap': (query) => ({
      body: {
        dstAmount: '2500',
        tx: {
          from: query.get('from'),
          to: router,
          data: '0x12aa3caf',
          value: query.get('src') === native ? query.get('amount') : '0',
          gas: 0,
          gasPrice: '1',
        },
      },
    }),
    ...replies,
  }
  const warned: unknown[] = []
  const swaps = createAggregatorSwaps(Aggregator.parse({ url: 'https://swaps.example/', key: 'operators-key' }), {
    async fetch(input, init) {
      const url = new URL(String(input))
      const path = url.pathname.replace('/swap/v6.0/1', '')
      requests.push({ path, query: url.searchParams, authorization: new Headers(init?.headers).get('Authorization') })
      expect(init?.redirect).toBe('error')
      const { status = 200, body } = usual[path]?.(url.searchParams) ?? { status: 404, body: {} }
      return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status })
    },
    log: { warn: (line: unknown) => void warned.push(line) },
    now: () => 0,
  })(chainId)
  return { swaps, requests, warned }
}

test('5 sends its key, and caches token lists', async () => {
  const { swaps, requests } = service()
  expect(await swaps.tokens()).toEqual([
    { address: usdc, symbol: 'USDC', name: 'USD Coin', decimals: 6, eip2612: true },
  ])
  expect(await swaps.offer(order)).toEqual({ amount: 2_500n })
  await swaps.tokens()
  expect(requests.map(({ path }) => path)).toEqual(['/tokens', '/quote'])
  expect(requests.every(({ authorization }) => authorization === 'Bearer operators-key')).toBe(true)
  expect(Object.fromEntries(requests[1]?.query ?? [])).toEqual({ src: native, dst: usdc, amount: '1000' })
})

test('2 insufficient liquidity is no route; any other refusal is an error that does not repeat it', async () => {
  const refusal = (description: string) => () => ({ status: 400, body: { error: 'Bad Request', description } })
  expect(await service({ '/quote': refusal('insufficient liquidity') }).swaps.offer(order)).toBeNull()
  expect(await service({ '/swap': refusal('insufficient liquidity') }).swaps.build(order)).toBeNull()
  const { swaps, warned } = service({ '/quote': refusal('hush') })
  await expect(swaps.offer(order)).rejects.toThrow(AggregatorError)
  expect(warned).toEqual([{ host: 'swaps.example', reason: 'status 400' }])
})

test.each<[string, Reply]>([
  ['no JSON', { body: '<html>' }],
  ['another shape', { body: { toAmount: '1' } }],
  ['a fraction', { body: { dstAmount: '1.5' } }],
  ['its own trouble', { status: 500, body: { dstAmount: '1' } }],
  ['a key that is not taken', { status: 401, body: {} }],
])('1 %s is a failure', async (_, reply) => {
  await expect(service({ '/quote': () => reply }).swaps.offer(order)).rejects.toThrow(AggregatorError)
})

test('3 a swap must come from the user, go to the named contract and carry the exact value', async () => {
  expect(await service().swaps.build(order)).toMatchObject({ to: router, data: '0x12aa3caf', value: 1_000n })
  expect(await service().swaps.build({ ...order, from: usdc, to: native })).toMatchObject({ value: 0n })
  const honest = { from: user, to: router, data: '0x', value: '1000' }
  const stranger = '0x000000000000000000000000000000000000dEaD'
  for (const change of [{ from: stranger }, { to: stranger }, { value: '1001' }, { value: '0' }, { data: 'code' }]) {
    const reply = () => ({ body: { dstAmount: '2500', tx: { ...honest, ...change } } })
    await expect(service({ '/swap': reply }).swaps.build(order), JSON.stringify(change)).rejects.toThrow(
      AggregatorError,
    )
  }
  await expect(
    service({ '/swap': () => ({ body: { dstAmount: '2500', tx: honest } }) }).swaps.build({
      ...order,
      from: usdc,
      to: native,
    }),
  ).rejects.toThrow(AggregatorError)
})

test('4 the minimum is the shown amount less the tolerance, whatever the current offer', async () => {
  const offering = (dstAmount: string) =>
    service({
      '/swap': (query) => ({
        body: { dstAmount, tx: { from: query.get('from'), to: router, data: '0x', value: '1000' } },
      }),
    })
  const same = offering('2500')
  await same.swaps.build({ ...order, shown: 2_500n })
  expect(same.requests.filter(({ path }) => path === '/swap').map(({ query }) => query.get('slippage'))).toEqual(['1'])
  const less = offering('2490')
  await less.swaps.build({ ...order, shown: 2_500n })
  // 2,475 is 0.6 % below 2,490.
  expect(less.requests.filter(({ path }) => path === '/swap').map(({ query }) => query.get('slippage'))).toEqual([
    '1',
    '0.6',
  ])
  await expect(offering('2474').swaps.build({ ...order, shown: 2_500n })).rejects.toThrow(PriceMovedError)
})

test('4 the minimum holds if the price falls between the two requests', async () => {
  const falling = (second: string) => {
    const offers = ['2490', second]
    return service({
      '/swap': (query) => ({
        body: { dstAmount: offers.shift(), tx: { from: query.get('from'), to: router, data: '0x', value: '1000' } },
      }),
    })
  }
  // 2,489 less 0.6 % is still above 2,475; 2,488 is not.
  expect(await falling('2489').swaps.build({ ...order, shown: 2_500n })).toMatchObject({ to: router })
  for (const second of ['2488', '2462', '1'])
    await expect(falling(second).swaps.build({ ...order, shown: 2_500n }), second).rejects.toThrow(PriceMovedError)
})
