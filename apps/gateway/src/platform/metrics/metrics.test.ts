import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { modalOrigin, startTestApp } from '../../testing/app'
import { createLine, tryInTurn } from '../upstreams/attempt'
import { createMetrics, type Metrics } from './metrics'
import { serveMetrics } from './server'

const pool = () => ({ total: 3, idle: 2, waiting: 1 })
const samplesOf = async (metrics: Metrics) =>
  (await metrics.read()).split('\n').filter((line) => line.startsWith('postern_'))

describe('metrics', () => {
  test('count requests by pattern, without what a caller writes into the path, the query or the method', async () => {
    const metrics = createMetrics(null)
    const app = await startTestApp({ onRequest: metrics.onRequest })
    const secret = '0x00000000000000000000000000000000deadbeef'
    for (let count = 0; count < 20; count += 1) {
      await app.get(`${modalOrigin}/v1/identity/${secret}${count}?projectId=${secret}`)
      await app.get(`${modalOrigin}/${secret}/${count}`)
    }
    const text = (await samplesOf(metrics)).join('\n')
    expect(text).toContain('route="/v1/identity/:address"')
    expect(text).not.toContain(secret)
    const counts = (await samplesOf(metrics)).filter((line) => line.startsWith('postern_requests_total'))
    expect(counts.length).toBeLessThanOrEqual(2)
    await app.close()
  })

  test('have a label of a fixed list for methods and upstream statuses', async () => {
    const metrics = createMetrics(pool)
    metrics.onRequest({ method: 'PROPFIND', route: '*', status: 404, ms: 20 })
    metrics.onUpstream('node.example.com', 'status 503')
    metrics.onUpstream('node.example.com', 'status 504')
    metrics.onUpstream('node.example.com', 'answered')
    metrics.onMail('failed')
    metrics.onSignIn('google')
    const samples = await samplesOf(metrics)
    expect(samples).toEqual(
      expect.arrayContaining([
        'postern_requests_total{method="other",route="*",status="404"} 1',
        'postern_request_duration_seconds_bucket{le="0.025",route="*"} 1',
        'postern_upstream_calls_total{upstream="node.example.com",outcome="status 5xx"} 2',
        'postern_upstream_calls_total{upstream="node.example.com",outcome="answered"} 1',
        'postern_mails_total{outcome="failed"} 1',
        'postern_sign_ins_total{provider="google"} 1',
        'postern_database_connections{state="waiting"} 1',
      ]),
    )
    const labels = new Set(samples.flatMap((line) => [...line.matchAll(/(\w+)="/g)].map(([, name]) => name)))
    expect([...labels].sort()).toEqual(['le', 'method', 'outcome', 'provider', 'route', 'state', 'status', 'upstream'])
  })

  test('count each attempt at an upstream', async () => {
    const metrics = createMetrics(null)
    await tryInTurn(
      ['https://down.example.com/key', 'https://up.example.com/key'],
      createLine(() => 0),
      {
        now: () => 0,
        timeout: 1_000,
        onFailure: ({ host, reason }) => metrics.onUpstream(host, reason),
        onAnswer: (host) => metrics.onUpstream(host, 'answered'),
      },
      async (url) => {
        if (url.includes('down')) throw new TypeError('fetch failed')
      },
      () => false,
    )
    const text = (await samplesOf(metrics)).join('\n')
    expect(text).toContain('{upstream="down.example.com",outcome="no connection"} 1')
    expect(text).toContain('{upstream="up.example.com",outcome="answered"} 1')
    expect(text).not.toContain('key')
  })

  test('are served at /metrics of their own port, and nothing else is', async () => {
    const metrics = createMetrics(null)
    const server = serveMetrics(metrics, { host: '127.0.0.1', port: 0 }, (error) => {
      throw error
    })
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('not listening on a port')
    const at = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${address.port}${path}`, { method })
    const answer = await at('/metrics')
    expect(answer.headers.get('Content-Type')).toContain('text/plain')
    expect(await answer.text()).toContain('nodejs_eventloop_lag_p99_seconds')
    expect([(await at('/')).status, (await at('/metrics', 'POST')).status]).toEqual([404, 404])
    server.close()
    server.closeAllConnections()
    const app = await startTestApp()
    expect((await app.get(`${modalOrigin}/metrics`)).status).toBe(404)
    await app.close()
  })

  test.each(['dashboard.json', 'alerts.yaml'])('%s names metrics that exist', async (file) => {
    const metrics = createMetrics(pool)
    metrics.onRequest({ method: 'GET', route: '*', status: 200, ms: 1 })
    const known = new Set((await metrics.read()).match(/^# TYPE \S+/gm)?.map((line) => line.slice('# TYPE '.length)))
    const text = await readFile(fileURLToPath(new URL(`../../../monitoring/${file}`, import.meta.url)), 'utf8')
    const named = [...text.matchAll(/\b(?:postern|nodejs|process)_[a-z0-9_]+/g)].map(([name]) =>
      name.replace(/_bucket$/, ''),
    )
    expect(new Set(named).size).toBeGreaterThanOrEqual(6)
    expect(named.filter((name) => !known.has(name))).toEqual([])
  })
})
