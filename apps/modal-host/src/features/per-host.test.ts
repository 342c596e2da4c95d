import { describe, expect, it, vi } from 'vitest'
import type { Host } from '../session/contract'
import { createSnapshotStore } from '../session/snapshot'
import { perHost } from './per-host'
import { testMoney } from './testing/test-money'

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
