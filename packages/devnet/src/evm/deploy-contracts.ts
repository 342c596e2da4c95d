import {
  createTestClient,
  defineChain,
  encodeDeployData,
  encodeFunctionData,
  http,
  parseUnits,
  publicActions,
} from 'viem'
import { deployer, devnetAccounts, devnetContracts } from '../networks'
import { devnetCollectible, devnetMulticall, devnetToken } from './contracts.gen'
import { type Call, sendAll } from './send-all'

const holders = 3

/**
 * Deploys Multicall3, two ERC-20s and an ERC-721. Requires a fresh chain.
 * `devnetContracts` derives the addresses from the deployer's first transactions.
 */
export async function deployContracts({ rpcUrl, chainId }: { rpcUrl: string; chainId: number }): Promise<void> {
  const chain = defineChain({
    id: chainId,
    name: `Devnet ${chainId}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const node = createTestClient({ mode: 'anvil', chain, transport: http(rpcUrl), pollingInterval: 20 }).extend(
    publicActions,
  )

  // A call without a recipient returns the runtime code.
  const multicall = await node.call({ data: devnetMulticall.bytecode })
  if (multicall.data === undefined) throw new Error('The multicall contract gave no code.')
  await node.setCode({ address: devnetContracts.multicall3, bytecode: multicall.data })

  const tokens = [
    { address: devnetContracts.dollar, args: ['Devnet Dollar', 'DUSD', 6], amount: parseUnits('2500', 6) },
    { address: devnetContracts.gem, args: ['Devnet Gem', 'GEM', 18], amount: parseUnits('1234.5678', 18) },
  ] as const
  const mints = devnetAccounts.slice(0, holders).flatMap(({ address: to }): Call[] => [
    ...tokens.map(({ address, amount }) => ({
      to: address,
      data: encodeFunctionData({ abi: devnetToken.abi, functionName: 'mint', args: [to, amount] }),
    })),
    {
      to: devnetContracts.collectible,
      data: encodeFunctionData({ abi: devnetCollectible.abi, functionName: 'mint', args: [to] }),
    },
  ])
  const calls: Call[] = [
    ...tokens.map(({ args }) => ({ data: encodeDeployData({ ...devnetToken, args }) })),
    { data: encodeDeployData(devnetCollectible) },
    ...mints,
  ]
  await sendAll({ rpcUrl, chainId, account: deployer(), calls })
}
