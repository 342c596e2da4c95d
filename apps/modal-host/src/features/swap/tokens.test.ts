import { type SwapToken as Listed, nativeTokenAddress } from '@postern/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dollar, ether, gem, networkId, token } from './testing/swap-fixtures'
import {
  balanceOfToken,
  findToken,
  initialForm,
  ownFirst,
  type SwapForm,
  searchTokens,
  swapTokens,
  withSidesFlipped,
  withToken,
} from './tokens'

function listed(symbol: string, address: string, decimals = 18, name = symbol): Listed {
  return { name, symbol, address: `${networkId}:${address}`, decimals }
}
const network = { caipNetworkId: networkId, nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 } }
const upper = `0x${'A1'.repeat(20)}`

describe('swapTokens', () => {
  it('1. drops tokens that are malformed or of another network', () => {
    const none = [
      listed('A', '0x12'),
      listed('B', upper, 0),
      listed('C', upper, 78),
      { ...listed('D', upper), address: `eip155:10:${upper}` },
      { ...listed('E', upper), address: 'solana:x:abc' },
    ]
    expect(swapTokens(none, network)).toEqual([])
  })

  it('2. has each address once, in lower case', () => {
    const tokens = swapTokens([listed('USDC', upper, 6), listed('SCAM', upper.toLowerCase(), 6)], network)
    expect(tokens.map(({ symbol, address }) => [symbol, address])).toEqual([['USDC', upper.toLowerCase()]])
  })

  it('3. has names on one safe line', () => {
    const hostile = listed('\u202eCDSU\nX', upper, 6, '<b>\u0000US\u200bD</b>')
    expect(swapTokens([hostile], network)).toMatchObject([{ name: '<b> USD</b>', symbol: 'CDSU X' }])
    expect(swapTokens([listed('', upper, 6, 'Only a name')], network)).toMatchObject([{ symbol: 'Only a name' }])
  })

  it('4. has the native currency as the network defines it', () => {
    const lying = listed('USDT', nativeTokenAddress, 6, 'Tether')
    expect(swapTokens([lying], network)).toMatchObject([{ symbol: 'ETH', name: 'Ether', decimals: 18, isNative: true }])
  })

  it('3. never throws, whatever is listed', () => {
    const any = fc.record({
      name: fc.string({ unit: 'binary' }),
      symbol: fc.string({ unit: 'binary' }),
      address: fc.oneof(fc.string(), fc.constant(`${networkId}:${upper}`)),
      decimals: fc.integer({ min: 0, max: 255 }),
    })
    fc.assert(
      fc.property(fc.array(any), (list) => {
        for (const { decimals, symbol } of swapTokens(list, network)) {
          expect(decimals).toBeGreaterThan(0)
          expect(symbol).not.toMatch(/[\p{Cc}\p{Cf}]/u)
        }
      }),
    )
  })
})

describe('findToken', () => {
  const twin = token('USDC', `0x${'d4'.repeat(20)}`, 6)

  it('finds an address in any case, a symbol, and the native currency', () => {
    const tokens = [ether, dollar, gem]
    expect(findToken(upper, tokens)).toBe(dollar)
    expect(findToken(dollar.id, tokens)).toBe(dollar)
    expect(findToken('gem', tokens)).toBe(gem)
    expect(findToken('ETH', [token('ETH', twin.address), ether])).toBe(ether)
    expect(findToken(nativeTokenAddress, tokens)).toBe(ether)
    expect(findToken('NOPE', tokens)).toBeNull()
  })

  it('returns null for a symbol that two tokens share', () => {
    expect(findToken('USDC', [ether, dollar, twin])).toBeNull()
    expect(findToken(twin.address, [ether, dollar, twin])).toBe(twin)
  })

  it('finds a token with a misleading name only by its address', () => {
    const copy: typeof twin = { ...twin, listing: 'copy' }
    expect(findToken('USDC', [ether, dollar, copy])).toBe(dollar)
    expect(findToken('USDC', [ether, copy])).toBeNull()
    expect(findToken(twin.address, [ether, copy])).toBe(copy)
  })
})

describe('initialForm', () => {
  const tokens = [ether, dollar, gem]

  it('pays with the native currency unless the dapp says otherwise', () => {
    expect(initialForm({}, tokens, '.').form).toEqual({ from: ether.id, to: null, text: '' })
    expect(initialForm({ toToken: 'ETH' }, tokens, '.').form).toEqual({ from: null, to: ether.id, text: '' })
  })

  it('uses the dapp’s values, with the amount in the visitor’s format', () => {
    const { form, unknown } = initialForm({ amount: '1.5', fromToken: 'USDC', toToken: 'GEM' }, tokens, ',')
    expect([form, unknown]).toEqual([{ from: dollar.id, to: gem.id, text: '1,5' }, []])
  })

  it('reports a token that is not offered, and substitutes no other', () => {
    const { form, unknown } = initialForm({ fromToken: 'DOGE', toToken: '\u202eX' }, tokens, '.')
    expect([form, unknown]).toEqual([{ from: null, to: null, text: '' }, ['DOGE', 'X']])
  })

  it('never has a token on both sides', () => {
    expect(initialForm({ fromToken: 'GEM', toToken: 'GEM' }, tokens, '.').form).toMatchObject({
      from: gem.id,
      to: null,
    })
  })
})

describe('the form', () => {
  it('never has a token on both sides, whatever is chosen and flipped', () => {
    const ids = fc.constantFrom(ether.id, dollar.id, gem.id)
    const moves = fc.array(
      fc.oneof(fc.constant(null), fc.record({ side: fc.constantFrom('from' as const, 'to' as const), id: ids })),
    )
    fc.assert(
      fc.property(moves, (all) => {
        let form: SwapForm = { from: ether.id, to: null, text: '1' }
        for (const move of all) {
          form = move === null ? withSidesFlipped(form) : withToken(form, move.side, move.id)
          expect(form.from === null || form.from !== form.to).toBe(true)
          if (move !== null) expect(form[move.side]).toBe(move.id)
        }
      }),
    )
  })
})

describe('searchTokens', () => {
  it('finds by symbol, name and full address, exact symbols first', () => {
    const other = token('GEMX', `0x${'e5'.repeat(20)}`)
    expect(searchTokens([other, gem], 'gem')).toEqual([gem, other])
    expect(searchTokens([ether, dollar], 'usdc coin')).toEqual([dollar])
    expect(searchTokens([ether, dollar], upper)).toEqual([dollar])
    expect(searchTokens([ether, dollar], dollar.address.slice(0, 12))).toEqual([])
    expect(searchTokens([ether, dollar], '  ')).toEqual([ether, dollar])
  })
})

describe('owned tokens', () => {
  const balance = (address: string | undefined, numeric: string) => ({
    name: '',
    symbol: '',
    chainId: networkId,
    price: 0,
    quantity: { decimals: '6', numeric },
    iconUrl: '',
    ...(address !== undefined && { address }),
  })

  it('come first', () => {
    const balances = [balance(`${networkId}:${upper}`, '12.5'), balance(undefined, '1')]
    expect(balanceOfToken(balances, dollar)).toBe(12_500_000n)
    expect(balanceOfToken(balances, ether)).toBe(10n ** 18n)
    expect(balanceOfToken(balances, gem)).toBeNull()
    expect(ownFirst([gem, ether, dollar], balances)).toEqual([dollar, ether, gem])
  })

  it('are empty without a balance', () => {
    expect(balanceOfToken([balance(`${networkId}:${upper}`, '0')], dollar)).toBeNull()
    expect(balanceOfToken([balance(`${networkId}:${upper}`, '0.00000001')], dollar)).toBeNull()
  })
})
