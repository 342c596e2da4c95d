import { describe, expect, it } from 'vitest'
import { unusualLetters } from './unusual-letters'

describe('unusualLetters', () => {
  it.each(['alice.eth', 'größe.eth', 'ada-2.postern', '🦊.eth', '👩‍🚀.eth', '币安.eth'])('is empty for %s', (name) =>
    expect(unusualLetters(name)).toEqual([]),
  )

  it('finds lookalike letters', () => {
    expect(unusualLetters('\u0430lice.eth')).toEqual(['\u0430'])
    expect(unusualLetters('b\u03BFb.\u03BFeth')).toEqual(['\u03BF'])
  })

  it('finds invisible characters', () => {
    expect(unusualLetters('alice\u200B.eth')).toEqual(['?'])
    expect(unusualLetters('al\u200Dice.eth')).toEqual(['?'])
  })
})
