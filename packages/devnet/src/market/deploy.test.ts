import { createPublicClient, createWalletClient, http, maxUint256, parseEther, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { devnetChain } from '../account-abstraction/deploy'
import { devnetToken } from '../evm/contracts.gen'
import { freePorts } from '../http/free-ports'
import { devnetAccounts, devnetContracts, pairAddress } from '../networks'
import { type Devnet, startDevnet } from '../start-devnet'
import { pairAbi, routerAbi, wrappedAbi } from './abi'
import { poolReserves } from './deploy'

const ports = await freePorts('evm', 'evmTwo')
const { dollar, gem, wrapped, swapRouter } = devnetContracts
let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ ports })
})
afterAll(() => devnet.stop())

const reader = (port: number) => createPublicClient({ transport: http(`http://127.0.0.1:${port}`) })
const quote = (port: number, path: `0x${string}`[], amountIn: bigint) =>
  reader(port).readContract({
    abi: routerAbi,
    address: swapRouter,
    functionName: 'getAmountsOut',
    args: [amountIn, path],
  })

test.each(['evm', 'evmTwo'] as const)('every token pair has a pool with its reserves on %s', async (key) => {
  const port = ports[key]
  const { dollarWrapped, gemWrapped, gemDollar } = poolReserves
  for (const [a, b, reserveA, reserveB] of [
    [dollar, wrapped, dollarWrapped.dollar, dollarWrapped.wrapped],
    [gem, wrapped, gemWrapped.gem, gemWrapped.wrapped],
    [gem, dollar, gemDollar.gem, gemDollar.dollar],
  ] as const) {
    const pair = { abi: pairAbi, address: pairAddress(a, b) } as const
    const first = await reader(port).readContract({ ...pair, functionName: 'token0' })
    const [reserve0, reserve1] = await reader(port).readContract({ ...pair, functionName: 'getReserves' })
    expect(first === a ? [reserve0, reserve1] : [reserve1, reserve0]).toEqual([reserveA, reserveB])
  }
  expect(await reader(port).readContract({ abi: wrappedAbi, address: wrapped, functionName: 'symbol' })).toBe('WETH')
})

test('a swap pays the router’s quote, which is below the pool price by fee and price impact', async () => {
  const [account] = devnetAccounts
  if (account === undefined) throw new Error('no account')
  const value = parseEther('1')
  const [, quoted = 0n] = await quote(ports.evm, [wrapped, dollar], value)
  expect(quoted).toBeLessThan(parseUnits('2500', 6))
  expect(quoted).toBeGreaterThan(parseUnits('2489', 6))
  const balance = () =>
    reader(ports.evm).readContract({
      abi: devnetToken.abi,
      address: dollar,
      functionName: 'balanceOf',
      args: [account.address],
    })
  const before = await balance()
  const url = `http://127.0.0.1:${ports.evm}`
  const wallet = createWalletClient({ account, chain: devnetChain(url, 31337), transport: http(url) })
  const hash = await wallet.writeContract({
    abi: routerAbi,
    address: swapRouter,
    functionName: 'swapExactETHForTokens',
    args: [quoted, [wrapped, dollar], account.address, maxUint256],
    value,
  })
  await reader(ports.evm).waitForTransactionReceipt({ hash, pollingInterval: 20 })
  expect((await balance()) - before).toBe(quoted)
})
