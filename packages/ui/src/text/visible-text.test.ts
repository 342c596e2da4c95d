import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { visibleText } from './visible-text'

describe('visibleText', () => {
  it('escapes invisible characters, and keeps words and lines', () => {
    expect(visibleText('Grüße 🌊\n\tzwei')).toBe('Grüße 🌊\n\tzwei')
    expect(visibleText('a\u202Eb\u200Bc\u0007\r')).toBe('a⟨U+202E⟩b⟨U+200B⟩c⟨U+0007⟩⟨U+000D⟩')
    for (const blank of [
      '\u034F',
      '\u115F',
      '\u1160',
      '\u3164',
      '\uFFA0',
      '\u17B4',
      '\u2800',
      '\u{E0101}',
      '\u{E0067}',
    ])
      expect(visibleText(`a${blank}`)).toMatch(/^a⟨U\+[0-9A-F]+⟩$/)
  })

  it('keeps words of every script', () => {
    const words = [
      'Tiếng Việt'.normalize('NFD'),
      'ภาษาไทยที่นี่',
      'עִבְרִית',
      'ص\u064B\u0651',
      'क्षेत्र',
      'བོད་སྐད',
      '柴犬',
      '❤\uFE0F',
      '🇩🇪 👍🏽',
    ]
    for (const word of words) expect(visibleText(word)).toBe(word)
  })

  it('stacks no marks: four on a letter, none without one', () => {
    const stacked = visibleText(`i${'\u0302\u0304'.repeat(60)}`)
    expect(stacked.match(/\p{M}/gu)).toHaveLength(4)
    expect(stacked.match(/U\+0302/g)).toHaveLength(58)
    expect(visibleText('\u0301a \u0301')).toBe('⟨U+0301⟩a ⟨U+0301⟩')
    expect(visibleText('a\uFE0F')).toBe('a⟨U+FE0F⟩')
  })

  it('leaves no control of direction and no stack, whatever the text', () => {
    const marks = fc.constantFrom('\u0301', '\u0489', '\u20DD', '\u0E31', '\u{1D165}', '\uFE0F')
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string({ unit: 'binary' }), marks)), (parts) => {
        const text = visibleText(parts.join(''))
        expect(text).not.toMatch(/[\u200B-\u200F\u2028-\u202E\u2066-\u2069\u061C]/)
        expect(text).not.toMatch(/\p{M}{5}|^\p{M}|\s\p{M}/u)
      }),
    )
  })

  it('shows two texts differently unless they are the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
        fc.pre(one !== other && ![one, other].some((text) => /⟨U\+/.test(text)))
        expect(visibleText(one)).not.toBe(visibleText(other))
      }),
    )
  })
})
