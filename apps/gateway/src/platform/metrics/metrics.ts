/**
 * Metrics for Prometheus. Labels hold route patterns, statuses, upstreams or names from a fixed list: never a path,
 * address, email, IP, project or user.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { FailureReason } from '../upstreams/attempt'

export type Metrics = {
  readonly contentType: string
  read(): Promise<string>
  /** What an operator looks at first. */
  summary(): Promise<MetricsSummary>
  onRequest(request: {
    readonly method: string
    readonly route: string
    readonly status: number
    readonly ms: number
  }): void
  onUpstream(host: string, outcome: 'answered' | FailureReason): void
  onMail(outcome: 'sent' | 'failed'): void
  onSignIn(provider: string): void
}

export type MetricsSummary = {
  readonly mails: { readonly sent: number; readonly failed: number }
  readonly upstreams: readonly { readonly host: string; readonly answered: number; readonly failed: number }[]
  readonly limits: readonly { readonly route: string; readonly refused: number }[]
}

export type PoolCounts = { readonly total: number; readonly idle: number; readonly waiting: number }

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'])
/** `other` for unknown methods: a caller writes what it likes. */
export function methodLabel(method: string): string {
  return methods.has(method) ? method : 'other'
}

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** @param pool null for the embedded database. */
export function createMetrics(pool: (() => PoolCounts) | null): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'postern_requests_total',
    help: 'Requests by route pattern and status. A limit that was hit is a 429.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const latency = new Histogram({
    name: 'postern_request_duration_seconds',
    help: 'Time until the response, by route pattern.',
    labelNames: ['route'],
    buckets: seconds,
    registers,
  })
  const upstreams = new Counter({
    name: 'postern_upstream_calls_total',
    help: 'Attempts at upstreams of the chains, by host and outcome.',
    labelNames: ['upstream', 'outcome'],
    registers,
  })
  const mails = new Counter({
    name: 'postern_mails_total',
    help: 'Emails by outcome.',
    labelNames: ['outcome'],
    registers,
  })
  const signIns = new Counter({
    name: 'postern_sign_ins_total',
    help: 'Sign-ins to embedded wallets by provider.',
    labelNames: ['provider'],
    registers,
  })
  if (pool !== null) {
    new Gauge({
      name: 'postern_database_connections',
      help: 'Connections of the pool, and queries that wait for one.',
      labelNames: ['state'],
      registers,
      collect() {
        for (const [state, count] of Object.entries(pool())) this.set({ state }, count)
      },
    })
  }
  return {
    contentType: registry.contentType,
    read: () => registry.metrics(),
    async summary() {
      const [mailCounts, upstreamCounts, requestCounts] = [
        (await mails.get()).values,
        (await upstreams.get()).values,
        (await requests.get()).values,
      ]
      const sumOf = (values: readonly { readonly value: number }[]) => values.reduce((sum, { value }) => sum + value, 0)
      const hosts = [...new Set(upstreamCounts.map(({ labels }) => String(labels.upstream)))].sort()
      const refused = requestCounts.filter(({ labels }) => String(labels.status) === '429')
      const routes = [...new Set(refused.map(({ labels }) => String(labels.route)))].sort()
      return {
        mails: {
          sent: sumOf(mailCounts.filter(({ labels }) => labels.outcome === 'sent')),
          failed: sumOf(mailCounts.filter(({ labels }) => labels.outcome === 'failed')),
        },
        upstreams: hosts.map((host) => {
          const own = upstreamCounts.filter(({ labels }) => labels.upstream === host)
          const answered = sumOf(own.filter(({ labels }) => labels.outcome === 'answered'))
          return { host, answered, failed: sumOf(own) - answered }
        }),
        limits: routes.map((route) => ({
          route,
          refused: sumOf(refused.filter(({ labels }) => labels.route === route)),
        })),
      }
    },
    onRequest({ method, route, status, ms }) {
      requests.inc({ method: methodLabel(method), route, status })
      latency.observe({ route }, ms / 1000)
    },
    // The upstream chooses its status: only the class is a label.
    onUpstream: (upstream, outcome) =>
      upstreams.inc({ upstream, outcome: outcome.replace(/^status (\d).*$/, 'status $1xx') }),
    onMail: (outcome) => mails.inc({ outcome }),
    onSignIn: (provider) => signIns.inc({ provider }),
  }
}
