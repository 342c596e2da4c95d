/** Several gateways on one PostgreSQL, behind a proxy that gives each request to the next one. */
import { Agent, createServer, request } from 'node:http'
import { newSecretKeys } from '../../apps/gateway/src/secrets/secrets'
import { startPostgres } from '../../apps/gateway/src/testing/postgres'
import { type BenchGateway, freePort, startGateway } from './gateway'

export type Replicas = BenchGateway & {
  /** Resident memory of each gateway in MB. */
  memory(): Promise<number[]>
}

export async function startReplicas(
  count: number,
  dapp: string,
  env: Readonly<Record<string, string>>,
): Promise<Replicas> {
  const postgres = await startPostgres()
  const port = await freePort()
  const metrics: number[] = []
  const gateways: BenchGateway[] = []
  const shared = {
    ...env,
    DATABASE_URL: postgres.url,
    MODAL_ORIGIN: `http://modal.postern.localhost:${port}`,
    WALLET_ORIGIN: `http://wallet.postern.localhost:${port}`,
    POSTERN_SECRETS: JSON.stringify(newSecretKeys()),
  }
  for (let number = 0; number < count; number += 1) {
    const metricsPort = await freePort()
    metrics.push(metricsPort)
    gateways.push(await startGateway(dapp, { env: { ...shared, METRICS_PORT: String(metricsPort) } }))
  }
  const proxy = await startProxy(
    port,
    gateways.map(({ origin }) => Number(new URL(origin).port)),
  )
  return {
    origin: shared.MODAL_ORIGIN,
    memory: () => Promise.all(metrics.map(readMemory)),
    async stop() {
      await proxy.stop()
      for (const gateway of gateways) await gateway.stop()
      await postgres.stop()
    },
  }
}

async function readMemory(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const bytes = Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1])
  return Math.round(bytes / 1_048_576)
}

async function startProxy(port: number, targets: readonly number[]): Promise<{ stop(): Promise<void> }> {
  let turn = 0
  // Without the global agent's timeout of 5 s, which ends slow requests.
  const agent = new Agent({ keepAlive: true })
  const server = createServer((incoming, outgoing) => {
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
        answer.pipe(outgoing)
      },
    )
    passed.on('error', ({ message }) => outgoing.writeHead(502).end(message))
    incoming.pipe(passed)
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
