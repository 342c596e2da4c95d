import { describe, expect, it } from 'vitest'
import { unusualLetters } from './unusual-letters'

describe('unusualLetters', () => {
  it.each(['alice.eth', 'größe.eth', 'ada-2.postern', '🦊.eth', '👩‍🚀.eth', '币安.eth'])('finds none in %s', (name) =>
    expect(unusualLetters(name)).toEqual([]),
  )

  it('finds letters that pass for others', () => {
    expect(unusualLetters('\u0430lice.eth')).toEqual(['\u0430'])
    expect(unusualLetters('b\u03BFb.\u03BFeth')).toEqual(['\u03BF'])
  })

  it('finds what is not seen', () => {
    expect(unusualLetters('alice\u200B.eth')).toEqual(['?'])
    expect(unusualLetters('al\u200Dice.eth')).toEqual(['?'])
  })
})
