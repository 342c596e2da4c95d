/** A gateway on the devnet's chains, as with `npm start`, and one unreachable network. */
import { type DevnetPorts, devnetNetworks, gatewayEnvironment, startDevnet } from '@postern/devnet'
import type * as z from 'zod/mini'
import { readConfig } from '../config'
import { type Overrides, startTestApp, type TestApp } from './app'

export const deadNetwork = 'eip155:4040'

export type BlockchainTest = {
  readonly app: TestApp
  /** @throws if the response is invalid. */
  get<T>(path: string, schema: z.ZodMiniType<T>): Promise<T>
  status(path: string): Promise<number>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>
  stop(): Promise<void>
}

export async function startBlockchain(
  ports: DevnetPorts,
  environment: Readonly<Record<string, string>> = {},
  overrides: Overrides = {},
): Promise<BlockchainTest> {
  const devnet = await startDevnet({ ports })
  const dead = {
    id: deadNetwork,
    name: 'Dead',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: ['http://127.0.0.1:1/operators-key'],
  }
  const config = readConfig({
    ...gatewayEnvironment(ports),
    ...environment,
    POSTERN_NETWORKS: JSON.stringify([...devnetNetworks(ports), dead]),
  })
  const app = await startTestApp({
    // The built-in networks are on the internet.
    networks: config.networks.filter(({ definition }) => definition !== undefined),
    blockchain: config.blockchain,
    ...overrides,
  })
  const at = (path: string) => `${path}${path.includes('?') ? '&' : '?'}projectId=demo`
  return {
    app,
    async get(path, schema) {
      const response = await app.get(at(path))
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
      return schema.parse(await response.json())
    },
    status: async (path) => (await app.get(at(path))).status,
    post: (path, body, headers) => app.post(at(path), body, headers),
    async stop() {
      await Promise.all([app.close(), devnet.stop()])
    },
  }
}
