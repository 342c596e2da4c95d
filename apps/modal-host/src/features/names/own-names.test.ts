import { manualClock } from '@postern/base/testing/manual-clock'
import { Failure } from '@postern/protocol/failure'
import { describe, expect, it, vi } from 'vitest'
import { testMoney } from '../testing/test-money'
import { forgetOwnNames, loadOwnNames } from './own-names'

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const called = (...names: readonly string[]) =>
  names.map((name) => ({ name, registered_at: '2026-01-01T00:00:00Z', addresses: {}, attributes: [] }))

describe('loadOwnNames', () => {
  it('loads once in 5 minutes, whatever the case of the address, and again after a reset (spec §3, §9)', async () => {
    const clock = manualClock()
    const namesOf = vi.fn(async () => called('ada.postern', 'love.postern'))
    const money = testMoney({ api: { namesOf }, clock })
    expect(await loadOwnNames(money, address)).toEqual(['ada.postern', 'love.postern'])
    clock.advance(299_999)
    expect(await loadOwnNames(money, address.toLowerCase())).toEqual(['ada.postern', 'love.postern'])
    expect(namesOf).toHaveBeenCalledTimes(1)
    clock.advance(1)
    await loadOwnNames(money, address)
    expect(namesOf).toHaveBeenCalledTimes(2)
    forgetOwnNames(money, address)
    await loadOwnNames(money, address)
    expect(namesOf).toHaveBeenCalledTimes(3)
  })

  it('caches no failure', async () => {
    const namesOf = vi.fn(async () => called('ada.postern'))
    namesOf.mockRejectedValueOnce(new Failure('HTTP_STATUS'))
    const money = testMoney({ api: { namesOf } })
    await expect(loadOwnNames(money, address)).rejects.toMatchObject({ code: 'HTTP_STATUS' })
    expect(await loadOwnNames(money, address)).toEqual(['ada.postern'])
  })

  it('shows untrusted text on one line and at a limited length', async () => {
    const many = Array.from({ length: 100 }, (_, index) => `n${index}.postern`)
    const money = testMoney({ api: { namesOf: async () => called('a\u202eda\n.postern', '\u200b', ...many) } })
    const names = await loadOwnNames(money, address)
    expect(names).toHaveLength(20)
    expect(names[0]).toBe('ada .postern')
  })

  it('neither reads nor writes storage that the page provides', async () => {
    const writes: string[] = []
    const kept = {
      place: 'page',
      get: () => JSON.stringify({ [address.toLowerCase()]: { timestamp: 0, value: ['vitalik.eth'] } }),
      set: (name: string) => void writes.push(name),
    } as const
    const money = testMoney({ api: { namesOf: async () => called('ada.postern') }, kept, clock: manualClock(1) })
    expect(await loadOwnNames(money, address)).toEqual(['ada.postern'])
    expect(writes).toEqual([])
  })
})
