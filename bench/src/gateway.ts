import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { answers } from '../../scripts/lib/ports'
import { startService } from '../../scripts/lib/process'

export type BenchGateway = { readonly origin: string; readonly port: number; stop(): Promise<void> }

export type BenchGatewayOptions = {
  /** Directory entries; default: the shipped directory. */
  readonly wallets?: number
  /** Default: the repository's build. */
  readonly modalDir?: string
  /** Default: no relay. */
  readonly relayUrl?: string
  /** Behind a proxy: what browsers see. Default: the gateway itself. */
  readonly origins?: { readonly modal: string; readonly wallet: string }
  /** Further variables of docs/operate/settings.md. */
  readonly env?: Readonly<Record<string, string>>
}

export async function startGateway(
  allowedOrigin: string,
  { wallets, modalDir, relayUrl, origins, env: more = {} }: BenchGatewayOptions = {},
): Promise<BenchGateway> {
  const folder = await mkdtemp(path.join(tmpdir(), 'postern-bench-'))
  const port = await freePort()
  const env: Record<string, string> = {
    PORT: String(port),
    POSTERN_DATA: folder,
    POSTERN_SEED: JSON.stringify([
      {
        id: 'bench',
        name: 'Bench',
        allowedOrigins: [allowedOrigin],
        defaultAncestors: false,
        analytics: { consent: false },
        walletConnect: relayUrl === undefined ? null : 'bench',
      },
    ]),
    LOG_LEVEL: 'error',
    ...more,
    ...(origins === undefined ? {} : { MODAL_ORIGIN: origins.modal, WALLET_ORIGIN: origins.wallet }),
    ...(modalDir === undefined ? {} : { POSTERN_MODAL_DIR: modalDir }),
    ...(relayUrl === undefined ? {} : { WALLETCONNECT_RELAY_URL: relayUrl }),
  }
  if (wallets !== undefined) {
    env.POSTERN_DIRECTORY = folder
    await writeFile(
      path.join(folder, 'wallets.json'),
      JSON.stringify(Array.from({ length: wallets }, (_, at) => entry(at))),
    )
  }
  const service = startService('gateway', process.execPath, ['apps/gateway/dist/main.js'], { env })
  let ended = false
  void service.ended.then(() => {
    ended = true
  })
  const origin = origins?.modal ?? `http://modal.postern.localhost:${port}`
  try {
    await answers(`http://127.0.0.1:${port}/ready`, new URL(origin).host, () => !ended)
  } catch (cause) {
    throw new Error(`The gateway did not start. ${service.lastLines()}`, { cause })
  }
  return {
    origin,
    port,
    async stop() {
      await service.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const entry = (at: number) => ({
  id: `bench.wallet${at}`,
  name: `Wallet ${String(at).padStart(4, '0')}`,
  homepage: `https://wallet${at}.example/`,
  chains: ['eip155:1'],
  order: at + 1,
  badge_type: 'none',
})

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        address !== null && typeof address === 'object' ? resolve(address.port) : reject(new Error('No port')),
      )
    })
  })
}
