/** Puts the contracts of the devnet on one chain and gives the first accounts something to look at. */
import { createTestClient, createWalletClient, defineChain, type Hex, http, parseUnits, publicActions } from 'viem'
import { deployer, devnetAccounts, devnetContracts } from '../networks'
import { devnetCollectible, devnetMulticall, devnetToken } from './contracts.gen'

/** How many accounts get tokens and a collectible. */
const holders = 3

/**
 * Deploys Multicall3 at its usual address, two ERC-20s and an ERC-721.
 * Requires a fresh chain: the addresses in `devnetContracts` are those of the deployer's first transactions.
 */
export async function deployContracts({ rpcUrl, chainId }: { rpcUrl: string; chainId: number }): Promise<void> {
  const chain = defineChain({
    id: chainId,
    name: `Devnet ${chainId}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const transport = http(rpcUrl)
  const node = createTestClient({ mode: 'anvil', chain, transport, pollingInterval: 20 }).extend(publicActions)
  const account = deployer()
  const wallet = createWalletClient({ account, chain, transport })

  // Calling creation code as if to deploy it answers with the code that the contract would have.
  const multicall = await node.call({ data: devnetMulticall.bytecode })
  if (multicall.data === undefined) throw new Error('The multicall contract gave no code.')
  await node.setCode({ address: devnetContracts.multicall3, bytecode: multicall.data })

  const tokens = [
    { address: devnetContracts.dollar, args: ['Devnet Dollar', 'DUSD', 6], amount: parseUnits('2500', 6) },
    { address: devnetContracts.gem, args: ['Devnet Gem', 'GEM', 18], amount: parseUnits('1234.5678', 18) },
  ] as const
  const hashes: Hex[] = []
  let nonce = await node.getTransactionCount({ address: account.address })
  for (const { args } of tokens) hashes.push(await wallet.deployContract({ ...devnetToken, args, nonce: nonce++ }))
  hashes.push(await wallet.deployContract({ ...devnetCollectible, nonce: nonce++ }))
  for (const { address: to } of devnetAccounts.slice(0, holders)) {
    for (const { address, amount } of tokens) {
      hashes.push(
        await wallet.writeContract({
          abi: devnetToken.abi,
          address,
          functionName: 'mint',
          args: [to, amount],
          nonce: nonce++,
        }),
      )
    }
    const collectible = { abi: devnetCollectible.abi, address: devnetContracts.collectible } as const
    hashes.push(await wallet.writeContract({ ...collectible, functionName: 'mint', args: [to], nonce: nonce++ }))
  }
  const receipts = await Promise.all(hashes.map((hash) => node.waitForTransactionReceipt({ hash })))
  if (receipts.some(({ status }) => status !== 'success'))
    throw new Error(`A contract could not be set up on ${rpcUrl}.`)
}
