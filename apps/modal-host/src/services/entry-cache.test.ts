import { manualClock } from '@postern/base/testing/manual-clock'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { createEntryCache, type EntryMemory } from './entry-cache'

const entries = createEntryCache('numbers', z.number(), 1_000)

function memory(
  place: 'frame' | 'page' = 'frame',
  text?: string,
): EntryMemory & { readonly values: Map<string, string> } {
  const values = new Map(text === undefined ? [] : [['numbers', text]])
  return {
    place,
    values,
    get: (name) => values.get(name) ?? null,
    set: (name, value) => void (value === null ? values.delete(name) : values.set(name, value)),
  }
}

describe('cached entries', () => {
  it('1. are neither read from the page nor sent to it', () => {
    const page = memory('page', '{"a":{"timestamp":0,"value":1}}')
    expect(entries.find(page, manualClock(1), 'a')).toBeNull()
    page.values.clear()
    entries.keep(page, 'a', 0, 1)
    entries.forget(page, 'a')
    expect(page.values.size).toBe(0)
  })

  it('2. are valid for their lifetime, and not before their timestamp', () => {
    const frame = memory()
    entries.keep(frame, 'a', 5_000, 1)
    expect(entries.find(frame, manualClock(5_999), 'a')).toEqual({ at: 5_000, value: 1 })
    expect(entries.find(frame, manualClock(6_000), 'a')).toBeNull()
    expect(entries.find(frame, manualClock(4_999), 'a')).toBeNull()
  })

  it('3. are limited to the newest eight', () => {
    const frame = memory()
    for (const at of Array.from({ length: 10 }).keys()) entries.keep(frame, `a${at}`, at, at)
    const clock = manualClock(10)
    expect([...Array(10).keys()].map((at) => entries.find(frame, clock, `a${at}`)?.value)).toEqual([
      ...[undefined, undefined],
      ...[2, 3, 4, 5, 6, 7, 8, 9],
    ])
  })

  it.each(['{', '[]', '{"a":{"timestamp":"1","value":1}}', '{"a":{"timestamp":1,"value":"1"}}'])(
    '4. ignores %s',
    (text) => expect(entries.find(memory('frame', text), manualClock(1), 'a')).toBeNull(),
  )

  it('are deleted one by one', () => {
    const frame = memory()
    entries.keep(frame, 'a', 1, 1)
    entries.keep(frame, 'b', 1, 2)
    entries.forget(frame, 'a')
    expect(entries.find(frame, manualClock(1), 'a')).toBeNull()
    expect(entries.find(frame, manualClock(1), 'b')?.value).toBe(2)
  })
})
