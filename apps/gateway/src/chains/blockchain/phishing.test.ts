import { expect, test } from 'vitest'
import { isPhishing } from './phishing'
import { plainText } from './plain-text'

test.each([
  'Visit https://x.example',
  'cl\u200baim now',
  'cl\u034faim now',
  'clai\uFE0Fm now',
  'c\u3164laim now',
  'ｃｌａｉｍ now',
  'usdc\u2800.com',
  'usdc.gg',
  '$ claim-usdc.cc',
  'Free: t.me/usdc',
  'example.co.uk',
  'usdc。com',
])('%j is a lure', (text) => expect(isPhishing(text)).toBe(true))

test.each(['Ether', 'USD Coin', 'USDC.e', 'Wrapped v2.0', 'A.I. Coin', 'Dr.Who', 'Reclaimed Land', '❤\uFE0F Coin'])(
  '%j is not a lure',
  (text) => expect(isPhishing(text)).toBe(false),
)

test('plainText removes invisible characters and keeps emoji', () => {
  expect(plainText('U\u3164S\u034fD\u2800C\u115f\u{e0101}', 32)).toBe('USDC')
  expect(plainText('❤\uFE0F Coin', 32)).toBe('❤\uFE0F Coin')
})
