import { describe, expect, it } from 'vitest'
import { changesOf } from './changes'

const before = { name: 'Shop', origins: ['https://a.example', 'https://b.example'], look: { radius: 1, mix: '#fff' } }

describe('changesOf', () => {
  it('holds what differs, and nothing else', () => {
    expect(changesOf(before, before)).toEqual({})
    expect(changesOf(before, { ...before, name: 'Store' })).toEqual({ name: 'Store' })
    expect(changesOf(before, { ...before, look: { radius: 2, mix: '#fff' } })).toEqual({
      look: { radius: 2, mix: '#fff' },
    })
    expect(changesOf({ limit: 1 }, { limit: null })).toEqual({ limit: null })
  })

  it('compares members in any order, and lists in theirs', () => {
    expect(changesOf(before, { look: { mix: '#fff', radius: 1, font: undefined } })).toEqual({})
    const origins = ['https://b.example', 'https://a.example']
    expect(changesOf(before, { origins })).toEqual({ origins })
  })
})
