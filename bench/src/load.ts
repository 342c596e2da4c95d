/** What the measurements under load share: the devnet's chains, the gateway's variables and the table. */
import { setTimeout as pause } from 'node:timers/promises'
import { bitcoinAccount } from '../../packages/devnet/src/bitcoin/accounts'
import { devnetBitcoinId, devnetChains, devnetSolanaId } from '../../packages/devnet/src/chain-ids'
import { gatewayEnvironment } from '../../packages/devnet/src/gateway-environment'
import { devnetAccounts, devnetContracts, devnetNetworks } from '../../packages/devnet/src/networks'
import { nativeTokenAddress } from '../../packages/protocol/src/gateway/blockchain-api'
import { startService } from '../../scripts/lib/process'
import { freePort } from './gateway'
import { percentile } from './statistics'
import { formatRows } from './table'
import type { Sample, Setting } from './visitor-requests'

export const dapp = 'http://dapp.localhost:8080'

export type Chains = {
  /** Variables of gateways on them. */
  readonly env: Readonly<Record<string, string>>
  readonly ports: { readonly evm: number; readonly evmTwo: number }
}

/**
 * The devnet, in a process of its own.
 * @param upstreamsOf an EVM network's upstreams, from its node.
 */
export async function startChains(upstreamsOf: (url: string) => string[] = (url) => [url]): Promise<Chains> {
  const ports = {
    evm: await freePort(),
    evmTwo: await freePort(),
    solana: await freePort(),
    bitcoin: await freePort(),
    onramp: await freePort(),
    indexer: await freePort(),
  }
  const service = startService('devnet', process.execPath, [
    '--import',
    'tsx',
    'bench/src/devnet.ts',
    ...Object.values(ports).map(String),
  ])
  let isOver = false
  void service.ended.then(() => {
    isOver = true
  })
  while (!service.lastLines().endsWith('ready')) {
    if (isOver) throw new Error(`The devnet did not start. ${service.lastLines()}`)
    await pause(100)
  }
  const networks = devnetNetworks(ports).map(({ rpcUrls = [], ...network }) => ({
    ...network,
    upstreams: network.id.startsWith('eip155:') ? rpcUrls.flatMap(upstreamsOf) : rpcUrls,
  }))
  return {
    ports,
    env: { ...gatewayEnvironment(ports), POSTERN_NETWORKS: JSON.stringify(networks), TRUSTED_PROXIES: '1' },
  }
}

/** @param origin of the modal. */
export function settingOf(origin: string, record: (sample: Sample) => void): Setting {
  return {
    port: Number(new URL(origin).port),
    dapp,
    networks: {
      evm: devnetChains.map(({ chainId }) => `eip155:${chainId}`),
      solana: devnetSolanaId,
      bitcoin: devnetBitcoinId,
    },
    accounts: {
      evm: devnetAccounts[0]?.address ?? '',
      token: devnetContracts.dollar,
      solana: '11111111111111111111111111111111',
      bitcoin: bitcoinAccount(0).payment.address,
    },
    swap: { from: nativeTokenAddress, to: devnetContracts.dollar },
    record,
  }
}

/** A row for each kind of request, and each failure with its number. */
export function formatLoad(samples: readonly Sample[]): string {
  const kinds = new Map<string, Sample[]>()
  for (const sample of samples) kinds.set(sample.what, [...(kinds.get(sample.what) ?? []), sample])
  const failures = new Map<string, number>()
  const rows = [...kinds].map(([what, of]) => {
    const times = of.map(({ ms }) => ms)
    const failed = of.flatMap(({ failure }) => (failure === null ? [] : [failure]))
    for (const failure of failed) failures.set(`${what}: ${failure}`, (failures.get(`${what}: ${failure}`) ?? 0) + 1)
    const figure = (share: number) => `${percentile(times, share).toFixed(0)} ms`
    return [what, String(of.length), figure(0.5), figure(0.95), figure(0.99), String(failed.length)]
  })
  const table = formatRows([['what', 'asked', 'p50', 'p95', 'p99', 'failed'], ...rows])
  return [table, ...[...failures].map(([failure, count]) => `${count} × ${failure}`)].join('\n')
}
