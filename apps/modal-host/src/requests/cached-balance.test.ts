import { manualClock } from '@postern/base/testing/manual-clock'
import { describe, expect, it } from 'vitest'
import { type BalanceMemory, cacheBalance, cachedBalance } from './cached-balance'

function memory(place: 'frame' | 'page' = 'frame'): BalanceMemory & { readonly values: Map<string, string> } {
  const values = new Map<string, string>()
  return {
    place,
    values,
    get: (name) => values.get(name) ?? null,
    set: (name, value) => void (value === null ? values.delete(name) : values.set(name, value)),
  }
}
const balance = { formatted: '1.999', symbol: 'ETH' }
const account = 'eip155:1:0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

describe('cached native balance', () => {
  it('is valid for 30 s (spec §3, §9)', () => {
    const clock = manualClock()
    const frame = memory()
    cacheBalance(frame, account, { at: clock.now(), ...balance })
    clock.advance(29_999)
    expect(cachedBalance(frame, clock, account)).toMatchObject(balance)
    clock.advance(1)
    expect(cachedBalance(frame, clock, account)).toBeNull()
  })

  it('is limited to the newest eight accounts', () => {
    const clock = manualClock()
    const frame = memory()
    for (let index = 0; index < 10; index += 1)
      cacheBalance(frame, `${account}${index}`, { at: clock.now() + index, ...balance })
    clock.advance(10)
    expect(cachedBalance(frame, clock, `${account}1`)).toBeNull()
    expect(cachedBalance(frame, clock, `${account}2`)).not.toBeNull()
  })

  it('is neither read from the page nor sent to it', () => {
    const clock = manualClock()
    const page = memory('page')
    cacheBalance(page, account, { at: clock.now(), ...balance })
    expect(page.values.size).toBe(0)
    page.values.set('nativeBalanceCache', JSON.stringify({ [account]: { timestamp: clock.now(), value: balance } }))
    expect(cachedBalance(page, clock, account)).toBeNull()
  })

  it.each([
    '{',
    '[]',
    '{"x":{"timestamp":1}}',
    `{"${account}":{"timestamp":1,"value":{"formatted":"<b>","symbol":"E"}}}`,
  ])('ignores %s', (text) => {
    const frame = memory()
    frame.values.set('nativeBalanceCache', text)
    expect(cachedBalance(frame, manualClock(1), account)).toBeNull()
  })
})
