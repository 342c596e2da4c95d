import { describe, expect, it } from 'vitest'
import { findChance } from './chance'

const find = (text: string) => findChance([{ path: 'a.test.ts', text }]).map((found) => found.replace(/ \(.*/, ''))

describe('findChance', () => {
  it('names the place, the text and what to write', () => {
    expect(findChance([{ path: 'a.test.ts', text: 'test()\nconst now = Math.random()' }])).toEqual([
      'a.test.ts:2: Math.random (write: a fixed value, or fast-check, which prints its seed)',
    ])
  })

  it.each([
    'const now = Date.now',
    'const at = new Date().toISOString()',
    "token.setExpirationTime('1h')",
    'await new Promise((resolve) => setTimeout(resolve, 20))',
    'window.setInterval(look, 5)',
    "import { setTimeout as pause } from 'node:timers/promises'",
    'await page.waitForTimeout(500)',
    "await page.goto(url, { waitUntil: 'networkidle' })",
    'await vi.waitFor(() => expect(count).toBe(1))',
    'const startedAt = performance.now()',
  ])('finds: %s', (line) => expect(find(line)).toHaveLength(1))

  it.each([
    'const at = new Date(noon)',
    'token.setExpirationTime(noon / 1000 + 60)',
    'test.setTimeout(120_000)',
    "vi.useFakeTimers({ toFake: ['Date', 'setTimeout'] })",
    'await vi.waitFor(look, { timeout: 15_000 })',
    "const day = '2026-11-21'",
  ])('accepts: %s', (line) => expect(find(line)).toEqual([]))

  it('finds a written date in a file that knows today’s', () => {
    const text = "const day = '2026-11-21'\nconst now = Date.now()"
    expect(find(text)).toEqual(["a.test.ts:1: '2026-11-21", 'a.test.ts:2: Date.now'])
  })

  it('accepts a reason on the line or the line before, and no other', () => {
    expect(find('// real time: the chain has its own clock.\nconst now = Date.now()')).toEqual([])
    expect(find('const now = Date.now() // real time: the chain has its own clock.')).toEqual([])
    expect(find('// real time: the chain has its own clock.\n\nconst now = Date.now()')).toHaveLength(1)
    expect(find('// real time:\nconst now = Date.now()')).toHaveLength(1)
  })
})
