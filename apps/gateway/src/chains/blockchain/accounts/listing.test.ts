import { expect, test } from 'vitest'
import { createListing } from './listing'

const listingOf = createListing([
  { name: 'Ether', symbol: 'ETH' },
  { name: 'USD Coin', symbol: 'USDC' },
  { name: '☀', symbol: 'POL' },
])
const unlisted = (name: string, symbol: string) => listingOf({ name, symbol, isListed: false })

test('1. a listed token is listed, whatever its name', () => {
  expect(listingOf({ name: 'yearn.finance', symbol: 'YFI', isListed: true })).toBe('listed')
})

test.each([
  ['Visit claim-usdc.com to redeem', '$ claim-usdc.com'],
  ['USD Coin', 'usdc.gg'],
  ['Bonus', 'at t.me/free'],
  ['ｃｌａｉｍ', 'GIFT'],
  ['Voucher', 'usdc\u2800.com'],
])('2. %s (%s) is a lure', (name, symbol) => {
  expect(unlisted(name, symbol)).toBe('phishing')
})

test.each([
  ['Anything', 'USDC'],
  ['Anything', 'usdc'],
  ['Anything', '$USDC'],
  ['Anything', 'USDС'],
  ['Anything', 'ＵＳＤＣ'],
  ['Anything', 'ÚSDC'],
  ['Anything', 'U S D C'],
  ['Anything', 'U\u200bSDC'],
  ['Anything', 'USDC\u2800'],
  ['Anything', 'ΕΤΗ'],
  ['Anything', 'P0L'],
  ['USD  COlN', 'XYZ'],
  ['usd-coin', 'XYZ'],
  ['Ethеr', 'XYZ'],
])('3. %s (%s) copies a listed name', (name, symbol) => {
  expect(unlisted(name, symbol)).toBe('copy')
})

test.each([
  ['Bridged USD', 'USDC.e'],
  ['Staked Ether', 'stETH'],
  ['Honest', 'HON'],
  ['☀☀', '☀'],
  ['', ''],
])('%s (%s) is unlisted, and no more', (name, symbol) => {
  expect(unlisted(name, symbol)).toBe('unlisted')
})
