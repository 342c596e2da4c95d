/** First-time visits across a network: the time to the first wallet row, and what crosses the network until then. */
import { brotliCompressSync } from 'node:zlib'
import { step } from '../../scripts/lib/step'
import { startGateway } from './gateway'
import { type NetworkFigures, networkLimits } from './limits'
import { makeCertificate } from './network/certificates'
import { type Edge, type LoggedConnection, startEdge } from './network/edge'
import { type Profile, type ProfileName, profiles } from './network/profiles'
import { canSlowProcesses, type SlowProcesses, slowProcesses } from './network/slow-processes'
import { formatWaterfall } from './network/waterfall'
import { addPages, PageLoads, PageReport } from './pages'
import { launchQuietly, type QuietBrowser } from './quiet-browser'
import { serveSites } from './sites'
import { median } from './statistics'
import type { Line } from './table'
import { buildWagmiList } from './wagmi-list/build'
import { watchModal, watchPath } from './watched-modal'

const dappHost = 'dapp.localhost'
const modalHost = 'modal.postern.localhost'
const walletHost = 'wallet.postern.localhost'

type Visit = {
  readonly report: PageReport
  readonly loads: PageLoads
  readonly log: readonly LoggedConnection[]
}
type Visits = ReadonlyMap<string, readonly Visit[]>

const paths = [
  '/cold-navigation',
  '/wagmi-navigation',
  '/empty-navigation',
  '/cold-click',
  '/wagmi-click',
  '/hover-click',
  '/presence-click',
] as const

export async function measureNetwork(names: readonly ProfileName[], samples: number): Promise<Line[]> {
  const sites = await serveSites()
  const watched = await watchModal()
  const origins = { modal: '', wallet: '' }
  try {
    const list = await buildWagmiList()
    sites.pages.set('/wagmi-list.js', { type: 'text/javascript', body: list, brotli: brotliCompressSync(list) })
    const certificates = new Map(
      await Promise.all(
        [dappHost, modalHost, walletHost].map(async (host) => [host, await makeCertificate(host)] as const),
      ),
    )
    const ports = new Map([[dappHost, sites.port]])
    const edge = await startEdge(certificates, (host) => ports.get(host), profiles.broadband)
    const originOf = (host: string) => `https://${host}:${edge.port}`
    Object.assign(origins, { modal: originOf(modalHost), wallet: originOf(walletHost) })
    const gateway = await startGateway(originOf(dappHost), { modalDir: watched.folder, origins })
    ports.set(modalHost, gateway.port).set(walletHost, gateway.port)
    addPages(sites, origins.modal)
    const keys = [...certificates.values()].map(({ keyHash }) => keyHash)
    const lines: Line[] = []
    for (const name of names) {
      const profile = profiles[name]
      if (profile.slowdown > 1 && !canSlowProcesses()) {
        console.log(`${name}: not measured, because no control group can limit the processor on this machine.`)
        continue
      }
      const visits = await step(`Network: ${name}`, () => {
        return visitAll({ edge, dapp: originOf(dappHost), profile, keys, samples })
      })
      lines.push(...linesOf(name, visits))
      printVisits(name, visits)
    }
    await gateway.stop()
    await edge.stop()
    return lines
  } finally {
    await watched.remove()
    await sites.stop()
  }
}

type Setting = {
  readonly edge: Edge
  readonly dapp: string
  readonly profile: Profile
  /** Hashes of the certificates' keys. */
  readonly keys: readonly string[]
  readonly samples: number
}

/** Each page in turn, so that what disturbs the machine disturbs all. */
async function visitAll({ edge, dapp, profile, keys, samples }: Setting): Promise<Visits> {
  const slow: SlowProcesses | undefined = profile.slowdown > 1 ? slowProcesses(profile.slowdown) : undefined
  const quiet: QuietBrowser = await launchQuietly({
    flags: [`--ignore-certificate-errors-spki-list=${keys.join(',')}`],
    ...(slow !== undefined && { onStart: slow.add }),
  })
  const visit = async (path: string): Promise<Visit> => {
    const log = edge.restart(profile)
    const { pageResult, loads } = await quiet.visit(`${dapp}${path}`)
    return { report: PageReport.parse(pageResult), loads: PageLoads.parse(loads), log }
  }
  try {
    // The first visit pays for the browser's start.
    await visit('/cold-navigation')
    const visits = new Map<string, Visit[]>(paths.map((path) => [path, []]))
    for (let sample = 0; sample < samples; sample += 1) {
      for (const path of paths) visits.get(path)?.push(await visit(path))
    }
    return visits
  } finally {
    await quiet.stop()
    await slow?.stop()
  }
}

function linesOf(name: ProfileName, visits: Visits): Line[] {
  const { roundTripMs } = profiles[name]
  const limits = networkLimits[name]
  const line = (
    what: string,
    path: (typeof paths)[number],
    read: (visit: Visit) => number,
    unit: Line['unit'],
    limit?: keyof NetworkFigures,
  ): Line => {
    const values = (visits.get(path) ?? []).map(read)
    const budget = limit === undefined ? undefined : limits[limit]
    return {
      what: `${name}: ${what}`,
      measured: median(values),
      unit,
      ...(budget !== undefined && { budget }),
      note: `median of ${values.length}; ${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)}`,
    }
  }
  const untilReady = ({ report }: Visit) => report.ready - report.began
  const untilRow = ({ report }: Visit) => report.row - report.began
  const requests = (host: string) => (visit: Visit) => requestsOf(visit, host, roundTripMs)
  const kilobytes = (host: string) => (visit: Visit) => kilobytesOf(visit, host)
  return [
    line('navigation → load of the empty page', '/empty-navigation', untilReady, 'ms'),
    line('navigation → ready', '/cold-navigation', untilReady, 'ms', 'ready'),
    line('the same of a bare wagmi list', '/wagmi-navigation', untilReady, 'ms'),
    line('navigation → first wallet row, clicked at once', '/cold-navigation', untilRow, 'ms', 'navigation'),
    line('the same of a bare wagmi list', '/wagmi-navigation', untilRow, 'ms'),
    line('click → first wallet row, cold', '/cold-click', untilRow, 'ms', 'coldClick'),
    line('the same of a bare wagmi list, loaded', '/wagmi-click', untilRow, 'ms'),
    line('click → first wallet row, hover 150 ms before', '/hover-click', untilRow, 'ms', 'hoverClick'),
    line('click → first wallet row, first scroll 1 s before', '/presence-click', untilRow, 'ms', 'presentClick'),
    line('requests before the first row', '/cold-navigation', requests(modalHost), 'requests', 'requests'),
    line('the same of a bare wagmi list', '/wagmi-navigation', requests(dappHost), 'requests'),
    line('bytes before the first row', '/cold-navigation', kilobytes(modalHost), 'kB', 'kilobytes'),
    line('the same of a bare wagmi list', '/wagmi-navigation', kilobytes(dappHost), 'kB'),
  ]
}

/** A request that the browser sent before the row reaches the server up to half a round trip after it. */
const requestsOf = ({ report, log }: Visit, host: string, roundTripMs: number): number =>
  log
    .filter((connection) => connection.host === host)
    .flatMap(({ requests }) => requests)
    .filter(({ at, path }) => at <= report.row + roundTripMs / 2 && path !== watchPath).length

/** With TLS and the headers of HTTP/2. */
const kilobytesOf = ({ report, log }: Visit, host: string): number =>
  log
    .filter((connection) => connection.host === host)
    .flatMap(({ arrivals }) => arrivals)
    .filter(({ at }) => at <= report.row)
    .reduce((sum, { bytes }) => sum + bytes, 0) / 1000

/** The connections of a navigation and what came when, of the visit in the middle. */
function printVisits(name: ProfileName, visits: Visits): void {
  for (const path of ['/cold-navigation', '/cold-click'] as const) {
    const sorted = [...(visits.get(path) ?? [])].sort(
      (one, other) => one.report.row - one.report.began - (other.report.row - other.report.began),
    )
    const middle = sorted[Math.floor(sorted.length / 2)]
    if (middle !== undefined) console.log(`\n${name}, ${path}\n${formatWaterfall(middle)}`)
  }
}
