import { describe, expect, it, vi } from 'vitest'
import { testMoney } from '../../features/testing/test-money'
import type { Host } from '../../snapshot/contract'
import { createSnapshotStore } from '../../snapshot/store'
import { perAccount, perHost } from './per-host'

function host(): Host {
  const store = createSnapshotStore({ themeMode: 'light', locale: 'en', walletCount: 0, isTopLevel: false })
  return { store, money: async () => testMoney() } as unknown as Host
}

describe('perHost', () => {
  it('creates one per host, with the state at the first call', () => {
    const make = vi.fn((_host: Host, name: string) => ({ name }))
    const of = perHost(make)
    const [one, other] = [host(), host()]
    const first = of(one, 'first')
    expect(of(one, 'second')).toBe(first)
    expect(first).toEqual({ name: 'first' })
    expect(of(other, 'second')).toEqual({ name: 'second' })
    expect(make).toHaveBeenCalledTimes(2)
  })
})

describe('perAccount', () => {
  it('creates one per account of a host, ignoring the case of EVM addresses', () => {
    const of = perAccount(() => ({}))
    const [one, other] = [host(), host()]
    const ada = { namespace: 'eip155', address: '0xAda' } as const
    const first = of(one, ada)
    expect(of(one, { ...ada, address: '0xada' })).toBe(first)
    for (const mine of [of(one, { ...ada, address: '0xb' }), of(one, { ...ada, namespace: 'solana' }), of(one, null)])
      expect(mine).not.toBe(first)
    expect(of(other, ada)).not.toBe(first)
  })

  it('separates base58 addresses that differ in case', () => {
    const of = perAccount(() => ({}))
    const page = host()
    const ada = { namespace: 'solana', address: 'Ada' } as const
    expect(of(page, ada)).not.toBe(of(page, { ...ada, address: 'ada' }))
  })
})
