import { expect, it } from 'vitest'
import { isSameAddress } from './same-address'

const alice = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

it('isSameAddress: compares EVM addresses case-insensitively, others exactly', () => {
  expect(isSameAddress(alice, alice.toLowerCase())).toBe(true)
  expect(isSameAddress(alice, '0xd8dA000000000000000000000000000000006045')).toBe(false)
  expect(isSameAddress('AbC', 'AbC')).toBe(true)
  expect(isSameAddress('AbC', 'abc')).toBe(false)
})
