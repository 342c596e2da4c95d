import { describe, expect, it } from 'vitest'
import { formatCount, formatRoundCount } from './format-count'

describe('formatRoundCount', () => {
  it('rounds down to tens from 100 on, with a plus', () => {
    expect(formatRoundCount(487, 'en')).toBe('480+')
    expect(formatRoundCount(480, 'en')).toBe('480')
    expect(formatRoundCount(42, 'en')).toBe('42')
    expect(formatRoundCount(1_234, 'de')).toBe('1.230+')
  })
})

describe('formatCount', () => {
  it('groups digits as the language does', () => {
    expect([1, 42, 1_234].map((count) => formatCount(count, 'en'))).toEqual(['1', '42', '1,234'])
    expect(formatCount(1_234, 'de')).toBe('1.234')
  })
})
