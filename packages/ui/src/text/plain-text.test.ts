import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainText } from './plain-text'

describe('plainText', () => {
  it('removes bidi controls, invisible characters and line breaks', () => {
    expect(plainText('US\u202eDT')).toBe('USDT')
    expect(plainText('a\u200bb\u2066c\ufeff')).toBe('abc')
    expect(plainText('  two\n\nlines\t here ')).toBe('two lines here')
    expect(plainText('U\u3164S\u034fD\u2800C\u115f\u{e0101}')).toBe('USDC')
    expect(plainText('Z\u0301\u0302\u0303\u0304\u0305a')).toBe('Za')
  })

  it('keeps words of any script', () => {
    for (const text of ['Ether', '柴犬', 'Žluťoučký', 'عملة', '🦊 Fox', '❤\uFE0F']) expect(plainText(text)).toBe(text)
  })

  it('keeps markup as text', () => {
    expect(plainText('<img src=x onerror=alert(1)>')).toBe('<img src=x onerror=alert(1)>')
  })

  it('returns one line within the max length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const line = plainText(text, 12)
        expect([...line].length).toBeLessThanOrEqual(12)
        expect(line).not.toMatch(/[\n\r\u202a-\u202e\u2066-\u2069\u200b]/)
        expect(plainText(line, 12)).toBe(line)
      }),
    )
  })
})
