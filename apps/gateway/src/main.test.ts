import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createDatabase, notInstalled } from '@postern/devnet/postgres'
import { formatMessage, type SignInMessage } from '@postern/siwx'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { startCollector } from './testing/collector'
import { copyMigrated } from './testing/databases'

const packageDir = fileURLToPath(new URL('..', import.meta.url))
const Line = z.looseObject({ msg: z.string(), port: z.optional(z.number()) })

function run(program: 'main' | 'cli', env: Record<string, string>, words: string[] = []) {
  const child = spawn(process.execPath, [path.join(inject('builtFolder'), `${program}.js`), ...words], {
    cwd: packageDir,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  const ended = once(child, 'exit').then(([code]) => z.nullable(z.number()).parse(code))
  return { child, ended, output: () => output }
}

let dir: string
let env: Record<string, string>
const gateways: ReturnType<typeof run>[] = []

beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'postern-main-'))
  env = {
    POSTERN_DATA: dir,
    PORT: '0',
    MODAL_ORIGIN: 'http://modal.localhost',
    WALLET_ORIGIN: 'http://wallet.localhost',
    POSTERN_SEED: JSON.stringify([{ id: 'demo', name: 'Demo' }]),
  }
})
afterEach(async () => {
  for (const { child, ended } of gateways.splice(0)) {
    child.kill('SIGKILL')
    // It may write into the folder until it ends.
    await ended
  }
  await rm(dir, { recursive: true })
})

const onEmbedded = () => copyMigrated(path.join(dir, 'gateway-db'))

/** For what is not about the embedded database, which takes most of a start. */
async function onPostgres(): Promise<void> {
  const server = inject('postgresUrl')
  if (server === null) throw new Error(notInstalled)
  env.DATABASE_URL = await createDatabase(server, randomUUID(), 'migrated')
}

async function startGateway(extra: Record<string, string> = {}) {
  const gateway = run('main', { ...env, ...extra })
  gateways.push(gateway)
  const port = await new Promise<number>((resolve, reject) => {
    gateway.child.stdout.on('data', () => {
      for (const text of gateway
        .output()
        .split('\n')
        .filter((line) => line.startsWith('{') && line.endsWith('}'))) {
        const line = Line.parse(JSON.parse(text))
        if (line.msg === 'listening' && line.port !== undefined) resolve(line.port)
      }
    })
    gateway.child.once('exit', () => reject(new Error(gateway.output())))
  })
  return { ...gateway, port }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  await new Promise((resolve) => server.close(resolve))
  return address.port
}

/** Node does not resolve `*.localhost`, so set the Host header. */
function ask(
  port: number,
  url: string,
  body?: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        agent: false,
        port,
        path: url,
        method: body === undefined ? 'GET' : 'POST',
        headers: { Host: 'modal.localhost', ...headers },
      },
      async (incoming) => {
        let text = ''
        for await (const chunk of incoming) text += String(chunk)
        resolve({ status: incoming.statusCode, text })
      },
    )
    outgoing.once('error', reject)
    outgoing.end(body)
  })
}

/** In ms; starting processes is slow on a busy machine. */
const timeout = 120_000

describe('the process', { timeout }, () => {
  test('serves its seeded project, and the CLI adds a project while it runs', async () => {
    const metricsPort = await freePort()
    const adminPort = await freePort()
    const token = 't'.repeat(32)
    const gateway = await startGateway({
      METRICS_PORT: String(metricsPort),
      POSTERN_ADMIN_PORT: String(adminPort),
      POSTERN_ADMIN_TOKEN: token,
    })
    const bearer = { Authorization: `Bearer ${token}` }
    expect((await ask(adminPort, '/admin/v1/projects', undefined, bearer)).text).toContain('"id":"demo"')
    expect((await ask(adminPort, '/admin/v1/projects')).status).toBe(401)
    expect((await ask(gateway.port, '/admin/v1/projects', undefined, bearer)).status).not.toBe(200)
    expect((await ask(gateway.port, '/ready')).status).toBe(200)
    const counted = 'postern_requests_total{method="GET",route="/ready",status="200"} 1'
    expect((await ask(metricsPort, '/metrics')).text).toContain(counted)
    expect((await ask(gateway.port, '/metrics')).status).toBe(404)
    expect((await ask(gateway.port, '/projects/v1/origins?projectId=demo')).text).toBe('{"allowedOrigins":[]}')
    const command = run('cli', env, [
      'project',
      'add',
      '--name',
      'Two',
      '--id',
      'two',
      '--origin',
      'https://two.example',
    ])
    expect(await command.ended).toBe(0)
    expect((await ask(gateway.port, '/projects/v1/origins?projectId=two')).text).toContain('https://two.example')
    gateway.child.kill('SIGTERM')
    expect(await gateway.ended).toBe(0)
    const after = run('cli', env, ['project', 'show', 'two', '--json'])
    expect(await after.ended).toBe(0)
    expect(JSON.parse(after.output())).toMatchObject({ id: 'two', allowedOrigins: ['https://two.example'] })
  })

  test('a second process on the same embedded database exits with the reason', async () => {
    await onEmbedded()
    await startGateway()
    const second = run('main', env)
    expect(await second.ended).toBe(1)
    expect(second.output()).toMatch(/in use by process \d+/)
  })

  test('on a stop signal, finishes pending requests and leaves no files behind', async () => {
    await onEmbedded()
    const node = createServer()
    await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
    const address = node.address()
    if (address === null || typeof address === 'string') throw new Error('not listening on a port')
    const reached = once(node, 'request')
    const upstreams = [`http://127.0.0.1:${address.port}`]
    const gateway = await startGateway({ POSTERN_NETWORKS: JSON.stringify([{ id: 'eip155:1', upstreams }]) })
    const call = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
    const answer = ask(gateway.port, '/v1/?projectId=demo&chainId=eip155:1', call)
    const [, response] = await reached
    // Like a browser's preconnect, which must not delay the shutdown.
    const silent = connect(gateway.port, '127.0.0.1')
    await once(silent, 'connect')
    const isSilentClosed = once(silent, 'close')
    const stopping = new Promise<void>((resolve) => {
      gateway.child.stdout.on('data', () => {
        if (gateway.output().includes('"stopping"')) resolve()
      })
    })
    gateway.child.kill('SIGINT')
    await stopping
    await expect(ask(gateway.port, '/health')).rejects.toThrow('ECONNREFUSED')
    await isSilentClosed
    response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}')
    expect(await answer).toEqual({ status: 200, text: '{"jsonrpc":"2.0","id":1,"result":"0x1"}' })
    expect(await gateway.ended).toBe(0)
    expect((await readdir(dir)).sort()).toEqual(['gateway-db', 'secrets.json'])
    node.closeAllConnections()
    node.close()
  })

  test('sends its traces to a collector, the last ones as it stops', async () => {
    await onEmbedded()
    const collector = await startCollector()
    const gateway = await startGateway({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: 'postern-eu',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    })
    await ask(gateway.port, '/projects/v1/origins?projectId=demo')
    gateway.child.kill('SIGTERM')
    expect(await gateway.ended).toBe(0)
    collector.close()
    const [request, job, ...others] = [...collector.spans].sort((a, b) => (a.name < b.name ? -1 : 1))
    expect([request?.name, job?.name, others]).toEqual(['GET /projects/v1/origins', 'seal shares', []])
    expect(collector.services).toEqual(['postern-eu'])
    expect(collector.bodies.join()).toContain('deployment.environment.name')
    expect(gateway.output()).toContain(`"traceId":"${request?.trace}"`)
  })

  test('keeps wallet sign-ins across a restart, and verifies signatures of every namespace', async () => {
    await onPostgres()
    const origin = 'http://localhost:3000'
    const headers = { Origin: origin, 'Content-Type': 'application/json' }
    const account = privateKeyToAccount(generatePrivateKey())
    const at = (route: string) => `/v1/siwx/${route}?projectId=demo`
    const before = await startGateway()
    const signIn = async (
      accountAddress: string,
      chainId: SignInMessage['chainId'],
      sign: (text: string) => unknown,
    ) => {
      const { nonce } = z
        .object({ nonce: z.string() })
        .parse(JSON.parse((await ask(before.port, at('nonce'), '', headers)).text))
      // real time: the process has the machine's.
      const fields = { domain: 'localhost:3000', uri: origin, version: '1', nonce, issuedAt: new Date().toISOString() }
      const message = formatMessage({ accountAddress, chainId, ...fields })
      const body = JSON.stringify({ message, signature: await sign(message) })
      return (await ask(before.port, at('authenticate'), body, headers)).text
    }
    const signedIn = await signIn(account.address, 'eip155:1', (message) => account.signMessage({ message }))
    const { token } = z.object({ token: z.string() }).parse(JSON.parse(signedIn))
    const bitcoin = 'bip122:000000000019d6689c085ae165831e93'
    const wrong = Buffer.concat([Buffer.from([39]), Buffer.alloc(64, 1)]).toString('base64')
    expect(await signIn('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', bitcoin, () => wrong)).toContain(
      'SIGNATURE_INVALID',
    )
    before.child.kill('SIGTERM')
    await before.ended
    const after = await startGateway()
    const me = await ask(after.port, at('me'), undefined, { Origin: origin, Authorization: `Bearer ${token}` })
    expect([me.status, me.text.includes(account.address)]).toEqual([200, true])
    expect((await ask(after.port, '/v1/siwx/jwks.json')).text).toContain('"crv":"Ed25519"')
  })

  test('reports every configuration error at once', async () => {
    const gateway = run('main', { ...env, NODE_ENV: 'production', LOG_LEVEL: 'loud', POSTERN_DATA: '' })
    expect(await gateway.ended).toBe(1)
    for (const name of ['LOG_LEVEL', 'DATABASE_URL', 'POSTERN_SECRETS', 'SMTP_URL']) {
      expect(gateway.output()).toContain(`${name} must be`)
    }
  })

  test('exits when its key service does not answer', async () => {
    await onPostgres()
    const wrapped = { by: 'vault-transit', url: 'http://127.0.0.1:9', key: 'postern', ciphertext: 'vault:v1:AA==' }
    const secrets = { POSTERN_SECRETS: JSON.stringify({ wrapped }), POSTERN_KEY_SERVICE_TOKEN: 'token' }
    const gateway = run('main', { ...env, ...secrets })
    expect(await gateway.ended).toBe(1)
    expect(gateway.output()).toBe('POSTERN_SECRETS: the key service 127.0.0.1:9 cannot be reached\n')
    expect(await readdir(dir)).toEqual([])
  })

  test('exits when its port is taken', async () => {
    await onPostgres()
    const first = await startGateway()
    const second = run('main', { ...env, PORT: String(first.port) })
    expect(await second.ended).toBe(1)
    expect(second.output()).toContain('EADDRINUSE')
  })
})
