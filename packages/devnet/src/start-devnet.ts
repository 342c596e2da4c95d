import type { NetworkDefinition } from '@postern/protocol'
import { deployAccountAbstraction } from './account-abstraction/deploy'
import { devnetChains } from './chain-ids'
import { startAnvil } from './evm/anvil'
import { deployContracts } from './evm/deploy-contracts'
import { deployGasPriceOracle } from './evm/deploy-oracle'
import { deployMarket } from './market/deploy'
import { devnetMnemonic } from './mnemonic'
import { deployNames } from './names/deploy'
import { type DevnetPorts, devnetAccounts, devnetNetworks, devnetPorts } from './networks'

export type Devnet = {
  readonly ports: DevnetPorts
  readonly networks: readonly NetworkDefinition[]
  /** Only the EVM chains have their own processes. */
  readonly pids: readonly number[]
  /** Resolves with the service that ended without `stop`, and its last output. */
  readonly failed: Promise<string>
  /** Waits until the ports are free. Idempotent. */
  stop(): Promise<void>
}

/** A service with its own process may end unexpectedly. */
type Service = {
  readonly name: string
  readonly pid?: number
  readonly ended?: Promise<{ readonly code: number | null; readonly lastLines: string }>
  stop(): Promise<void>
}

/**
 * Starts chains and services for development and tests on loopback. Resolves when all are ready.
 *
 * 1. Two EVM chains mine one block per transaction, with ten funded accounts of the well-known mnemonic.
 * 2. Their contracts are at the addresses of `devnetContracts` before this resolves.
 * 3. If a service cannot start or `signal` aborts, the others are stopped before this rejects.
 * 4. Only a service with a port starts and loads its code; the EVM chains always start.
 *
 * @example
 * const devnet = await startDevnet({ ports: { evm: 8545, evmTwo: 8546 } })
 * await devnet.stop()
 */
export async function startDevnet({
  ports = devnetPorts,
  signal,
}: {
  readonly ports?: DevnetPorts
  readonly signal?: AbortSignal
} = {}): Promise<Devnet> {
  const started: Service[] = []
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= Promise.all(started.map((service) => service.stop())).then(() => undefined)
    return stopping
  }
  const runs = (service: Service) => void started.push(service)

  const farcaster = async (port: number, rpcUrl: string, chainId: number) => {
    const [{ startFarcaster }, { deployIdRegistry }] = await Promise.all([
      import('./farcaster/start-farcaster'),
      import('./farcaster/registry'),
    ])
    const registry = await deployIdRegistry({ rpcUrl, chainId })
    runs({ name: 'Farcaster relay', ...(await startFarcaster({ port, registry, signal })) })
  }

  const outcomes = await Promise.allSettled([
    ...devnetChains.map(async ({ key, chainId, name }) => {
      const accounts = devnetAccounts.length
      const anvil = await startAnvil({ port: ports[key], chainId, mnemonic: devnetMnemonic, accounts, signal })
      runs({ name, ...anvil })
      await all([
        deployContracts({ rpcUrl: anvil.rpcUrl, chainId }).then(() => deployMarket({ rpcUrl: anvil.rpcUrl, chainId })),
        deployAccountAbstraction({ rpcUrl: anvil.rpcUrl, chainId }),
        key === 'evm' ? deployNames({ rpcUrl: anvil.rpcUrl, chainId, serverPort: ports.names }) : Promise.resolve(),
        key === 'evmTwo' ? deployGasPriceOracle({ rpcUrl: anvil.rpcUrl }) : Promise.resolve(),
        key === 'evm' ? startAt(ports.farcaster, (port) => farcaster(port, anvil.rpcUrl, chainId)) : Promise.resolve(),
      ])
    }),
    startAt(ports.solana, async (port) => {
      const { startSolana } = await import('./solana/start-solana')
      runs({ name: 'Solana', ...(await startSolana({ port, signal })) })
    }),
    startAt(ports.bitcoin, async (port) => {
      const { startBitcoin } = await import('./bitcoin/start-bitcoin')
      runs({ name: 'Bitcoin', ...(await startBitcoin({ port, signal })) })
    }),
    startAt(ports.relay, async (port) => {
      const { startRelay } = await import('./relay/start-relay')
      runs({ name: 'WalletConnect relay', ...(await startRelay({ port, signal })) })
    }),
    startAt(ports.mobileWallet, async (port) => {
      const { startMobileWallet } = await import('./mobile-wallet/start-mobile-wallet')
      runs({ name: 'Mobile wallet', ...(await startMobileWallet({ port, signal })) })
    }),
    startAt(ports.mailbox, async (port) => {
      const { startMailbox } = await import('./mailbox/start-mailbox')
      const { smtp: smtpPort } = ports
      if (smtpPort === undefined) throw new Error('A mailbox needs a port for SMTP too.')
      runs({ name: 'Mailbox', ...(await startMailbox({ port, smtpPort, signal })) })
    }),
    startAt(ports.identityProvider, async (port) => {
      const { startIdentityProvider } = await import('./identity-provider/start-identity-provider')
      runs({ name: 'Identity provider', ...(await startIdentityProvider({ port, signal })) })
    }),
    startAt(ports.bundler, async (port) => {
      const { startAccountAbstraction } = await import('./account-abstraction/start-account-abstraction')
      const chains = devnetChains.map(({ key, chainId }) => ({ chainId, rpcUrl: `http://127.0.0.1:${ports[key]}` }))
      runs({ name: 'Bundler', ...(await startAccountAbstraction({ port, chains, signal })) })
    }),
    startAt(ports.onramp, async (port) => {
      const { startOnRamp } = await import('./onramp/start-onramp')
      runs({ name: 'On-ramp', ...(await startOnRamp({ port, ports, signal })) })
    }),
    startAt(ports.indexer, async (port) => {
      const { startIndexer } = await import('./indexer/start-indexer')
      const chains = devnetChains.map(({ key, chainId }) => ({ chainId, rpcUrl: `http://127.0.0.1:${ports[key]}` }))
      runs({ name: 'Indexer', ...(await startIndexer({ port, chains, signal })) })
    }),
    startAt(ports.names, async (port) => {
      const { startNames } = await import('./names/offchain')
      runs({ name: 'Names', ...(await startNames({ port, signal })) })
    }),
  ])
  const refused = outcomes.find((outcome) => outcome.status === 'rejected')
  if (refused !== undefined || signal?.aborted) {
    await stop()
    throw refused?.reason ?? signal?.reason
  }

  const failed = new Promise<string>((resolve) => {
    for (const { name, ended } of started) {
      void ended?.then(({ code, lastLines }) => {
        if (stopping === undefined && signal?.aborted !== true)
          resolve(`${name} ended with exit code ${code}. ${lastLines}`.trim())
      })
    }
  })
  const pids = started.flatMap(({ pid }) => (pid === undefined ? [] : [pid]))
  return { ports, networks: devnetNetworks(ports), pids, failed, stop }
}

/** Settles only after every promise has settled. */
async function all(works: readonly Promise<void>[]): Promise<void> {
  const outcomes = await Promise.allSettled(works)
  const refused = outcomes.find((outcome) => outcome.status === 'rejected')
  if (refused !== undefined) throw refused.reason
}

async function startAt(port: number | undefined, start: (port: number) => Promise<void>): Promise<void> {
  if (port !== undefined) await start(port)
}
