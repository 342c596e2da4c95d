import type { PageLoads, PageReport } from '../pages'
import { formatRows } from '../table'
import type { LoggedConnection } from './edge'

type Visit = {
  readonly report: PageReport
  readonly loads: PageLoads
  readonly log: readonly LoggedConnection[]
}

const width = 60

/** As text: when the browser asked for each resource, sent the request, got the first byte and the last; then the connections. */
export function formatWaterfall({ report, loads, log }: Visit): string {
  const { began, ready, row } = report
  const since = (at: number) => (at === 0 ? '' : Math.round(at - began).toString())
  const column = (at: number) => Math.min(width, Math.max(0, Math.round(((at - began) / (row - began)) * width)))
  const bar = (from: number, sent: number, to: number) =>
    ' '.repeat(column(from)) +
    '·'.repeat(Math.max(0, column(sent) - column(from))) +
    '█'.repeat(Math.max(1, column(to) - column(Math.max(from, sent))))
  const resources = loads.flatMap((entries, index) =>
    entries
      .filter((entry) => entry.began < row && entry.ended > began)
      .map(({ url, began: from, sent, answered, ended }) => [
        index === 0 ? 'page' : 'frame',
        new URL(url).pathname.slice(-36),
        ...[from, sent, answered, ended].map(since),
        bar(from, sent, ended),
      ]),
  )
  const connections = log.map((connection, index) => {
    const before = connection.requests.filter(({ at }) => at <= row)
    const ofFrame = before.filter(({ isOfFrame }) => isOfFrame).length
    const bytes = connection.arrivals.filter(({ at }) => at <= row).reduce((sum, arrival) => sum + arrival.bytes, 0)
    return [
      String(index + 1),
      connection.host || '(unused)',
      since(connection.openedAt),
      String(before.length - ofFrame),
      String(ofFrame),
      (bytes / 1000).toFixed(1),
      before.length > ofFrame && ofFrame > 0 ? 'reused by the frame' : '',
    ]
  })
  return [
    `ready at ${since(ready)} ms, first row at ${since(row)} ms`,
    formatRows([['of', 'resource', 'began', 'sent', 'first byte', 'last byte', ''], ...resources]),
    formatRows([['connection', 'to', 'opened', 'requests of the page', 'of the frame', 'kB', ''], ...connections]),
  ].join('\n\n')
}
