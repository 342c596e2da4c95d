import type { ActivityEntry } from './describe'

/** Months count from 0. */
export type Group =
  | { readonly kind: 'pending' | 'today' | 'yesterday' | 'undated' }
  | { readonly kind: 'month'; readonly year: number; readonly month: number }

export type ActivityListRow =
  | { readonly kind: 'heading'; readonly group: Group }
  | { readonly kind: 'entry'; readonly entry: ActivityEntry }

/**
 * Groups entries by day and month.
 *
 * 1. Pending entries come first, then past ones, newest first; undated ones last.
 * 2. Days and months are in the user's time zone. Dates ahead of the clock are today.
 */
export function groupByDate(entries: readonly ActivityEntry[], now: number): readonly ActivityListRow[] {
  const groupOf = grouping(now)
  const sorted = entries
    .map((entry) => ({ entry, group: groupOf(entry) }))
    .sort((one, other) => rank(one.group) - rank(other.group) || (other.entry.at ?? 0) - (one.entry.at ?? 0))
  let last = ''
  return sorted.flatMap(({ entry, group }): ActivityListRow[] => {
    const name = group.kind === 'month' ? `${group.year} ${group.month}` : group.kind
    const line = { kind: 'entry', entry } as const
    if (name === last) return [line]
    last = name
    return [{ kind: 'heading', group }, line]
  })
}

function rank({ kind }: Group): number {
  return kind === 'pending' ? 0 : kind === 'undated' ? 2 : 1
}

function grouping(now: number): (entry: ActivityEntry) => Group {
  const today = new Date(now)
  const startOfToday = new Date(today.getFullYear(), today.getMonth(), today.getDate()).getTime()
  // A day may have 23 or 25 hours.
  const startOfYesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1).getTime()
  return ({ status, at }) => {
    if (status === 'pending') return { kind: 'pending' }
    if (at === null) return { kind: 'undated' }
    if (at >= startOfToday) return { kind: 'today' }
    if (at >= startOfYesterday) return { kind: 'yesterday' }
    const date = new Date(at)
    return { kind: 'month', year: date.getFullYear(), month: date.getMonth() }
  }
}
