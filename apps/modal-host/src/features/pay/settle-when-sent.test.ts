import { describe, expect, it, vi } from 'vitest'
import type { HostActions } from '../../snapshot/contract'
import type { TrackedTransaction } from '../../snapshot/money'
import { createSnapshotStore } from '../../snapshot/store'
import { settleWhenSent } from './settle-when-sent'

const hash = `0x${'ab'.repeat(32)}`
const networkId = 'eip155:1'
const payment = { networkId, amount: '1', recipient: '0x02' } as const

function setUp() {
  const store = createSnapshotStore({ themeMode: 'light', locale: 'en', walletCount: 0, isTopLevel: false })
  const settlePayment = vi.fn<HostActions['settlePayment']>()
  const purpose = { kind: 'pay', amount: '1', symbol: 'ETH', to: '0x02' } as const
  const set = (status: TrackedTransaction['status']) =>
    store.setState({ transactions: [{ id: 't', networkId, from: '0x01', purpose, at: 0, status }] })
  store.setState({ payment })
  set({ kind: 'asking' })
  const actions = { settlePayment } as unknown as HostActions
  settleWhenSent({ store, actions }, 't', payment)
  return { store, set, settlePayment }
}

describe('settleWhenSent', () => {
  it('sends the receipt once, when it was sent', () => {
    const { set, settlePayment } = setUp()
    expect(settlePayment).not.toHaveBeenCalled()
    set({ kind: 'sent', hash })
    set({ kind: 'ended', hash, outcome: { kind: 'confirmed' } })
    expect(settlePayment).toHaveBeenCalledExactlyOnceWith({ networkId, hash, from: '0x01' })
  })

  it('waits for a batch’s hash', () => {
    const { set, settlePayment } = setUp()
    set({ kind: 'sent', hash: null })
    expect(settlePayment).not.toHaveBeenCalled()
    set({ kind: 'ended', hash, outcome: { kind: 'confirmed' } })
    expect(settlePayment).toHaveBeenCalledOnce()
  })

  it('reports that it may be paid if its hash never becomes known', () => {
    const { set, settlePayment } = setUp()
    set({ kind: 'sent', hash: null })
    set({ kind: 'ended', hash: null, outcome: { kind: 'unknown' } })
    expect(settlePayment).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'TRANSACTION_UNCONFIRMED' }))
  })

  it.each(['cancelled', 'replaced'] as const)(
    'leaves the payment open if it was %s: the hash is not its own',
    (kind) => {
      const { set, settlePayment } = setUp()
      set({ kind: 'ended', hash, outcome: { kind } })
      expect(settlePayment).not.toHaveBeenCalled()
    },
  )

  it('leaves the payment open if the chain can never include it', () => {
    const { set, settlePayment } = setUp()
    set({ kind: 'sent', hash: null })
    set({ kind: 'ended', hash: null, outcome: { kind: 'dropped' } })
    expect(settlePayment).not.toHaveBeenCalled()
  })

  it.each([{ kind: 'declined' }, { kind: 'failed', code: 'INTERNAL', message: '' }] as const)(
    'sends none for %j, nor for anything later',
    (status) => {
      const { set, settlePayment } = setUp()
      set(status)
      set({ kind: 'sent', hash })
      expect(settlePayment).not.toHaveBeenCalled()
    },
  )

  it('sends none for a different payment that the dapp requested meanwhile', () => {
    const { store, set, settlePayment } = setUp()
    store.setState({ payment: null })
    store.setState({ payment: { ...payment } })
    set({ kind: 'sent', hash })
    expect(settlePayment).not.toHaveBeenCalled()
  })
})
