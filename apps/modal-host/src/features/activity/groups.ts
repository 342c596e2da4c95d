import type { ActivityEntry } from './describe'

/** Under what a transaction stands. Months are counted from 0, as dates do. */
export type Group =
  | { readonly kind: 'pending' | 'today' | 'yesterday' | 'undated' }
  | { readonly kind: 'month'; readonly year: number; readonly month: number }

export type ActivityLine =
  | { readonly kind: 'heading'; readonly group: Group }
  | { readonly kind: 'entry'; readonly entry: ActivityEntry }

/**
 * 1. What is pending stands first, then what happened, the newest first; what has no date last.
 * 2. Days and months are the visitor's own. What is dated ahead of the visitor's clock is of today.
 */
export function inGroups(entries: readonly ActivityEntry[], now: number): readonly ActivityLine[] {
  const groupOf = grouping(now)
  const sorted = entries
    .map((entry) => ({ entry, group: groupOf(entry) }))
    .sort((one, other) => rank(one.group) - rank(other.group) || (other.entry.at ?? 0) - (one.entry.at ?? 0))
  let last = ''
  return sorted.flatMap(({ entry, group }): ActivityLine[] => {
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
  // By the calendar and not by hours: a day may have 23 or 25.
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
