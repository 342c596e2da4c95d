import { wordlist } from '@scure/bip39/wordlists/english'
import { describe, expect, it } from 'vitest'
import { strengthOf, suggestPassphrase } from './passphrase-strength'

describe('the strength of a passphrase', () => {
  it.each([
    ['', { kind: 'short', missing: 12 }],
    ['elevenchars', { kind: 'short', missing: 1 }],
    ['aaaaaaaaaaaaaaaa', { kind: 'weak' }],
    ['123456789012345', { kind: 'weak' }],
    ['abcdefghijklmnopq', { kind: 'weak' }],
    ['ababababababab', { kind: 'weak' }],
    ['Tr0ub4dor&3-xyq', { kind: 'fair' }],
    ['cosmic otter velvet', { kind: 'fair' }],
    ['violet harbor Tuesday magnet', { kind: 'strong' }],
    ['🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵🐔', { kind: 'short', missing: 1 }],
  ])('“%s” is %o', (passphrase, strength) => {
    expect(strengthOf(passphrase)).toEqual(strength)
  })

  it.each(['Password!2024', 'qwertyuiop12', 'Summer2026!!!', 'ilovebitcoin', 'Liverpool2019', 'hunter2hunter2'])(
    '“%s”, which character classes call fair, is weak',
    (passphrase) => {
      expect(strengthOf(passphrase)).toEqual({ kind: 'weak' })
    },
  )
})

it('suggests six words that differ each time, and judges them strong', () => {
  const suggested = Array.from({ length: 50 }, suggestPassphrase)
  expect(new Set(suggested).size).toBe(50)
  for (const passphrase of suggested) {
    const words = passphrase.split(' ')
    expect(words).toHaveLength(6)
    expect(words.every((word) => wordlist.includes(word))).toBe(true)
    expect(strengthOf(passphrase)).toEqual({ kind: 'strong' })
  }
})
