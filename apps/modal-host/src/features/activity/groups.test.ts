import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ActivityEntry } from './describe'
import { groupByDate } from './groups'

const now = new Date(2026, 10, 21, 14, 30).getTime()

function entry(id: string, at: number | null, status: ActivityEntry['status'] = 'confirmed'): ActivityEntry {
  const nothing = { networkId: null, hash: null, amounts: [], party: null, picture: undefined, isSpam: false } as const
  return { id, at, status, operation: 'other', ...nothing }
}

const describeRows = (entries: readonly ActivityEntry[]) =>
  groupByDate(entries, now).map((line) => {
    if (line.kind === 'entry') return line.entry.id
    const { group } = line
    return group.kind === 'month' ? `# ${group.year}-${group.month + 1}` : `# ${group.kind}`
  })

describe('groupByDate', () => {
  it('groups by day, then month, newest first; pending items first, undated last', () => {
    const at = (month: number, day: number, hour = 12) => new Date(2026, month - 1, day, hour).getTime()
    expect(
      describeRows([
        entry('undated', null),
        entry('old', new Date(2025, 11, 31).getTime()),
        entry('october', at(10, 3)),
        entry('midnight', at(11, 21, 0)),
        entry('before-midnight', at(11, 21, 0) - 1),
        entry('yesterday', at(11, 20, 0)),
        entry('this-month', at(11, 20, 0) - 1),
        entry('pending', at(1, 1), 'pending'),
        entry('today', at(11, 21, 14)),
      ]),
    ).toEqual([
      '# pending',
      'pending',
      '# today',
      'today',
      'midnight',
      '# yesterday',
      'before-midnight',
      'yesterday',
      '# 2026-11',
      'this-month',
      '# 2026-10',
      'october',
      '# 2025-12',
      'old',
      '# undated',
      'undated',
    ])
  })

  it('counts dates ahead of the clock as today', () => {
    expect(describeRows([entry('ahead', now + 3_600_000)])).toEqual(['# today', 'ahead'])
  })

  it('loses no entry, and has each heading once', () => {
    const entries = fc.array(fc.record({ at: fc.option(fc.integer({ min: 0, max: now })), pending: fc.boolean() }), {
      maxLength: 60,
    })
    fc.assert(
      fc.property(entries, (drawn) => {
        const lines = describeRows(
          drawn.map(({ at, pending }, index) => entry(`e${index}`, at, pending ? 'pending' : 'confirmed')),
        )
        const headings = lines.filter((line) => line.startsWith('#'))
        expect(new Set(headings).size).toBe(headings.length)
        expect(lines.filter((line) => !line.startsWith('#')).sort()).toEqual(
          drawn.map((_, index) => `e${index}`).sort(),
        )
      }),
    )
  })
})
