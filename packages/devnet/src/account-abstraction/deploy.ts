import { concat, createTestClient, createWalletClient, defineChain, http, parseEther, publicActions } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import {
  deployments,
  deterministicProxy,
  entryPoint,
  operator,
  paymasterDeployment,
  safeSingletonFactory,
} from './addresses'
import { permit2 } from './permit2.gen'

/** EntryPoint needs 3.9 million. */
const deploymentGas = 6_000_000n
/** Far above a fresh chain's fee. */
const maxFeePerGas = 10_000_000_000n

export function devnetChain(rpcUrl: string, chainId: number) {
  return defineChain({
    id: chainId,
    name: `Devnet ${chainId}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
}

/**
 * Deploys EntryPoint 0.7, Safe 1.4.1 with its 4337 module, Permit2 and a funded paymaster.
 * Requires a fresh chain. It spends from its own account, so it may run beside other deployments.
 */
export async function deployAccountAbstraction({
  rpcUrl,
  chainId,
}: {
  readonly rpcUrl: string
  readonly chainId: number
}): Promise<void> {
  const chain = devnetChain(rpcUrl, chainId)
  const transport = http(rpcUrl)
  const node = createTestClient({ mode: 'anvil', chain, transport, pollingInterval: 20 }).extend(publicActions)
  const wallet = createWalletClient({ account: operator, chain, transport })
  const proxyCode = await node.getCode({ address: deterministicProxy })
  if (proxyCode === undefined) throw new Error(`The deterministic deployment proxy is not on ${rpcUrl}.`)
  await Promise.all([
    node.setCode({ address: safeSingletonFactory, bytecode: proxyCode }),
    node.setCode({ address: permit2.address, bytecode: permit2.code }),
    node.setBalance({ address: operator.address, value: parseEther('10000') }),
  ])

  const all = deployments()
  const fees = { gas: deploymentGas, maxFeePerGas, maxPriorityFeePerGas: 1n } as const
  let nonce = 0
  for (const { proxy, salt, code } of all)
    await wallet.sendTransaction({ to: proxy, data: concat([salt, code]), nonce: nonce++, ...fees })
  const hash = await wallet.writeContract({
    abi: entryPoint07Abi,
    address: entryPoint,
    functionName: 'depositTo',
    args: [paymasterDeployment().address],
    value: parseEther('1000'),
    nonce: nonce++,
    ...fees,
  })
  const { status } = await node.waitForTransactionReceipt({ hash })
  const codes = await Promise.all(all.map(({ address }) => node.getCode({ address })))
  const missing = all.find((_, index) => codes[index] === undefined)
  if (missing !== undefined || status !== 'success')
    throw new Error(`${missing?.name ?? "The paymaster's deposit"} could not be set up on ${rpcUrl}.`)
}
