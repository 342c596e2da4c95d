/** Several gateways on one PostgreSQL, behind a proxy that gives each request to the next one. */
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { startPostgres } from '@postern/devnet/postgres'
import { newSecretKeys } from '../../apps/gateway/src/platform/secrets/secrets'
import { type Replica, startReplica } from '../../apps/gateway/src/testing/replica'
import { freePort } from './gateway'

export type Replicas = {
  /** Of the modal, through the proxy. */
  readonly origin: string
  readonly databaseUrl: string
  /** Resident memory of each gateway in MB. */
  memory(): Promise<number[]>
  /** Of each gateway's log, since its last start. */
  messages(): string[][]
  kill(number: number): Promise<void>
  /** One that was killed, at the same port. */
  revive(number: number): Promise<void>
  restartDatabase(): Promise<void>
  stop(): Promise<void>
}

/** @param aheadMs of each gateway's clock. */
export async function startReplicas(
  aheadMs: readonly number[],
  dapp: string,
  env: Readonly<Record<string, string>>,
): Promise<Replicas> {
  const postgres = await startPostgres()
  const port = await freePort()
  const metrics = await Promise.all(aheadMs.map(freePort))
  const shared = {
    ...env,
    DATABASE_URL: postgres.url,
    MODAL_ORIGIN: `http://modal.postern.localhost:${port}`,
    WALLET_ORIGIN: `http://wallet.postern.localhost:${port}`,
    POSTERN_SECRETS: JSON.stringify(newSecretKeys()),
    POSTERN_SEED: JSON.stringify([
      {
        id: 'bench',
        name: 'Bench',
        allowedOrigins: [dapp],
        defaultAncestors: false,
        analytics: { consent: false },
        walletConnect: null,
      },
    ]),
  }
  const start = (number: number, at?: number) =>
    startReplica(
      'apps/gateway/dist',
      { ...shared, METRICS_PORT: String(metrics[number]), ...(at === undefined ? {} : { PORT: String(at) }) },
      aheadMs[number],
    )
  const running: Replica[] = []
  // One after the other: the first migrates the database.
  for (const number of aheadMs.keys()) running.push(await start(number))
  const ports = running.map((replica) => replica.port)
  const proxy = await startProxy(port, ports)
  return {
    origin: shared.MODAL_ORIGIN,
    databaseUrl: postgres.url,
    memory: () => Promise.all(metrics.map(readMemory)),
    messages: () => running.map((replica) => [...replica.messages()]),
    kill: (number) => running[number]?.kill() ?? Promise.resolve(),
    async revive(number) {
      running[number] = await start(number, ports[number])
    },
    restartDatabase: () => postgres.restart(),
    async stop() {
      await proxy.stop()
      for (const replica of running) await replica.kill()
      await postgres.stop()
    },
  }
}

async function readMemory(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const bytes = Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1])
  return Math.round(bytes / 1_048_576)
}

/**
 * A gateway that refuses connections is passed over, as Caddy does by `lb_try_duration`. A request that ends halfway is
 * not repeated.
 */
async function startProxy(port: number, targets: readonly number[]): Promise<{ stop(): Promise<void> }> {
  let turn = 0
  // Without the global agent's timeout of 5 s, which ends slow requests.
  const agent = new Agent({ keepAlive: true })
  const pass = (incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse, left: number) => {
    const target = targets[turn % targets.length]
    turn += 1
    const passed = request(
      {
        host: '127.0.0.1',
        port: target,
        path: incoming.url,
        method: incoming.method,
        headers: incoming.headers,
        agent,
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.once('error', () => outgoing.destroy())
        answer.pipe(outgoing)
      },
    )
    passed.on('error', (error) => {
      const isRefused = 'code' in error && error.code === 'ECONNREFUSED'
      if (isRefused && left > 1) return pass(incoming, body, outgoing, left - 1)
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(502).end(error.message)
    })
    passed.end(body)
  }
  // A visitor's connection outlives the pause between two requests.
  const server = createServer({ keepAliveTimeout: 65_000 }, async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk))
    pass(incoming, Buffer.concat(chunks), outgoing, targets.length)
  })
  server.listen({ port, host: '127.0.0.1', backlog: 4_096 })
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    async stop() {
      server.close()
      server.closeAllConnections()
      agent.destroy()
    },
  }
}
