import { describe, expect, it, vi } from 'vitest'
import type { TrackedTransaction } from '../../snapshot/money'
import { createSnapshotStore } from '../../snapshot/store'
import { isCarriedOut, stateOfSent, watchTransaction, whenSent } from './watch'

function transaction(status: TrackedTransaction['status']): TrackedTransaction {
  const purpose = { kind: 'send', amount: '1', symbol: 'ETH', to: '0x2' } as const
  return { id: 'a', networkId: 'eip155:1', from: '0x1', purpose, at: 0, status }
}

function setUp(first: TrackedTransaction['status'] = { kind: 'asking' }) {
  const store = createSnapshotStore({ themeMode: 'light', locale: 'en', walletCount: 0, isTopLevel: false })
  const set = (status: TrackedTransaction['status']) => store.setState({ transactions: [transaction(status)] })
  set(first)
  return { store, set }
}

it('stateOfSent returns whether the wallet has responded, and whether it sent', () => {
  expect(stateOfSent({ transactions: [] }, 'a')).toBe('none')
  expect(stateOfSent({ transactions: [transaction({ kind: 'asking' })] }, 'a')).toBe('asking')
  expect(stateOfSent({ transactions: [transaction({ kind: 'declined' })] }, 'a')).toBe('none')
  expect(stateOfSent({ transactions: [transaction({ kind: 'sent', hash: '0x' })] }, 'a')).toBe('went')
})

it('isCarriedOut is true for a confirmed or repriced transaction', () => {
  expect(isCarriedOut({ kind: 'ended', hash: '0x', outcome: { kind: 'confirmed' } })).toBe(true)
  expect(isCarriedOut({ kind: 'ended', hash: '0x', outcome: { kind: 'repriced' } })).toBe(true)
  expect(isCarriedOut({ kind: 'ended', hash: '0x', outcome: { kind: 'unknown' } })).toBe(false)
  expect(isCarriedOut({ kind: 'sent', hash: '0x' })).toBe(false)
  expect(isCarriedOut(undefined)).toBe(false)
})

describe('watchTransaction', () => {
  it('runs the callback once when the condition holds', () => {
    const { store, set } = setUp()
    const end = vi.fn()
    watchTransaction({ store }, 'a', (seen) => (seen?.status.kind === 'sent' ? end : null))
    expect(end).not.toHaveBeenCalled()
    set({ kind: 'sent', hash: '0x' })
    set({ kind: 'sent', hash: '0x' })
    expect(end).toHaveBeenCalledOnce()
  })

  it('stops watching when ended', () => {
    const { store, set } = setUp()
    const endOf = vi.fn(() => null)
    const stop = watchTransaction({ store }, 'a', endOf)
    stop()
    set({ kind: 'sent', hash: '0x' })
    expect(endOf).toHaveBeenCalledOnce()
  })
})

describe('whenSent', () => {
  it.each([
    { kind: 'sent', hash: null },
    { kind: 'ended', hash: '0x', outcome: { kind: 'reverted', reason: null } },
  ] as const)('runs once for %j, also if it is already so', (status) => {
    const { store, set } = setUp()
    const [later, already] = [vi.fn(), vi.fn()]
    whenSent({ store }, 'a', later)
    set(status)
    whenSent({ store }, 'a', already)
    set({ ...status })
    expect(later).toHaveBeenCalledOnce()
    expect(already).toHaveBeenCalledOnce()
  })

  it.each([{ kind: 'declined' }, { kind: 'failed', code: 'INTERNAL', message: '' }] as const)(
    'never runs after %j',
    (status) => {
      const { store, set } = setUp()
      const then = vi.fn()
      whenSent({ store }, 'a', then)
      set(status)
      set({ kind: 'sent', hash: '0x' })
      expect(then).not.toHaveBeenCalled()
    },
  )
})
