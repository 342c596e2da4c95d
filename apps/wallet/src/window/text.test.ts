import { describe, expect, it } from 'vitest'
import { languageOf, speak } from './text'
import german from './text/de.json'
import english from './text/en.json'

describe('the window’s messages', () => {
  it('have the same keys and placeholders in every language', () => {
    expect(Object.keys(german)).toEqual(Object.keys(english))
    const places = (text: string) => text.match(/\{\w+\}/g) ?? []
    const other = new Map<string, string>(Object.entries(german))
    for (const [key, text] of Object.entries(english)) expect(places(other.get(key) ?? ''), key).toEqual(places(text))
  })

  it('fills placeholders with plain text, and keeps unknown ones', () => {
    expect(speak('en')('for', { origin: '{origin}$&' })).toBe('for {origin}$&')
    expect(speak('en')('for')).toBe('for {origin}')
  })

  it('use the first available language of the user', () => {
    expect(languageOf(['fr-FR', 'de-AT', 'en-GB'])).toBe('de')
    expect(languageOf(['fr-FR', 'EN-gb', 'de'])).toBe('en')
    expect(languageOf([])).toBe('en')
  })
})
