import type { NetworkDefinition } from '@postern/protocol'
import { type Anvil, startAnvil } from './evm/anvil'
import { deployContracts } from './evm/deploy-contracts'
import { devnetMnemonic } from './mnemonic'
import { type DevnetPorts, devnetAccounts, devnetChains, devnetNetworks, devnetPorts } from './networks'

export type Devnet = {
  readonly ports: DevnetPorts
  readonly networks: readonly NetworkDefinition[]
  /** The services' processes. */
  readonly pids: readonly number[]
  /** Settles when a service ended although nobody called `stop`: which one, and its last words. */
  readonly failed: Promise<string>
  /** Ends every service and waits until its ports are free. May be called more than once. */
  stop(): Promise<void>
}

/**
 * Starts the chains that development and tests run against, all on loopback, and answers once they are of use.
 *
 * 1. Two EVM chains mine a block a transaction, with ten funded accounts of the well-known phrase.
 * 2. Their contracts stand at the addresses of `devnetContracts` before this settles.
 * 3. When one service cannot start, or `signal` aborts, the others are ended before this rejects.
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
  const started: Anvil[] = []
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= Promise.all(started.map((service) => service.stop())).then(() => undefined)
    return stopping
  }

  const outcomes = await Promise.allSettled(
    devnetChains.map(async ({ key, chainId, name }) => {
      const anvil = await startAnvil({
        port: ports[key],
        chainId,
        mnemonic: devnetMnemonic,
        accounts: devnetAccounts.length,
        signal,
      })
      started.push(anvil)
      await deployContracts({ rpcUrl: anvil.rpcUrl, chainId })
      signal?.throwIfAborted()
      return { anvil, name }
    }),
  )
  const refused = outcomes.find((outcome) => outcome.status === 'rejected')
  if (refused !== undefined) {
    await stop()
    throw refused.reason
  }

  const failed = new Promise<string>((resolve) => {
    for (const outcome of outcomes) {
      if (outcome.status !== 'fulfilled') continue
      const { anvil, name } = outcome.value
      void anvil.ended.then(({ code, lastLines }) => {
        if (stopping === undefined && signal?.aborted !== true)
          resolve(`${name} ended with exit code ${code}. ${lastLines}`.trim())
      })
    }
  })
  return { ports, networks: devnetNetworks(ports), pids: started.map(({ pid }) => pid), failed, stop }
}
