import { devnetBitcoinId, devnetChains, devnetSolanaId } from '../chain-ids'
import { type DevnetPorts, devnetNetworks, devnetPorts, weatherPort } from '../networks'
import type { WeatherName } from './levels'
import { type RunningWeather, startWeather } from './start-weather'

/** Block time of a busy chain, in ms. */
const blockMs = 2_000

export function startDevnetWeather(options: {
  readonly weather: WeatherName
  readonly seed: number
  readonly ports: DevnetPorts
  readonly signal?: AbortSignal
}): Promise<RunningWeather> {
  const { ports, ...rest } = options
  const at = (port: number | undefined) => (port === undefined ? undefined : `http://127.0.0.1:${port}`)
  return startWeather({
    ...rest,
    port: weatherPort,
    evm: Object.fromEntries(
      devnetChains.map(({ key, chainId }) => [String(chainId), `http://127.0.0.1:${ports[key]}`]),
    ),
    solana: at(ports.solana),
    bitcoin: at(ports.bitcoin),
    blockMs,
  })
}

/** The devnet's networks for a gateway behind the weather; an EVM chain has two nodes. */
export function weatherNetworks(ports: DevnetPorts = devnetPorts) {
  const at = (path: string) => `http://127.0.0.1:${weatherPort}/${path}`
  const paths: Readonly<Record<string, readonly string[]>> = {
    ...Object.fromEntries(devnetChains.map(({ chainId: id }) => [`eip155:${id}`, [`${id}/0`, `${id}/1`]])),
    [devnetSolanaId]: ['solana'],
    [devnetBitcoinId]: ['bitcoin'],
  }
  return devnetNetworks(ports).map(({ rpcUrls: _, ...network }) => ({
    ...network,
    upstreams: (paths[network.id] ?? []).map(at),
  }))
}
