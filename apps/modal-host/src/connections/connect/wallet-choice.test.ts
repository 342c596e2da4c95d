import { onceLoaded } from '@postern/base/once-loaded'
import { describe, expect, it, vi } from 'vitest'
import type { WalletRow } from '../../snapshot/contract'
import { createSnapshotStore } from '../../snapshot/store'
import type { ConnectAttempts } from './connect-attempt'
import { createWalletChoice } from './wallet-choice'

const row: WalletRow = { id: 'a', name: 'Lantern', group: 'injected', connectors: [] }
const other: WalletRow = { ...row, id: 'b' }

function setUp() {
  const store = createSnapshotStore({ themeMode: 'light', locale: 'en', walletCount: null, isTopLevel: false })
  const attempts = { begin: vi.fn(), retry: vi.fn(), cancel: vi.fn(), openWalletLink() {}, onPageWallets() {} }
  const loads: { readonly arrive: () => void; readonly fail: (reason: Error) => void }[] = []
  const code = onceLoaded(
    () =>
      new Promise<{ readonly attempts: ConnectAttempts }>((resolve, reject) => {
        loads.push({ arrive: () => resolve({ attempts }), fail: reject })
      }),
  )
  return { store, attempts, loads, code, ...createWalletChoice(store, code, () => {}) }
}

describe('createWalletChoice', () => {
  it('1. starts the last choice once the code has loaded', async () => {
    const { begin, attempts, loads, code } = setUp()
    begin(row, 'eip155')
    begin(other)
    loads[0]?.arrive()
    await code.load()
    expect(attempts.begin.mock.calls).toEqual([[other, undefined]])
    begin(row, 'solana')
    expect(attempts.begin).toHaveBeenLastCalledWith(row, 'solana')
  })

  it('1. starts nothing that was cancelled in the meantime', async () => {
    const { begin, cancel, attempts, loads, code, store } = setUp()
    begin(row)
    cancel()
    loads[0]?.arrive()
    await code.load()
    expect(attempts.begin).not.toHaveBeenCalled()
    expect(store.getState().connectAttempt).toBeNull()
    cancel()
    expect(attempts.cancel).toHaveBeenCalledOnce()
  })

  it('2. fails the attempt if the code does not load, and loads it again on retry', async () => {
    const { begin, retry, attempts, loads, code, store } = setUp()
    begin(row)
    loads[0]?.fail(new Error('offline'))
    await expect
      .poll(() => store.getState().connectAttempt)
      .toMatchObject({ row, status: { kind: 'failed', code: 'LOAD_FAILED' } })
    retry()
    loads[1]?.arrive()
    await code.load()
    expect(attempts.begin.mock.calls).toEqual([[row, undefined]])
    retry()
    expect(attempts.retry).toHaveBeenCalledOnce()
  })

  it('2. retries in the same namespace, even if the code loaded for something else in the meantime', async () => {
    const { begin, retry, attempts, loads, code, store } = setUp()
    begin(row, 'solana')
    loads[0]?.fail(new Error('offline'))
    await expect.poll(() => store.getState().connectAttempt).not.toBeNull()
    const loaded = code.load()
    loads[1]?.arrive()
    await loaded
    retry()
    expect(attempts.begin.mock.calls).toEqual([[row, 'solana']])
    expect(attempts.retry).not.toHaveBeenCalled()
  })

  it('2. reports no failure of a cancelled attempt', async () => {
    const { begin, cancel, loads, code, store } = setUp()
    begin(row)
    cancel()
    loads[0]?.fail(new Error('offline'))
    await expect(code.load()).rejects.toThrow()
    expect(store.getState().connectAttempt).toBeNull()
  })
})
