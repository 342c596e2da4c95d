import { describe, expect, it } from 'vitest'
import { asciiForms } from './ascii-forms'

describe('asciiForms', () => {
  it.each([
    ['٠١٢٣٤٥٦٧٨٩', '0123456789'],
    ['۰۱۲۳۴۵۶۷۸۹', '0123456789'],
    ['०१२३४५६७८९', '0123456789'],
    ['০১২৩৪৫৬৭৮৯', '0123456789'],
    ['๐๑๒๓๔๕๖๗๘๙', '0123456789'],
    ['０１２３４５６７８９', '0123456789'],
    ['𝟎𝟗𝟘𝟡𝟢𝟫𝟬𝟵𝟶𝟿', '0909090909'],
    ['1。5．5，5', '1.5.5,5'],
    ['ａｄａ＠ｅｘａｍｐｌｅ。ｃｏｍ', 'ada@example.com'],
  ])('%s is %s', (text, ascii) => expect(asciiForms(text)).toBe(ascii))

  it.each(['0123456789.,@-+', '5²', '①', '½', 'Ⅷ', '五', '\u066b', 'ä'])('%s stays', (text) =>
    expect(asciiForms(text)).toBe(text),
  )

  it('every set of digits of Unicode has its ten values', () => {
    const all = Array.from({ length: 0x110000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((character) => /\p{Nd}/u.test(character))
    expect(all.length).toBeGreaterThan(600)
    expect(all.map(asciiForms).join('')).toBe('0123456789'.repeat(all.length / 10))
  })
})
