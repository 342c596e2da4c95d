import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkSendForm, isAddressOf, isDecimal } from './amounts'

const receiver = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

describe('isDecimal', () => {
  it.each(['0', '1', '-1', '1.5', '-0.000000000000000001', '007'])('accepts %s', (text) =>
    expect(isDecimal(text)).toBe(true),
  )

  it.each([
    '',
    '-',
    '.',
    '1.',
    '.5',
    '1,5',
    '1e3',
    '0x1',
    '+1',
    ' 1',
    '1 ',
    '1\n',
    '1.2.3',
    '--1',
    'NaN',
    'Infinity',
    '١',
  ])('rejects %j', (text) => expect(isDecimal(text)).toBe(false))

  it('accepts only text that is a finite number in plain digits (spec §5)', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('0', '1', '9', '.', '-', 'e', ' ') }), (text) => {
        if (isDecimal(text)) expect(Number.isFinite(Number(text))).toBe(true)
      }),
    )
  })
})

describe('checkSendForm', () => {
  it('requires amount and receiver first, then a token, then checks both values (spec §5)', () => {
    expect(checkSendForm('eip155', {})).toBe('AMOUNT_AND_RECEIVER_REQUIRED')
    expect(checkSendForm('eip155', { amount: '1', token: 't' })).toBe('AMOUNT_AND_RECEIVER_REQUIRED')
    expect(checkSendForm('eip155', { receiver, token: 't' })).toBe('AMOUNT_AND_RECEIVER_REQUIRED')
    expect(checkSendForm('eip155', { amount: '1', receiver })).toBe('TOKEN_REQUIRED')
    expect(checkSendForm('eip155', { amount: '1,5', receiver, token: 't' })).toBe('INVALID_DECIMAL')
    expect(checkSendForm('eip155', { amount: '0', receiver, token: 't' })).toBe('INVALID_DECIMAL')
    expect(checkSendForm('eip155', { amount: '-1', receiver, token: 't' })).toBe('INVALID_DECIMAL')
    expect(checkSendForm('eip155', { amount: `0.${'0'.repeat(400)}1`, receiver, token: 't' })).toBeNull()
    expect(checkSendForm('solana', { amount: '1', receiver, token: 't' })).toBe('INVALID_ADDRESS')
    expect(checkSendForm('eip155', { amount: '1', receiver, token: 't' })).toBeNull()
  })
})

describe('isAddressOf', () => {
  it.each([
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
    'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
  ])('Bitcoin: accepts %s', (address) => expect(isAddressOf('bip122', address)).toBe(true))

  it.each([
    'bc1Qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'bc1',
    receiver,
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7Divf0a',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4\n',
  ])('Bitcoin: rejects %j', (address) => expect(isAddressOf('bip122', address)).toBe(false))
})
