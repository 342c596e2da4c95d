import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Lines to delete and lines to write, as `git diff --numstat` counts them. */
function changedLines(before: readonly string[], after: readonly string[]): { removed: number; added: number } {
  // common[i][j]: the longest common subsequence of what is left from i and j on.
  const common = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0))
  const at = (i: number, j: number) => common[i]?.[j] ?? 0
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const row = common[i]
      if (row) row[j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  return { removed: before.length - at(0, 0), added: after.length - at(0, 0) }
}

test('a wagmi app moves from AppKit in at most 30 changed lines', () => {
  const page = readFileSync('docs/migrate/appkit.md', 'utf8')
  const section = page.slice(page.indexOf('## A wagmi app'))
  const [before = '', after = ''] = [...section.matchAll(/^```tsx\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)
  expect(before).toContain('@reown/appkit')
  expect(after).toContain('@postern/wagmi')
  const { removed, added } = changedLines(before.split('\n'), after.split('\n'))
  expect(removed).toBeLessThanOrEqual(30)
  expect(added).toBeLessThanOrEqual(30)
})
