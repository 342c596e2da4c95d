/** One test's own gateway, which it can stop. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
// real time: polls a process that starts
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { devnetNetworks, devnetPorts, gatewayEnvironment } from '@postern/devnet'
import { createDatabase, startPostgres } from '@postern/devnet/postgres'

/** As `POSTERN_SEED` takes it. */
export type SeededProject = {
  readonly id: string
  readonly name: string
  readonly allowedOrigins: readonly string[]
  readonly defaultAncestors: boolean
  /** Without an id, WalletConnect is not offered. */
  readonly walletConnect?: string
  /** Where they differ from the defaults. */
  readonly features?: {
    readonly swaps?: boolean
    readonly onramp?: boolean
    readonly receive?: boolean
    readonly send?: boolean
    readonly history?: boolean
    readonly email?: boolean
    readonly socials?: readonly string[]
    readonly smartSessions?: boolean
    readonly legalCheckbox?: boolean
    readonly pay?: boolean
    readonly analytics?: boolean
  }
  /** Default: `any` and `later`. */
  readonly recovery?: 'hardened'
  readonly recoveryChoice?: 'first'
  readonly approvals?: {
    readonly place?: 'auto' | 'window'
    readonly windowAboveUsd?: number
    readonly trustedOrigins?: readonly string[]
  }
  /** Default here: on, without consent and addresses. Those of the gateway: `{}`. */
  readonly analytics?: { readonly enabled?: boolean; readonly consent?: boolean; readonly addresses?: boolean }
}

export type Gateway = {
  readonly origin: string
  readonly port: number
  readonly data: string
  /** The latest output since its start. */
  log(): string
  start(): Promise<void>
  stop(): Promise<void>
  /** Moves its clock forward, until it is stopped. */
  advance(milliseconds: number): Promise<void>
  remove(): Promise<void>
}

const main = fileURLToPath(new URL('../../apps/gateway/dist/main.js', import.meta.url))
const startTimeout = 100_000

/** Loaded before the gateway: moves its clock by the ms received. */
const clock = `data:text/javascript,${encodeURIComponent(`
const { now } = Date
let ahead = 0
// real time: moves the clock of a process, or ends the wait for one
Date.now = () => now() + ahead
globalThis.Date = class extends Date {
  constructor(...given) {
    // real time: moves the clock of a process, or ends the wait for one
    given.length === 0 ? super(Date.now()) : super(...given)
  }
}
process.on('message', (milliseconds) => {
  ahead += milliseconds
  process.send('ahead')
})
process.channel.unref()`)}`

const cli = fileURLToPath(new URL('../../apps/gateway/dist/cli.js', import.meta.url))
/** Of the server for the gateways of this run: the workers have the environment of the global setup. */
const serverUrl = 'POSTERN_E2E_POSTGRES'

/** Copied by test gateways: migrating a database takes seconds. */
const template = 'migrated'

/** Returns the function that stops the server. */
export async function startDatabases(): Promise<() => Promise<void>> {
  const server = await startPostgres()
  const data = await mkdtemp(join(tmpdir(), 'postern-e2e-'))
  await promisify(execFile)(process.execPath, [cli, 'project', 'list'], {
    env: { PATH: process.env.PATH, POSTERN_DATA: data, DATABASE_URL: await createDatabase(server.url, template) },
  })
  await rm(data, { recursive: true })
  process.env[serverUrl] = server.url
  return server.stop
}

async function newDatabase(): Promise<string> {
  const url = process.env[serverUrl]
  if (url === undefined) throw new Error('The global setup has started no PostgreSQL.')
  return createDatabase(url, randomUUID(), template)
}

/** Accessed through this gateway. */
const networks = devnetNetworks().map(({ rpcUrls = [], ...network }) => ({ ...network, upstreams: rpcUrls }))

/** The first chain has a paymaster; on the second the account pays. */
const paymasters = JSON.stringify({ 'eip155:31337': `http://127.0.0.1:${devnetPorts.bundler}/paymaster/31337` })

/** @param isEmbedded its database is in `data`, in place of PostgreSQL's. */
export async function createGateway(
  port: number,
  seed: readonly SeededProject[],
  relayUrl = `ws://127.0.0.1:${devnetPorts.relay}`,
  logLevel: 'warn' | 'trace' = 'warn',
  settings: Readonly<Record<string, string>> = {},
  isEmbedded = false,
): Promise<Gateway> {
  const data = await mkdtemp(join(tmpdir(), 'postern-e2e-'))
  const database = isEmbedded ? {} : { DATABASE_URL: await newDatabase() }
  let child: ChildProcess | undefined
  let output = ''
  const kept = logLevel === 'trace' ? 10_000_000 : 8_000

  const start = async () => {
    if (await isUp(port)) throw new Error(`Port ${port} is taken: a gateway of an earlier run may still be there.`)
    output = ''
    child = spawn(process.execPath, ['--import', clock, main], {
      env: {
        PATH: process.env.PATH,
        PORT: String(port),
        POSTERN_DATA: data,
        ...database,
        POSTERN_SEED: JSON.stringify(seed.map((project) => ({ analytics: { consent: false }, ...project }))),
        POSTERN_NETWORKS: JSON.stringify(networks),
        WALLETCONNECT_RELAY_URL: relayUrl,
        ...gatewayEnvironment(),
        POSTERN_PAYMASTERS: paymasters,
        // Lets a test choose its client address.
        TRUSTED_PROXIES: '1',
        LOG_LEVEL: logLevel,
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-kept)
    }
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    await waitUntilUp(port, child, () => output)
  }

  const stop = async () => {
    const running = child
    child = undefined
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return
    const ended = once(running, 'exit')
    running.kill('SIGTERM')
    await ended
  }

  return {
    origin: `http://modal.postern.localhost:${port}`,
    port,
    data,
    log: () => output,
    start,
    stop,
    async advance(milliseconds) {
      if (child === undefined) throw new Error('The gateway does not run.')
      const told = once(child, 'message')
      child.send(milliseconds)
      await told
    },
    async remove() {
      await stop()
      await rm(data, { recursive: true, force: true })
    },
  }
}

async function waitUntilUp(port: number, child: ChildProcess, output: () => string): Promise<void> {
  // real time: moves the clock of a process, or ends the wait for one
  const deadline = Date.now() + startTimeout
  while (!(await isUp(port))) {
    if (child.exitCode !== null) throw new Error(`The gateway ended before it was ready:\n${output()}`)
    // real time: moves the clock of a process, or ends the wait for one
    if (Date.now() > deadline) {
      child.kill('SIGKILL')
      throw new Error(`The gateway was not ready within ${startTimeout / 1000} s:\n${output()}`)
    }
    // real time: polls a process that starts
    await delay(50)
  }
}

/** Node does not resolve `*.localhost`. */
export function isUp(port: number, host = `modal.postern.localhost:${port}`, path = '/ready'): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path, headers: { host }, timeout: 2_000 }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(false))
  })
}
