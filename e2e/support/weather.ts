/** A gateway whose EVM chain is in weather: its own chains, so that no other test is in them. */
import { devnetBitcoinId, devnetMnemonic, devnetNetworks, startAnvil, startWeather } from '@postern/devnet'
import { startBitcoin } from '@postern/devnet/bitcoin'
import { createGateway } from './gateway'
import { evmAt } from './money'
import type { Lane } from './test'

const chainId = 31337

export async function gatewayInWeather(lane: Lane, weather: 'fair' | 'rough', seed: number) {
  const anvil = await startAnvil({ port: lane.chainPort, chainId, mnemonic: devnetMnemonic, accounts: 10 })
  const bitcoin = await startBitcoin({ port: lane.bitcoinPort, blockMs: 0 })
  const running = await startWeather({
    ...{ port: 0, weather, seed, blockMs: 0 },
    evm: { [chainId]: anvil.rpcUrl },
    bitcoin: bitcoin.url,
  })
  const networks = devnetNetworks().map(({ rpcUrls = [], ...network }) => ({
    ...network,
    upstreams:
      network.id === devnetBitcoinId ? (running.upstreams.bip122 ?? []) : (running.upstreams[network.id] ?? rpcUrls),
  }))
  // Listed exactly: the frame approves.
  const allowedOrigins = ['dapp', 'app'].map((site) => `http://${site}.localhost:${lane.sitesPort}`)
  const project = { id: 'demo', name: 'Two sites', allowedOrigins, defaultAncestors: true }
  const gateway = await createGateway(lane.ownGatewayPort, [project], undefined, 'warn', {
    POSTERN_NETWORKS: JSON.stringify(networks),
    // A bundler would send past the weather: the account is the key's own.
    POSTERN_BUNDLERS: '{}',
    POSTERN_PAYMASTERS: '{}',
  })
  await gateway.start()
  const post = (path: string, body: unknown) =>
    fetch(`http://127.0.0.1:${running.port}${path}`, { method: 'POST', body: JSON.stringify(body) })
  return {
    gateway,
    /** Reads the chain past the weather. */
    chain: evmAt(lane.chainPort),
    /** Past the weather. The test makes its blocks. */
    bitcoin,
    /** The fates of the next broadcasts. */
    decide: (...broadcast: readonly string[]) => post('/devnet/decide', { chain: String(chainId), broadcast }),
    block: () => post('/devnet/block', null),
    /** From now on, every broadcast arrives and every request is answered. */
    async clearUp() {
      const [broadcast, transport] = [Array(200).fill('none'), Array(5_000).fill('none')]
      for (const chain of [String(chainId), 'bitcoin']) await post('/devnet/decide', { chain, broadcast, transport })
    },
    async remove() {
      await gateway.remove()
      await running.stop()
      await anvil.stop()
      await bitcoin.stop()
    },
  }
}
