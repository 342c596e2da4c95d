/** Uniswap V2 from its own packages, and an ERC-1155 without a market. */
import {
  type Address,
  concat,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  maxUint256,
  parseEther,
  parseUnits,
} from 'viem'
import { creationCode } from '../account-abstraction/artifacts'
import { devnetItems, devnetToken } from '../evm/contracts.gen'
import { type Call, endow, sendAll } from '../evm/send-all'
import { devnetAccounts, devnetContracts, marketMaker } from '../networks'
import { routerAbi } from './abi'

const holders = 3

/** 1 ETH is 2,500 DUSD or 1,250 GEM. */
export const poolReserves = {
  dollarWrapped: { dollar: parseUnits('2500000', 6), wrapped: parseEther('1000') },
  gemWrapped: { gem: parseUnits('625000', 18), wrapped: parseEther('500') },
  gemDollar: { gem: parseUnits('500000', 18), dollar: parseUnits('1000000', 6) },
} as const

/** Requires `deployContracts`, and a market maker without transactions. */
export async function deployMarket({ rpcUrl, chainId }: { readonly rpcUrl: string; readonly chainId: number }) {
  await endow(rpcUrl, marketMaker.address, 2_000n)
  await sendAll({ rpcUrl, chainId, account: marketMaker, calls: marketCalls() })
}

/** `devnetContracts` depends on this order. */
function marketCalls(): Call[] {
  const { dollar, gem, wrapped, swapFactory, swapRouter } = devnetContracts
  const { dollarWrapped, gemWrapped, gemDollar } = poolReserves
  const maker = marketMaker.address
  const address = { type: 'address' } as const
  const supply = (token: Address, amount: bigint): Call[] => [
    { to: token, data: encodeFunctionData({ abi: devnetToken.abi, functionName: 'mint', args: [maker, amount] }) },
    {
      to: token,
      data: encodeFunctionData({ abi: devnetToken.abi, functionName: 'approve', args: [swapRouter, amount] }),
    },
  ]
  const pool = (token: Address, amount: bigint, value: bigint): Call => ({
    to: swapRouter,
    value,
    data: encodeFunctionData({
      abi: routerAbi,
      functionName: 'addLiquidityETH',
      args: [token, amount, amount, value, maker, maxUint256],
    }),
  })
  return [
    { data: creationCode('@uniswap/v2-periphery/build/WETH9.json') },
    {
      data: concat([
        creationCode('@uniswap/v2-core/build/UniswapV2Factory.json'),
        encodeAbiParameters([address], [maker]),
      ]),
    },
    {
      data: concat([
        creationCode('@uniswap/v2-periphery/build/UniswapV2Router02.json'),
        encodeAbiParameters([address, address], [swapFactory, wrapped]),
      ]),
    },
    {
      data: encodeDeployData({
        ...devnetItems,
        args: [devnetAccounts.slice(0, holders).map(({ address }) => address)],
      }),
    },
    ...supply(dollar, dollarWrapped.dollar + gemDollar.dollar),
    ...supply(gem, gemWrapped.gem + gemDollar.gem),
    pool(dollar, dollarWrapped.dollar, dollarWrapped.wrapped),
    pool(gem, gemWrapped.gem, gemWrapped.wrapped),
    {
      to: swapRouter,
      data: encodeFunctionData({
        abi: routerAbi,
        functionName: 'addLiquidity',
        args: [gem, dollar, gemDollar.gem, gemDollar.dollar, gemDollar.gem, gemDollar.dollar, maker, maxUint256],
      }),
    },
  ]
}
