/** What code has run, as V8 counts it: the guide of the search. */
import { type Profiler, Session } from 'node:inspector'

export type Coverage = {
  /** Characters of code that ran for the first time since the last call. */
  gained(): number
  /** Characters of code that ran. */
  total(): number
  end(): void
}

type Range = { readonly start: number; readonly end: number }

/**
 * Counts the scripts whose URL has one of `folders`.
 *
 * 1. A function counts by what of it has not run: V8 reports blocks without a run, and drops blocks that run as often as
 *    their surroundings.
 * 2. Code that loads late counts from then on.
 */
export function startCoverage(folders: readonly string[]): Coverage {
  const session = new Session()
  session.connect()
  const unseen = new Map<string, readonly Range[]>()
  let seen = 0

  function take(): Profiler.ScriptCoverage[] {
    let scripts: Profiler.ScriptCoverage[] = []
    session.post('Profiler.takePreciseCoverage', (error, taken) => {
      if (error !== null) throw error
      scripts = taken.result
    })
    return scripts.filter(({ url }) => folders.some((folder) => url.includes(folder)) && !url.includes('/testing/'))
  }

  function gainOf(key: string, { ranges }: Profiler.FunctionCoverage): number {
    const [whole] = ranges
    if (whole === undefined || whole.count === 0) return 0
    const zeros = withoutRun(ranges)
    const before = unseen.get(key) ?? [{ start: whole.startOffset, end: whole.endOffset }]
    const now = common(before, zeros)
    unseen.set(key, now)
    return lengthOf(before) - lengthOf(now)
  }

  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: true })
  return {
    gained() {
      let gain = 0
      for (const { url, functions } of take()) {
        for (const one of functions) {
          const [range] = one.ranges
          gain += gainOf(`${url}:${range?.startOffset}-${range?.endOffset}`, one)
        }
      }
      seen += gain
      return gain
    },
    total: () => seen,
    end() {
      session.post('Profiler.stopPreciseCoverage')
      session.disconnect()
    },
  }
}

/** Ranges are nested, outer first; the innermost counts. */
function withoutRun(ranges: readonly Profiler.CoverageRange[]): Range[] {
  const edges = [...new Set(ranges.flatMap(({ startOffset, endOffset }) => [startOffset, endOffset]))].sort(
    (one, other) => one - other,
  )
  return edges.slice(0, -1).flatMap((start, index) => {
    const end = edges[index + 1] ?? start
    const inner = ranges.findLast((range) => range.startOffset <= start && range.endOffset >= end)
    return inner?.count === 0 ? [{ start, end }] : []
  })
}

function common(one: readonly Range[], other: readonly Range[]): Range[] {
  return one.flatMap((left) =>
    other.flatMap((right) => {
      const range = { start: Math.max(left.start, right.start), end: Math.min(left.end, right.end) }
      return range.start < range.end ? [range] : []
    }),
  )
}

function lengthOf(ranges: readonly Range[]): number {
  return ranges.reduce((sum, { start, end }) => sum + end - start, 0)
}
