import { describe, expect, it } from 'vitest'
import { isPlainSymbol, isSameSymbol } from './token-symbol'

describe('isPlainSymbol', () => {
  it.each(['USDC', 'USDC.e', 'stETH', 'aEthUSDC', 'UNI-V2', '$WIF', 'GOLD', 'X', '币安人生', '도지'])(
    '%s',
    (symbol) => {
      expect(isPlainSymbol(symbol)).toBe(true)
    },
  )

  it.each([
    ['1. begins with a digit', '000USDC'],
    ['1. begins with a digit of another script', '٣USDC'],
    ['1. begins with a point', '.99'],
    ['1. begins with a comma', ',000'],
    ['1. is a price', '$100'],
    ['2. has a space', '000 USDC'],
    ['2. has a no-break space', 'GOLD\u00A0100'],
    ['2. mixes Latin and Cyrillic', 'USD\u0421'],
    ['2. is Cyrillic throughout, and reads ETH', '\u0415\u0422\u041D'],
    ['2. is Greek throughout, and reads ETH', '\u0395\u03A4\u0397'],
    ['2. is full width', '\uFF25\uFF34\uFF28'],
    ['2. is mathematical', '\u{1D404}\u{1D413}\u{1D407}'],
    ['2. is in small capitals', '\u1D07\u1D1B\u029C'],
    ['2. ends in a Hangul filler', 'USDC\u3164'],
    ['2. is a Hangul filler', '\u3164'],
    ['2. is a Hangul Jamo filler', '\u1160'],
    ['2. is a blank braille pattern', '\u2800'],
    ['2. has a zero-width space', 'E\u200BTH'],
    ['2. has a combining mark', 'E\u0301TH'],
    ['2. turns the direction', 'ETH\u202E'],
    ['2. mixes Hebrew and Latin', '\u05D0 100 ETH'],
    ['3. is a web address', 'claim-usdc.com'],
    ['is empty', ''],
  ])('not one that %s', (_what, symbol) => {
    expect(isPlainSymbol(symbol)).toBe(false)
  })
})

describe('isSameSymbol', () => {
  it.each([
    ['USDC', 'usdc'],
    ['ETH', '$ETH'],
    ['ETH', 'E.T.H'],
    ['POL', 'P0L'],
    ['SOL', 'S0I'],
  ])('%s and %s', (one, other) => {
    expect(isSameSymbol(one, other)).toBe(true)
  })

  it.each([
    ['USDC', 'USDC.e'],
    ['ETH', 'WETH'],
    ['ETH', 'stETH'],
  ])('not %s and %s', (one, other) => {
    expect(isSameSymbol(one, other)).toBe(false)
  })
})
