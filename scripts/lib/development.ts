/** The development stack of `npm start` and the end-to-end tests. */
import { randomBytes } from 'node:crypto'
import { gatewayEnvironment as devnetServices } from '../../packages/devnet/src/gateway-environment'
import { devnetNetworks, devnetPorts } from '../../packages/devnet/src/networks'
import { weatherNetworks } from '../../packages/devnet/src/weather/devnet-weather'
import type { WeatherName } from '../../packages/devnet/src/weather/levels'
import { answers, claimPorts } from './ports'
import { type Service, startService } from './process'
import { step } from './step'

/** By user, for the message about a taken port. */
export const ports = {
  gateway: 4400,
  console: 4480,
  demo: 4500,
  'first chain': devnetPorts.evm,
  'second chain': devnetPorts.evmTwo,
  'Solana chain': devnetPorts.solana,
  "Solana chain's subscriptions": devnetPorts.solana + 1,
  'Bitcoin chain': devnetPorts.bitcoin,
  'WalletConnect relay': devnetPorts.relay,
  'mobile wallet': devnetPorts.mobileWallet,
  'mail server': devnetPorts.smtp,
  mailbox: devnetPorts.mailbox,
  'identity provider': devnetPorts.identityProvider,
  'Farcaster relay': devnetPorts.farcaster,
  bundler: devnetPorts.bundler,
  'on-ramp': devnetPorts.onramp,
  indexer: devnetPorts.indexer,
} as const

export const origins = {
  demo: `http://demo.localhost:${ports.demo}`,
  mobileWallet: `http://mobile-wallet.localhost:${ports['mobile wallet']}`,
  mailbox: `http://mail.localhost:${ports.mailbox}`,
  identityProvider: `http://id.localhost:${ports['identity provider']}`,
  farcaster: `http://farcaster.localhost:${ports['Farcaster relay']}`,
  modal: `http://modal.postern.localhost:${ports.gateway}`,
  console: `http://127.0.0.1:${ports.console}`,
} as const

/** A new token for each start. */
export const consoleToken = randomBytes(32).toString('hex')

/** Networks besides the built-in ones. */
const networksIn = (weather: WeatherName) =>
  weather === 'fair'
    ? devnetNetworks().map(({ rpcUrls = [], ...network }) => ({ ...network, upstreams: rpcUrls }))
    : weatherNetworks()

const seed = [
  {
    id: 'demo',
    name: 'Postern demo',
    allowedOrigins: [origins.demo],
    defaultAncestors: false,
    walletConnect: 'devnet',
    // Visitors and operator are the same person.
    analytics: { consent: false },
  },
]

const gatewayEnvironment = (weather: WeatherName) => ({
  PORT: String(ports.gateway),
  POSTERN_ADMIN_PORT: String(ports.console),
  POSTERN_ADMIN_TOKEN: consoleToken,
  POSTERN_NETWORKS: JSON.stringify(networksIn(weather)),
  POSTERN_SEED: JSON.stringify(seed),
  WALLETCONNECT_RELAY_URL: `ws://127.0.0.1:${devnetPorts.relay}`,
  ...devnetServices(),
  LOG_LEVEL: 'warn',
})

const node = process.execPath
const tsx = ['--import', 'tsx'] as const
const fair = { weather: 'fair', seed: 0 } as const

export type StackOptions = {
  /** Run from source, and restart on changes. */
  readonly watch?: boolean
  readonly weather?: { readonly weather: WeatherName; readonly seed: number }
}

const startChains = ({ weather: { weather, seed } = fair }: StackOptions) =>
  startService('devnet', node, [...tsx, 'packages/devnet/src/main.ts', `--weather=${weather}`, `--seed=${seed}`])

const startGateway = ({ watch = false, weather: { weather } = fair }: StackOptions) =>
  startService(
    'gateway',
    node,
    watch ? [...tsx, '--watch', 'apps/gateway/src/main.ts'] : ['apps/gateway/dist/main.js'],
    {
      env: gatewayEnvironment(weather),
    },
  )

const startDemo = () => startService('demo', node, [...tsx, 'apps/demo/scripts/serve.ts'])

const alive = (service: Service) => {
  let ended = false
  void service.ended
    .catch(() => null)
    .then(() => {
      ended = true
    })
  return () => !ended
}

async function ready(service: Service, url: string, host: string): Promise<Service> {
  try {
    await answers(url, host, alive(service))
  } catch (error) {
    throw new Error(`The ${service.name} did not start. ${service.lastLines()}`, { cause: error })
  }
  return service
}

async function chainsReady(service: Service): Promise<Service> {
  const isAlive = alive(service)
  // anvil responds to GET with 405 or 400, so wait for the devnet's output.
  while (!service.lastLines().includes('Contracts')) {
    if (!isAlive()) throw new Error(`The devnet did not start. ${service.lastLines()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return service
}

/** Starts the services in order; resolves when all are ready. */
export async function startStack(options: StackOptions = {}): Promise<Service[]> {
  await claimPorts(ports)
  const devnet = await step('Starting the local chains', () => chainsReady(startChains(options)))
  const gateway = await step('Starting the gateway', () =>
    ready(startGateway(options), `http://127.0.0.1:${ports.gateway}/ready`, `modal.postern.localhost:${ports.gateway}`),
  )
  const demo = await step('Starting the demo dapp', () =>
    ready(startDemo(), `http://127.0.0.1:${ports.demo}/`, `demo.localhost:${ports.demo}`),
  )
  return [devnet, gateway, demo]
}
