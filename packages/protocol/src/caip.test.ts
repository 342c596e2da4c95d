import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type CaipAddress,
  Eip155Address,
  isCaipAddress,
  isCaipNetworkId,
  parseCaipAddress,
  parseCaipNetworkId,
  SolanaAddress,
} from './caip'

const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

describe('network ids', () => {
  it.each([
    'eip155:1',
    'eip155:31337',
    'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    'bip122:000000000019d6689c085ae165831e93',
  ])('accepts %s', (id) => expect(isCaipNetworkId(id)).toBe(true))

  it.each([
    '',
    'eip155',
    'eip155:',
    ':1',
    'eip155:01',
    'eip155:-1',
    'eip155:0x1',
    'eip155:1:2',
    'eip155:1\n',
    'cosmos:1',
    '__proto__:1',
    'EIP155:1',
    1,
    null,
    undefined,
    ['eip155:1'],
  ])('rejects %j', (id) => expect(isCaipNetworkId(id)).toBe(false))

  it('splits a valid id', () => {
    expect(parseCaipNetworkId('eip155:8453')).toEqual({ namespace: 'eip155', reference: '8453' })
  })
})

describe('account addresses', () => {
  it('have exactly three non-empty parts with a known namespace (spec §5)', () => {
    expect(isCaipAddress(`eip155:1:${alice}`)).toBe(true)
    for (const wrong of [`eip155:1`, `eip155::${alice}`, `eip155:1:`, `eip155:1:${alice}:x`, `near:1:${alice}`, 7]) {
      expect(isCaipAddress(wrong)).toBe(false)
    }
  })

  it('splits a valid id', () => {
    const account: CaipAddress = `eip155:31337:${alice}`
    expect(parseCaipAddress(account)).toEqual({ namespace: 'eip155', networkId: 'eip155:31337', address: alice })
  })

  it('round-trips through the parser', () => {
    const part = fc.string({ minLength: 1 }).filter((text) => !text.includes(':'))
    fc.assert(
      fc.property(part, part, (reference, plain) => {
        const account: CaipAddress = `solana:${reference}:${plain}`
        expect(isCaipAddress(account)).toBe(true)
        const { networkId, address } = parseCaipAddress(account)
        expect(`${networkId}:${address}`).toBe(account)
      }),
    )
  })
})

describe('plain addresses are anchored at both ends', () => {
  it('EVM: an optional 0x and 40 hexadecimal characters (spec §5)', () => {
    expect(Eip155Address.safeParse(alice).success).toBe(true)
    expect(Eip155Address.safeParse(alice.slice(2)).success).toBe(true)
    for (const wrong of [
      `${alice}0`,
      alice.slice(0, -1),
      ` ${alice}`,
      `${alice}\n`,
      `0X${alice.slice(2)}`,
      `x${alice}`,
    ]) {
      expect(Eip155Address.safeParse(wrong).success).toBe(false)
    }
  })

  it('Solana: 32 to 44 base58 characters, case-sensitive (spec §5)', () => {
    expect(SolanaAddress.safeParse('7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv').success).toBe(true)
    expect(SolanaAddress.safeParse('1'.repeat(32)).success).toBe(true)
    for (const wrong of [
      '1'.repeat(31),
      '1'.repeat(45),
      `${'1'.repeat(31)}0`,
      `${'1'.repeat(31)}l`,
      `${'1'.repeat(32)}\n`,
    ]) {
      expect(SolanaAddress.safeParse(wrong).success).toBe(false)
    }
  })

  it('rejects any text around 40 hexadecimal characters', () => {
    const around = fc.string({ minLength: 1 }).filter((text) => text !== '0x')
    fc.assert(
      fc.property(around, (text) => {
        expect(Eip155Address.safeParse(text + alice).success).toBe(false)
        expect(Eip155Address.safeParse(alice + text).success).toBe(false)
      }),
    )
  })
})
