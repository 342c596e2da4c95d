import { describe, expect, it, vi } from 'vitest'
import { testMoney } from '../features/testing/test-money'
import type { Host } from '../snapshot/contract'
import { createSnapshotStore } from '../snapshot/store'
import { perAccount, perHost } from './per-host'

function host(): Host {
  const store = createSnapshotStore({ themeMode: 'light', locale: 'en', walletCount: 0, isTopLevel: false })
  return { store, money: async () => testMoney() } as unknown as Host
}

describe('perHost', () => {
  it('makes one a host, with what was there when it was first asked for', () => {
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
  it('makes one an account of a host, whatever the case of an EVM address', () => {
    const of = perAccount(() => ({}))
    const [one, other] = [host(), host()]
    const ada = { namespace: 'eip155', address: '0xAda' } as const
    const first = of(one, ada)
    expect(of(one, { ...ada, address: '0xada' })).toBe(first)
    for (const mine of [of(one, { ...ada, address: '0xb' }), of(one, { ...ada, namespace: 'solana' }), of(one, null)])
      expect(mine).not.toBe(first)
    expect(of(other, ada)).not.toBe(first)
  })

  it('tells apart what differs in the case of base58', () => {
    const of = perAccount(() => ({}))
    const page = host()
    const ada = { namespace: 'solana', address: 'Ada' } as const
    expect(of(page, ada)).not.toBe(of(page, { ...ada, address: 'ada' }))
  })
})
