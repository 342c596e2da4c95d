import { describe, expect, it } from 'vitest'
import { languageOf, speak } from './text'
import german from './text/de.json'
import english from './text/en.json'

describe('the window’s words', () => {
  it('are the same sentences in every language, with the same places to fill', () => {
    expect(Object.keys(german)).toEqual(Object.keys(english))
    const places = (text: string) => text.match(/\{\w+\}/g) ?? []
    const other = new Map<string, string>(Object.entries(german))
    for (const [key, text] of Object.entries(english)) expect(places(other.get(key) ?? ''), key).toEqual(places(text))
  })

  it('fills a place with text as it is, and leaves one that nobody fills', () => {
    expect(speak('en')('for', { origin: '{origin}$&' })).toBe('for {origin}$&')
    expect(speak('en')('for')).toBe('for {origin}')
  })

  it('are in the first language of the visitor that there is', () => {
    expect(languageOf(['fr-FR', 'de-AT', 'en-GB'])).toBe('de')
    expect(languageOf(['fr-FR', 'EN-gb', 'de'])).toBe('en')
    expect(languageOf([])).toBe('en')
  })
})
