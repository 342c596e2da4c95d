import { manualClock } from '@postern/base/testing/manual-clock'
import { describe, expect, it } from 'vitest'
import { testMoney } from '../testing/test-money'
import { cachedPortfolio, cachePortfolio } from './cached-portfolio'

const account = 'eip155:1:0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const ether = {
  name: 'Ether',
  symbol: 'ETH',
  chainId: 'eip155:1',
  price: 0,
  quantity: { decimals: '18', numeric: '1' },
  iconUrl: '',
} as const
const complete = { balances: [ether], partial: false }

describe('a cached portfolio', () => {
  it('is valid for 30 s (spec §3, §9)', () => {
    const clock = manualClock()
    const money = testMoney({ clock })
    cachePortfolio(money, account, complete)
    clock.advance(29_999)
    expect(cachedPortfolio(money, account)?.portfolio).toEqual(complete)
    clock.advance(1)
    expect(cachedPortfolio(money, account)).toBeNull()
  })

  it('is never partial, and has at most 200 tokens', () => {
    const money = testMoney()
    cachePortfolio(money, account, { ...complete, partial: true })
    cachePortfolio(money, account, { ...complete, balances: Array.from({ length: 1_000 }, () => ether) })
    expect(cachedPortfolio(money, account)).toBeNull()
  })

  it('covers the eight most recent accounts', () => {
    const clock = manualClock()
    const money = testMoney({ clock })
    for (let index = 0; index < 10; index += 1) {
      clock.advance(1)
      cachePortfolio(money, `${account}${index}`, complete)
    }
    const known = Array.from({ length: 10 }, (_, index) => cachedPortfolio(money, `${account}${index}`) !== null)
    expect(known).toEqual([false, false, ...Array<boolean>(8).fill(true)])
  })

  it('is not read from storage that the page provides, which could change tokens or decimals', () => {
    const value = [{ ...ether, quantity: { decimals: '2', numeric: '1' } }]
    const writes: string[] = []
    const kept = {
      place: 'page',
      get: () => JSON.stringify({ [account]: { timestamp: 0, value } }),
      set: (name: string) => void writes.push(name),
    } as const
    const money = testMoney({ kept, clock: manualClock(1) })
    expect(cachedPortfolio(money, account)).toBeNull()
    cachePortfolio(money, account, complete)
    expect(writes).toEqual([])
  })
})
