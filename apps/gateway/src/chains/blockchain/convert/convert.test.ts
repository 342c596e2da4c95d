import { blockchainAnswers as answers, ErrorBody, nativeTokenAddress } from '@postern/protocol'
import {
  type Address,
  createTestClient,
  decodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  isHex,
  parseAbi,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BlockchainTest, deadNetwork, startBlockchain } from '../../../testing/blockchain'
import { accountAt, devnetContracts, freePorts, nodeAt, devnetSolanaId as solanaId } from '../../../testing/devnet'
import { minAmount } from './provider'
import { impactOf } from './uniswap'

const ports = await freePorts('evm', 'evmTwo')
const first = 'eip155:31337'
const [holder, poor] = [accountAt(0), accountAt(4)]
const { dollar, gem, wrapped, swapRouter } = devnetContracts
const on = (address: string, chainId = first) => `${chainId}:${address}`
const ether = on(nativeTokenAddress)
const solanaToken = `${solanaId}:oeYf6KAJkLYhBuR8CiGc6L4D4Xtfepr85fuDgA9kq96`
const node = nodeAt(ports.evm)
const abi = parseAbi([
  'function balanceOf(address owner) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
])

// real time: a swap's deadline is compared with the time of the devnet's blocks.
const start = Date.now()
let chains: BlockchainTest
beforeAll(async () => {
  chains = await startBlockchain(ports, {}, { now: () => start })
  // After a second, a new pool's first swap takes more gas than estimated.
  const clock = createTestClient({ mode: 'anvil', transport: node.transport })
  await clock.increaseTime({ seconds: 10 })
  await clock.mine({ blocks: 1 })
})
afterAll(() => chains.stop())

const quotesOf = async (amount: bigint, from: string, to: string) => {
  const query = new URLSearchParams({ amount: `${amount}`, userAddress: holder.address, from, to })
  return (await chains.get(`/v1/convert/quotes?${query}`, answers.swapQuotes)).quotes
}
const post = (body: unknown) => chains.post('/v1/convert/build-transaction', body)
const order = { eip155: { slippage: 1 }, projectId: 'demo', userAddress: on(holder.address) }
const built = async (body: Readonly<Record<string, unknown>>) => {
  const response = await post({ ...order, ...body })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return answers.buildSwap.parse(await response.json()).tx
}
const addressOf = (caip10: string): Address => getAddress(caip10.slice(caip10.lastIndexOf(':') + 1))
const dataOf = (text: string): Hex => (isHex(text) ? text : '0x')
const balanceOf = (token: Address) =>
  node.client.readContract({ address: token, abi, functionName: 'balanceOf', args: [holder.address] })
async function send(tx: { to: string; data: string; amount?: string; eip155: { gas: string } }): Promise<string> {
  const { status } = await node.send(holder, {
    to: addressOf(tx.to),
    data: dataOf(tx.data),
    value: BigInt(tx.amount ?? '0'),
    gas: BigInt(tx.eip155.gas),
  })
  return status
}
async function approve(token: Address, amount: bigint) {
  const query = new URLSearchParams({ userAddress: holder.address, from: on(token), to: ether, amount: `${amount}` })
  const { tx } = await chains.get(`/v1/convert/build-approve?${query}`, answers.buildApprove)
  expect(tx).toMatchObject({ from: on(holder.address), to: on(token), value: '0' })
  expect(await send(tx)).toBe('success')
}
const allowanceOf = async (token: string) => {
  const query = new URLSearchParams({ tokenAddress: on(token), userAddress: on(holder.address) })
  return (await chains.get(`/v1/convert/allowance?${query}`, answers.swapAllowance)).allowance
}

describe('tokens', () => {
  test('1 lists the native currency and the configured tokens', async () => {
    const { tokens } = await chains.get(`/v1/convert/tokens?chainId=${first}`, answers.swapTokens)
    expect(tokens.map(({ symbol }) => symbol)).toEqual(['ETH', 'DUSD', 'GEM', 'WETH'])
    expect(tokens[0]?.address.toLowerCase()).toBe(ether)
    expect(tokens[1]).toMatchObject({ address: on(dollar), decimals: 6, name: 'Devnet Dollar' })
  })

  test.each([deadNetwork, 'eip155:1', solanaId])('1 is empty for %s, which has no swaps', async (chainId) => {
    expect(await chains.get(`/v1/convert/tokens?chainId=${chainId}`, answers.swapTokens)).toEqual({ tokens: [] })
    expect(await chains.status('/v1/convert/tokens?chainId=ethereum')).toBe(400)
  })
})

describe('a quote', () => {
  const oneEther = 10n ** 18n

  test('2 returns the pools’ amount with fee, price impact and expiry', async () => {
    const [quote, ...rest] = await quotesOf(oneEther, ether, on(dollar))
    expect(rest).toEqual([])
    // x·y=k with a 0.3 % fee: 1 ETH into 1,000 ETH and 2,500,000 DUSD.
    const afterFee = oneEther * 997n
    const expected = (afterFee * 2_500_000_000_000n) / (1_000n * oneEther * 1_000n + afterFee)
    expect(quote).toMatchObject({
      fromAmount: `${oneEther}`,
      toAmount: `${expected}`,
      provider: 'Uniswap V2',
      fee: '0.3',
    })
    expect(Number(quote?.priceImpact)).toBeCloseTo(0.0996, 3)
    expect(quote?.expiresAt).toBe(start + 30_000)
    expect(quote?.fromAccount.toLowerCase()).toBe(ether)
    expect(quote?.toAccount).toBe(on(dollar))
  })

  test('2 routes through the wrapped currency if that returns more, with the fee of two pools', async () => {
    // The GEM/DUSD pool is small, so two deep pools may return more.
    const [large] = await quotesOf(200_000n * oneEther, on(gem), on(dollar))
    const [small] = await quotesOf(oneEther, on(gem), on(dollar))
    expect(small?.fee).toBe('0.3')
    expect(['0.3', '0.5991']).toContain(large?.fee)
    expect(Number(large?.priceImpact)).toBeGreaterThan(Number(small?.priceImpact))
  })

  test('2 converts the native and the wrapped currency one to one, both ways', async () => {
    for (const [from, to] of [
      [ether, on(wrapped)],
      [on(wrapped), ether],
    ] as const) {
      expect(await quotesOf(oneEther, from, to)).toMatchObject([
        { toAmount: `${oneEther}`, fee: '0', priceImpact: '0' },
      ])
    }
  })

  test.each<[string, bigint, string, string]>([
    ['nothing', 0n, ether, on(dollar)],
    ['a token for itself', 1n, on(dollar), on(dollar)],
    ['too little to give anything', 1n, ether, on(dollar)],
    ['a token that has no pool', oneEther, ether, on(devnetContracts.items)],
    ['what is no token', oneEther, ether, on(holder.address)],
    ['more than a pool can count', 2n ** 255n, ether, on(dollar)],
    ['two networks', oneEther, ether, on(dollar, 'eip155:31338')],
    ['a network without swaps', oneEther, on(nativeTokenAddress, deadNetwork), on(dollar, deadNetwork)],
    ['a namespace without swaps', oneEther, ether, solanaToken],
    ['two of its tokens', oneEther, solanaToken, `${solanaId}:So11111111111111111111111111111111111111112`],
    [
      'one of Bitcoin',
      oneEther,
      'bip122:000000000019d6689c085ae165831e93:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      ether,
    ],
  ])('2 of %s does not exist', async (_, amount, from, to) => {
    expect(await quotesOf(amount, from, to)).toEqual([])
  })

  test.each([
    ['amount=1.5', ether, on(dollar)],
    ['amount=-1', ether, on(dollar)],
    ['amount=1e3', ether, on(dollar)],
    ['', ether, on(dollar)],
    ['amount=1', 'ether', on(dollar)],
    ['amount=1', ether, `${solanaId}:`],
  ])('rejects the query %s from %s to %s', async (amount, from, to) => {
    expect(await chains.status(`/v1/convert/quotes?${amount}&userAddress=x&from=${from}&to=${to}`)).toBe(400)
  })
})

describe('a swap', () => {
  test('of the native currency returns the quoted amount without an approval', async () => {
    expect(BigInt(await allowanceOf(nativeTokenAddress))).toBe(2n ** 256n - 1n)
    const amount = `${10n ** 17n}`
    const [quote] = await quotesOf(BigInt(amount), ether, on(dollar))
    const tx = await built({ amount, from: ether, to: on(dollar), toAmount: quote?.toAmount })
    expect(tx).toMatchObject({ from: on(holder.address), to: on(swapRouter), amount })
    const before = await balanceOf(dollar)
    expect(await send(tx)).toBe('success')
    expect((await balanceOf(dollar)) - before).toBe(BigInt(quote?.toAmount ?? '0'))
  })

  test('3 of a token uses up an approval of exactly the amount', async () => {
    const amount = 2_500_000_000n
    await approve(dollar, amount)
    expect(await allowanceOf(dollar)).toBe(`${amount}`)
    const tx = await built({ amount: `${amount}`, from: on(dollar), to: on(gem) })
    expect(tx.amount).toBe('0')
    expect(await send(tx)).toBe('success')
    expect(await allowanceOf(dollar)).toBe('0')
    await approve(gem, 10n ** 18n)
    expect(await send(await built({ amount: `${10n ** 18n}`, from: on(gem), to: ether }))).toBe('success')
  })

  test('of the wrapped currency calls its contract', async () => {
    const amount = `${10n ** 16n}`
    const wrap = await built({ amount, from: ether, to: on(wrapped) })
    expect(wrap).toMatchObject({ to: on(wrapped), amount })
    expect(await send(wrap)).toBe('success')
    const unwrap = await built({ amount, from: on(wrapped), to: ether })
    expect(unwrap).toMatchObject({ to: on(wrapped), amount: '0' })
    expect(await send(unwrap)).toBe('success')
  })

  test('without an approval uses the typical gas', async () => {
    const tx = await built({
      amount: '1000000',
      from: on(dollar),
      to: ether,
      userAddress: on(poor.address),
    })
    expect(tx.eip155.gas).toBe('220000')
    expect(BigInt(tx.eip155.gasPrice)).toBeGreaterThan(0n)
  })

  test('5 is refused if the price has moved beyond what the user was shown', async () => {
    const amount = `${10n ** 17n}`
    const [quote] = await quotesOf(BigInt(amount), ether, on(gem))
    const toAmount = quote?.toAmount
    expect(await send(await built({ amount: `${20n * 10n ** 18n}`, from: ether, to: on(gem) }))).toBe('success')
    const refused = await post({ ...order, amount, from: ether, to: on(gem), toAmount })
    expect(refused.status).toBe(409)
    expect(ErrorBody.parse(await refused.json()).reasons[0]?.name).toBe('price')
    expect((await post({ ...order, amount, from: ether, to: on(gem) })).status).toBe(200)
  })

  test.each<[string, number, Readonly<Record<string, unknown>>]>([
    ['without a route', 404, { amount: '1000', from: ether, to: on(devnetContracts.items) }],
    ['of a token for itself', 404, { amount: '1000', from: on(gem), to: on(gem) }],
    ['over two networks', 404, { amount: '1000', from: ether, to: on(gem, 'eip155:31338') }],
    ['a network without swaps', 400, { amount: '1000', from: on(gem, deadNetwork), to: on(dollar, deadNetwork) }],
    ['of nothing', 400, { amount: '0', from: ether, to: on(gem) }],
    ['of half a unit', 400, { amount: '0.5', from: ether, to: on(gem) }],
    ['with half of it lost', 400, { amount: '1000', from: ether, to: on(gem), eip155: { slippage: 50.5 } }],
    ['an invalid account', 400, { amount: '1000', from: ether, to: on(gem), userAddress: 'eip155:31337:0x1' }],
    [
      'an account on Bitcoin',
      400,
      {
        amount: '1000',
        from: ether,
        to: on(gem),
        userAddress: `bip122:000000000019d6689c085ae165831e93:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4`,
      },
    ],
  ])('%s is refused', async (_, status, body) => {
    const response = await post({ ...order, ...body })
    expect(response.status).toBe(status)
    expect(ErrorBody.safeParse(await response.json()).success).toBe(true)
  })

  test('3 an approval needs an amount, a token and a network with swaps', async () => {
    const ask = (from: string, more = '&amount=1') =>
      chains.status(`/v1/convert/build-approve?userAddress=${holder.address}&from=${from}&to=${ether}${more}`)
    expect(await ask(on(dollar), '&amount=-1')).toBe(400)
    expect(await ask(solanaToken)).toBe(400)
    expect(await ask(ether, '')).toBe(400)
    expect(await ask(on(holder.address), '')).toBe(400)
    expect(await ask(ether)).toBe(400)
    expect(await ask(on(holder.address))).toBe(400)
    expect(await ask(on(dollar, deadNetwork))).toBe(400)
    expect(await ask(on(dollar))).toBe(200)
  })
})

test('3 an approval without an amount covers the balance, and is never unlimited', async () => {
  const approvalOf = async (user: Address) => {
    const query = new URLSearchParams({ userAddress: user, from: on(dollar), to: ether })
    const { tx } = await chains.get(`/v1/convert/build-approve?${query}`, answers.buildApprove)
    return decodeFunctionData({ abi: erc20Abi, data: dataOf(tx.data) })
  }
  const [spender, amount] = [getAddress(swapRouter), await balanceOf(dollar)]
  expect(amount).toBeGreaterThan(0n)
  expect(await approvalOf(holder.address)).toEqual({ functionName: 'approve', args: [spender, amount] })
  const emptyAccount = '0x00000000000000000000000000000000000a11ce'
  expect(await approvalOf(emptyAccount)).toEqual({ functionName: 'approve', args: [spender, 0n] })
})

describe('gas', () => {
  test('costs more at a faster speed', async () => {
    const { standard, fast, instant } = await chains.get(`/v1/convert/gas-price?chainId=${first}`, answers.gasPrices)
    expect(BigInt(standard)).toBeGreaterThan(0n)
    expect(BigInt(fast)).toBeGreaterThanOrEqual(BigInt(standard))
    expect(BigInt(instant)).toBeGreaterThanOrEqual(BigInt(fast))
  })

  test('fails for a network without gas prices, and for an unreachable one (spec §8)', async () => {
    const response = await chains.app.get(`/v1/convert/gas-price?projectId=demo&chainId=${solanaId}`)
    expect(response.status).toBe(400)
    expect(ErrorBody.parse(await response.json()).reasons[0]?.description).toBe('Network not supported for Gas Price')
    expect(await chains.status(`/v1/convert/gas-price?chainId=${deadNetwork}`)).toBe(502)
  })
})

describe('amounts', () => {
  test('3 the price impact counts every pool, and is rounded up', () => {
    const pool = { own: 1_000n, other: 1_000n }
    expect(impactOf(1_000n, 499n, [pool])).toBe('49.9499')
    expect(impactOf(1_000_000n, 997_000n, [{ own: 10n ** 30n, other: 10n ** 30n }])).toBe('0')
    expect(Number(impactOf(1_000n, 100n, [pool, pool]))).toBeGreaterThan(89)
  })

  test('the minimum is rounded up, so that the tolerance is never exceeded', () => {
    expect(minAmount(100n, 10_000n)).toBe(99n)
    expect(minAmount(101n, 10_000n)).toBe(100n)
    expect(minAmount(1n, 10_000n)).toBe(1n)
    expect(minAmount(10n ** 70n, 10_000n)).toBe(99n * 10n ** 68n)
  })
})
