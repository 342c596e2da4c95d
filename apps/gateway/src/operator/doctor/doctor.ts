/**
 * Checks a running gateway from outside. Changes nothing, and runs no migration.
 *
 * 1. Each check is one line with the fix. One failure does not stop the others.
 * 2. No line holds a secret or the path of an upstream.
 */
import type { Config } from '../../config'
import { type Finding, failure, ok } from './finding'
import { checkMail, type MailChecks } from './mail'
import { checkSites, type SiteChecks } from './sites'
import { checkUpstreams } from './upstreams'

export type DoctorConfig = Pick<Config, 'production' | 'modalOrigin' | 'walletOrigin' | 'networks' | 'metrics'> & {
  readonly projectId?: string | undefined
  /** Absent: no mail is sent. */
  readonly mail?: 'terminal' | { readonly from: string } | undefined
}

export type DoctorChecks = SiteChecks &
  MailChecks & {
    /** Epoch ms; null for the embedded database. */
    readonly databaseTime: (() => Promise<number>) | null
  }

export async function diagnose(config: DoctorConfig, checks: DoctorChecks): Promise<Finding[]> {
  const found = await Promise.all([
    checkSites(config, checks),
    checkMail(config.mail, checks),
    checkUpstreams(config.networks, checks.fetch),
    checkClocks(config.modalOrigin, checks),
    checkMetrics(config, checks).then((finding) => [finding]),
  ])
  return found.flat()
}

const maxSkewMs = 5_000

async function checkClocks(modalOrigin: string, checks: DoctorChecks): Promise<Finding[]> {
  const { databaseTime, now } = checks
  return [
    databaseTime === null
      ? ok('clock of the database', 'the embedded database has the gateway’s')
      : await compare('database', 0, databaseTime),
    await compare('gateway', 1_000, async () => {
      const { headers } = await checks.fetch(`${modalOrigin}/health`, { signal: AbortSignal.timeout(10_000) })
      return Date.parse(headers.get('Date') ?? '')
    }),
  ]

  /** @param resolution in ms. */
  async function compare(name: string, resolution: number, read: () => Promise<number>): Promise<Finding> {
    const what = `clock of the ${name}`
    const from = now()
    const time = await read().catch(() => Number.NaN)
    if (Number.isNaN(time)) return failure(what, `not read: check that the ${name} answers`)
    // The time was read between the two.
    const skew = Math.max(0, from - (time + resolution), time - now())
    if (skew <= maxSkewMs) return ok(what, 'agrees with this machine’s')
    return failure(what, `differs from this machine’s by ${Math.round(skew / 1_000)} s: let NTP set both`)
  }
}

/** Only the operator's network may read them: they name upstreams and volumes. */
async function checkMetrics(
  { modalOrigin, walletOrigin, metrics }: DoctorConfig,
  checks: DoctorChecks,
): Promise<Finding> {
  const what = 'metrics'
  const places = [modalOrigin, walletOrigin].flatMap((origin) => {
    const { hostname } = new URL(origin)
    return [`${origin}/metrics`, ...(metrics === undefined ? [] : [`http://${hostname}:${metrics.port}/metrics`])]
  })
  const open = await Promise.all(
    places.map(async (url) => {
      const response = await checks.fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => null)
      const text = response?.ok === true ? await response.text() : ''
      return /^# (?:HELP|TYPE) /m.test(text) ? url : null
    }),
  )
  const url = open.find((place) => place !== null)
  if (url !== undefined) return failure(what, `${url} is public: set METRICS_HOST=127.0.0.1, or close the port`)
  return ok(what, metrics === undefined ? 'off' : 'not public')
}

const signs = { ok: '✓', warning: '!', failure: '✗' } as const

export function report(findings: readonly Finding[], asJson: boolean): string {
  return asJson
    ? JSON.stringify(findings, null, 2)
    : findings.map(({ level, what, text }) => `${signs[level]} ${what}: ${text}`).join('\n')
}
