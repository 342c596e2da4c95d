import type { TokenBalance } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import { ethereum as network } from '../testing/test-networks'
import { matchingTokens, sendTokens, toSendToken } from './token'

const dollar = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

function balance(changes: Partial<TokenBalance> & { numeric?: string; decimals?: string } = {}): TokenBalance {
  const { numeric = '1.5', decimals = '6', ...rest } = changes
  return {
    name: 'Dollar',
    symbol: 'USD',
    chainId: 'eip155:1',
    price: 1,
    iconUrl: '',
    quantity: { numeric, decimals },
    ...rest,
  }
}

describe('toSendToken', () => {
  it('identifies a token by its address, and the native currency by null', () => {
    expect(toSendToken(balance({ address: `eip155:1:${dollar}` }), network)).toMatchObject({
      key: dollar,
      address: dollar,
      decimals: 6,
      balance: 1_500_000n,
    })
    const native = { key: 'native', address: null, decimals: 18, balance: 1_500_000_000_000_000_000n }
    expect(toSendToken(balance({ decimals: '18' }), network)).toMatchObject(native)
    expect(toSendToken(balance({ address: `eip155:1:0x${'Ee'.repeat(20)}`, decimals: '18' }), network)).toMatchObject(
      native,
    )
  })

  it('ignores the service’s decimals for the native currency', () => {
    expect(toSendToken(balance({ numeric: '1', decimals: '6' }), network)).toMatchObject({
      decimals: 18,
      balance: 10n ** 18n,
    })
  })

  it.each([
    balance({ chainId: 'eip155:10' }),
    balance({ address: 'eip155:1:elsewhere' }),
    balance({ numeric: '-1' }),
    balance({ numeric: '1.1234567' }),
    balance({ decimals: '999' }),
  ])('drops invalid entries (%#)', (wrong) => expect(toSendToken(wrong, network)).toBeNull())
})

describe('sendTokens', () => {
  it('lists each once, and always the native currency', () => {
    const tokens = sendTokens(
      [balance({ address: `eip155:1:${dollar}` }), balance({ address: `eip155:1:${dollar}` })],
      network,
    )
    expect(tokens.map(({ key }) => key)).toEqual(['native', dollar])
    expect(tokens[0]).toMatchObject({ balance: 0n, symbol: 'ETH' })
  })

  it('lists unlisted tokens and spam last, so that they are never the default', () => {
    const named = (address: string, listing: TokenBalance['listing']) =>
      balance({ address: `eip155:1:${address}`, listing })
    const spam = `0x${'1'.repeat(40)}`
    const copy = `0x${'2'.repeat(40)}`
    const tokens = sendTokens([named(spam, 'phishing'), named(copy, 'copy'), named(dollar, 'listed')], network)
    expect(tokens.map(({ key }) => key)).toEqual(['native', dollar, copy, spam])
    expect(tokens.map(({ listing }) => listing)).toEqual([undefined, 'listed', 'copy', 'phishing'])
  })

  it('can be searched by name, symbol and address', () => {
    const tokens = sendTokens([balance({ address: `eip155:1:${dollar}` })], network)
    expect(matchingTokens(tokens, 'doll').map(({ key }) => key)).toEqual([dollar])
    expect(matchingTokens(tokens, 'eth').map(({ key }) => key)).toEqual(['native'])
    expect(matchingTokens(tokens, dollar.toLowerCase()).map(({ key }) => key)).toEqual([dollar])
    expect(matchingTokens(tokens, 'zzz')).toEqual([])
  })
})
