/**
 * Reports a lasting fault once, such as a slow upstream or a lost database.
 *
 * 1. The first event of a key is reported at once.
 * 2. Later ones are counted. The first one after `periodMs` is reported with their number.
 * 3. Memory is bounded: beyond `maxKeys` faults, the oldest is forgotten, and reported again.
 */
import { dropOldest } from '../drop-oldest'

const maxKeys = 1_000

/** @param clock monotonic, in ms. @returns what to log: `repeated` counts events since the last report. */
export function createLogOnce(
  periodMs: number,
  clock: () => number,
): (key: string, report: (more: { readonly repeated?: number }) => void) => void {
  const faults = new Map<string, { readonly reportedAt: number; repeated: number }>()
  return (key, report) => {
    const known = faults.get(key)
    if (known !== undefined && clock() - known.reportedAt < periodMs) {
      known.repeated += 1
      return
    }
    faults.delete(key)
    faults.set(key, { reportedAt: clock(), repeated: 0 })
    dropOldest(faults, maxKeys)
    report(known === undefined || known.repeated === 0 ? {} : { repeated: known.repeated })
  }
}
