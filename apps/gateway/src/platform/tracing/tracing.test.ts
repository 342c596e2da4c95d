import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { trace } from '@opentelemetry/api'
import { createDatabase, notInstalled } from '@postern/devnet/postgres'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { composeAdminApp } from '../../admin-server'
import { startJobs } from '../../jobs'
import { createDirectory } from '../../site/directory/directory'
import { modalOrigin, startTestApp } from '../../testing/app'
import { noon } from '../../testing/clock'
import { startCollector } from '../../testing/collector'
import { migrationsDir } from '../../testing/migrations'
import { openPostgres } from '../db/open'
import { createLog } from '../log/log'
import { createMetrics } from '../metrics/metrics'
import { readTracing } from './config'
import { traceFetch } from './spans'
import { startTracing } from './start'

describe('readTracing', () => {
  const read = (env: Record<string, string>) => {
    const problems: string[] = []
    return { tracing: readTracing(env, problems), problems }
  }
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318'

  test.each<[string, Record<string, string>, ReturnType<typeof readTracing>]>([
    ['no variable', {}, undefined],
    ['another signal alone', { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://collector' }, undefined],
    ['an endpoint', { OTEL_EXPORTER_OTLP_ENDPOINT }, { joinsCallers: false }],
    ['an endpoint for traces', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://t.example/v1' }, { joinsCallers: false }],
    ['a proxy that traces', { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_PROPAGATORS: 'tracecontext' }, { joinsCallers: true }],
    ['the switch', { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'true' }, undefined],
    ['no exporter', { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }, undefined],
  ])('with %s', (_, env, tracing) => {
    expect(read(env)).toEqual({ tracing, problems: [] })
  })

  test('says what is wrong, all at once', () => {
    const { problems } = read({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_TRACES_EXPORTER: 'zipkin',
      OTEL_PROPAGATORS: 'tracecontext,baggage',
    })
    expect(problems).toEqual([
      'OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL, such as http://collector:4318',
      'OTEL_TRACES_EXPORTER must be otlp or none, or unset: traces are sent by OTLP',
      'OTEL_EXPORTER_OTLP_PROTOCOL must be http/json, or unset: traces are sent as JSON over HTTP, which a collector takes on port 4318',
      'OTEL_PROPAGATORS must be none or tracecontext, or unset: the gateway reads no other header',
    ])
  })
})

describe('traces', () => {
  let collector: Awaited<ReturnType<typeof startCollector>>
  let stop: () => Promise<void>
  const lines: string[] = []
  const log = createLog('info', { write: (line: string) => void lines.push(line) })
  const start = (joinsCallers = false) => startTracing({ joinsCallers }, '1.2.3', log)

  beforeEach(async () => {
    lines.length = 0
    collector = await startCollector()
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url)
    stop = start()
  })
  afterEach(async () => {
    await stop()
    trace.disable()
    collector.close()
  })

  /** Those of requests and jobs. */
  const spans = () => collector.spans.filter(({ attributes }) => attributes['db.system.name'] === undefined)

  const visitor = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

  test('have a span per request, by pattern, with nothing that a caller wrote', async () => {
    const app = await startTestApp({ log })
    const secret = '0x00000000000000000000000000000000deadbeef'
    await app.get(`${modalOrigin}/v1/identity/${secret}?projectId=${secret}`, { 'X-Api-Key': secret })
    await app.get(`${modalOrigin}/health`)
    await app.close()
    await stop()
    const [span, ...others] = spans()
    expect(others).toEqual([])
    expect(span).toMatchObject({
      name: 'GET /v1/identity/:address',
      parent: undefined,
      attributes: { 'http.request.method': 'GET', 'http.route': '/v1/identity/:address' },
    })
    expect(collector.bodies.join()).not.toContain('deadbeef')
    expect(collector.services).toEqual(['postern-gateway'])
    // A line of the log leads to its trace.
    const line = lines.find((text) => text.includes('/v1/identity/'))
    expect(line).toContain(`"traceId":"${span?.trace}"`)
  })

  test('have the requests of operators, by pattern, and the jobs', async () => {
    const app = await startTestApp()
    const operator = { name: 'ann', role: 'admin', token: 'operator-token-of-ann-0123456789' } as const
    const icons = { wallets: new Map(), networks: new Map(), currencies: new Map(), tokens: new Map() }
    const directory = createDirectory({ wallets: [], icons })
    const admin = composeAdminApp(
      { trustedProxies: 0, networks: [], modalOrigin, consoleDir: '/none', sdkDir: '/none' },
      { host: '127.0.0.1', port: 0, origin: 'http://127.0.0.1:4480', operators: [operator] },
      { database: app.database, projects: app.projects, auth: app.auth, directory, now: () => noon },
      createMetrics(null),
      log,
    )
    await admin.request('http://127.0.0.1:4480/admin/v1/users/deadbeef', {
      headers: { Authorization: `Bearer ${operator.token}` },
    })
    const none = { sweep: async () => {} }
    const analytics = { ...none, flush: async () => {} }
    const wallets = { sealOlder: () => Promise.reject(new TypeError('deadbeef')) }
    const jobs = startJobs(
      { auth: none, signIns: none, walletEnds: none, analytics, wallets, earlierBuilds: null },
      log,
    )
    await expect.poll(() => lines.join()).toContain('sealing shares failed')
    jobs.stop()
    await app.close()
    await stop()
    expect(spans().map(({ name, status }) => [name, status])).toEqual([
      ['GET /admin/v1/users/:id', 0],
      ['seal shares', 2],
    ])
    expect(collector.bodies.join()).not.toContain('deadbeef')
  })

  test('begin at the gateway, whatever trace a visitor names', async () => {
    const app = await startTestApp()
    await app.get(`${modalOrigin}/unknown`, { traceparent: visitor })
    await app.close()
    await stop()
    expect(spans().map(({ name }) => name)).toEqual(['GET *'])
    expect(collector.bodies.join()).not.toContain('0af7651916cd43dd8448eb211c80319c')
  })

  test('continue the trace of a proxy, where the operator says so', async () => {
    await stop()
    trace.disable()
    stop = start(true)
    const app = await startTestApp()
    await app.get(`${modalOrigin}/unknown`, { traceparent: visitor })
    await app.get(`${modalOrigin}/unknown`, { traceparent: 'nonsense' })
    await app.close()
    await stop()
    const [joined, own] = spans()
    expect([joined?.trace, joined?.parent]).toEqual(['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'])
    expect(own?.parent).toBeUndefined()
  })

  test('have the host alone of a server that was called, and send it no header', async () => {
    const seen: (string | undefined)[] = []
    const node = createServer((request, response) => {
      seen.push(request.headers.traceparent?.toString())
      response.writeHead(503).end()
    }).listen(0, '127.0.0.1')
    await once(node, 'listening')
    const address = node.address()
    if (address === null || typeof address === 'string') throw new Error('not listening on a port')
    const host = `127.0.0.1:${address.port}`
    const call = traceFetch(fetch)
    await call(`http://${host}/secret-key?token=secret-key`, { method: 'POST' })
    await expect(call('http://nowhere.invalid/secret-key')).rejects.toThrow('fetch failed')
    await stop()
    node.close()
    expect(collector.spans).toMatchObject([
      {
        name: `POST ${host}`,
        status: 2,
        attributes: { 'server.address': host, 'http.response.status_code': 503, 'error.type': '503' },
      },
      { name: 'GET nowhere.invalid', status: 2, attributes: { 'error.type': 'TypeError' } },
    ])
    expect(collector.bodies.join()).not.toContain('secret-key')
    expect(seen).toEqual([undefined])
  })

  test('have a span per query of PostgreSQL below the request that asked, with no value, also in a transaction', async () => {
    const server = inject('postgresUrl')
    if (server === null) throw new Error(notInstalled)
    const database = await openPostgres(
      migrationsDir,
      await createDatabase(server, randomUUID(), 'migrated'),
      (error) => {
        throw error
      },
    )
    const ask = async (name: string) =>
      trace.getTracer('test').startActiveSpan(name, async (span) => {
        await database.orm.execute(sql`select ${'someone@example.com'}::text`)
        await database.orm.transaction(async (own) => {
          await own.execute(sql`select 1`)
        })
        span.end()
      })
    // More at once than the pool has connections: the others wait, and keep their request.
    const names = Array.from({ length: 30 }, (_, index) => `request ${index}`)
    await Promise.all(names.map(ask))
    await database.close()
    await stop()
    for (const name of names) {
      const parent = collector.spans.find((span) => span.name === name)
      const queries = collector.spans.filter((span) => span.parent === parent?.id)
      expect(queries.map((query) => query.name)).toEqual(['SELECT', 'BEGIN', 'SELECT', 'COMMIT'])
      expect(new Set(queries.map((query) => query.trace))).toEqual(new Set([parent?.trace]))
    }
    expect(collector.bodies.join()).not.toContain('someone')
  })

  test('that the collector does not take are logged once, and cost no request', async () => {
    collector.close()
    const app = await startTestApp()
    expect((await app.get(`${modalOrigin}/health`)).status).toBe(200)
    for (let count = 0; count < 3; count += 1) expect((await app.get(`${modalOrigin}/unknown`)).status).toBe(404)
    await app.close()
    await stop()
    expect(lines.filter((line) => line.includes('traces are not sent'))).toHaveLength(1)
  })
})
