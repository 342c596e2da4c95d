import { describe, expect, it } from 'vitest'
import { findForbiddenWords } from './words'

const find = (text: string, path = 'a.ts') => findForbiddenWords([{ path, text }])

describe('findForbiddenWords', () => {
  it('names the place, the word and what to write', () => {
    expect(find('const a = 1\n// Whoever asks')).toEqual(['a.ts:2: "Whoever" (write: the user, the dapp, the caller)'])
  })

  it('finds words, not parts of words', () => {
    expect(find('recommend, amended, canewas')).toEqual([])
  })

  it('accepts "there is none", but not "it is none"', () => {
    expect(find('Null if there is none.')).toEqual([])
    expect(find('Ignore one that is none.')).toEqual(['a.ts:1: "is none" (write: there is no …, ignored)'])
  })

  it('accepts "the user is told", but not "it is told"', () => {
    expect(find('The user is told.')).toEqual([])
    expect(find('A failure is told.')).toEqual(['a.ts:1: "is told" (write: is reported, or name who is told)'])
  })

  it('finds names of limits that do not begin with max', () => {
    expect(find('const maxNotes = new Intl.NumberFormat({ maximumFractionDigits: 2 }), mostly = 1')).toEqual([])
    expect(find('const mostNotes = 64')).toEqual(['a.ts:1: "mostNotes" (write: max…)'])
  })

  it('leaves out the exceptions of a rule', () => {
    expect(find("['nobody']", 'apps/gateway/src/chains/blockchain/names/label.ts')).toEqual([])
  })
})
