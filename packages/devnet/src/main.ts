/** Prints its endpoints, exits on SIGINT or SIGTERM, and fails if a service fails. */
import { parseArgs } from 'node:util'
import { formatEther } from 'viem'
import { entryPoint, safeContracts } from './account-abstraction/addresses'
import { devnetMnemonic } from './mnemonic'
import { devnetAccounts, devnetContracts, ensContracts, weatherPort } from './networks'
import { startDevnet } from './start-devnet'
import { startDevnetWeather } from './weather/devnet-weather'
import { readWeather, weatherArguments } from './weather/options'

const service = (name: string, url: string, port: number | undefined) =>
  port === undefined ? [] : [`${name.padEnd(60)} ${url}:${port}`]

const abort = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => abort.abort(new Error(name)))

try {
  const { weather, seed } = readWeather(parseArgs({ options: weatherArguments }).values)
  const devnet = await startDevnet({ signal: abort.signal })
  if (weather !== 'fair') await startDevnetWeather({ weather, seed, ports: devnet.ports, signal: abort.signal })
  const funds = `${formatEther(10_000n * 10n ** 18n)} ETH`
  const lines = [
    ...devnet.networks.map(({ name, id, rpcUrls }) => `${name.padEnd(20)} ${id.padEnd(39)} ${rpcUrls?.[0] ?? ''}`),
    ...service('WalletConnect relay', 'ws://127.0.0.1', devnet.ports.relay),
    ...service('Mobile wallet', 'http://mobile-wallet.localhost', devnet.ports.mobileWallet),
    ...service('SMTP', 'smtp://127.0.0.1', devnet.ports.smtp),
    ...service('Mailbox', 'http://mail.localhost', devnet.ports.mailbox),
    ...service('Google, GitHub, Apple, Facebook, X, Discord', 'http://id.localhost', devnet.ports.identityProvider),
    ...service('Farcaster', 'http://farcaster.localhost', devnet.ports.farcaster),
    ...service('Bundlers, by chain id, and paymasters', 'http://127.0.0.1', devnet.ports.bundler),
    ...service('On-ramp', 'http://onramp.localhost', devnet.ports.onramp),
    ...(weather === 'fair' ? [] : service(`Weather ${weather}, seed ${seed}`, 'http://127.0.0.1', weatherPort)),
    ...service('Explorer of the EVM chains, and prices', 'http://127.0.0.1', devnet.ports.indexer),
    '',
    `Accounts of "${devnetMnemonic}", ${funds} each on both EVM chains:`,
    ...devnetAccounts.map(({ address }, index) => `  ${index}  ${address}`),
    '',
    'Contracts, at the same addresses on both EVM chains:',
    ...Object.entries({ ...devnetContracts, entryPoint, ...safeContracts }).map(
      ([name, address]) => `  ${name.padEnd(16)} ${address}`,
    ),
    '',
    'ENS, on the first chain:',
    ...Object.entries(ensContracts).map(([name, address]) => `  ${name.padEnd(17)} ${address}`),
  ]
  console.log(lines.join('\n'))

  const aborted = new Promise<undefined>((resolve) => abort.signal.addEventListener('abort', () => resolve(undefined)))
  const failure = abort.signal.aborted ? undefined : await Promise.race([devnet.failed, aborted])
  await devnet.stop()
  if (failure !== undefined) throw new Error(failure)
} catch (cause) {
  if (!abort.signal.aborted) {
    console.error(cause instanceof Error ? cause.message : cause)
    process.exitCode = 1
  }
}
