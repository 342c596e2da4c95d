/** A gateway whose EVM chain has a bundler and a paymaster of its own: a test can hold operations while others go on. */
import { deployAccountAbstraction, devnetMnemonic, devnetNetworks, startAnvil } from '@postern/devnet'
import { startAccountAbstraction } from '@postern/devnet/account-abstraction'
import { createGateway } from './gateway'
import { evmAt } from './money'
import type { Lane } from './test'

const project = { id: 'demo', name: 'Any development origin', allowedOrigins: [], defaultAncestors: true }
const chainId = 31337
const networkId = `eip155:${chainId}`

export async function gatewayWithBundler(lane: Lane) {
  const anvil = await startAnvil({ port: lane.chainPort, chainId, mnemonic: devnetMnemonic, accounts: 10 })
  await deployAccountAbstraction({ rpcUrl: anvil.rpcUrl, chainId })
  const running = await startAccountAbstraction({ port: 0, chains: [{ chainId, rpcUrl: anvil.rpcUrl }] })
  const networks = devnetNetworks().map(({ rpcUrls = [], ...network }) => ({
    ...network,
    upstreams: network.id === networkId ? [anvil.rpcUrl] : rpcUrls,
  }))
  const gateway = await createGateway(lane.ownGatewayPort, [project], undefined, 'warn', {
    POSTERN_NETWORKS: JSON.stringify(networks),
    POSTERN_BUNDLERS: JSON.stringify({ [networkId]: `${running.url}/${chainId}` }),
    POSTERN_PAYMASTERS: JSON.stringify({ [networkId]: `${running.url}/paymaster/${chainId}` }),
  })
  await gateway.start()
  return {
    gateway,
    chain: evmAt(lane.chainPort),
    setBundler: running.setBundler,
    setPaymaster: running.setPaymaster,
    async remove() {
      await gateway.remove()
      await running.stop()
      await anvil.stop()
    },
  }
}
