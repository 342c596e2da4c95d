import { Failure } from '@postern/protocol/failure'
import { describe, expect, it, vi } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { testMoney } from '../testing/test-money'
import { isPending, type OnRampForm, type OrderRequest, startOrder } from './order'

const url = 'https://seller.example/buy?sessionToken=t'
const request: OrderRequest = {
  offer: { id: 'eth-id', name: 'Ether', symbol: 'ETH', network: 'base' },
  networkId: 'eip155:8453',
  address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
  amount: '50',
  currency: 'USD',
  expected: '0.0197',
}

function setUp(changes: { window?: 'blocked' | 'closed'; fails?: boolean } = {}) {
  const form = createStore<OnRampForm>(() => ({
    text: '',
    currency: null,
    asset: null,
    choosing: 'asset',
    order: null,
  }))
  const window = { isClosed: () => changes.window === 'closed', navigate: vi.fn(), close: vi.fn() }
  const onRampUrl = vi.fn(async () => {
    if (changes.fails === true) throw new Failure('HTTP_STATUS', { message: 'The seller could not be reached' })
    return { url }
  })
  const openWindow = vi.fn(() => (changes.window === 'blocked' ? null : window))
  const seller = testMoney({ api: { onRampUrl }, openWindow })
  return { form, window, onRampUrl, openWindow, seller, state: () => form.getState().order?.handOver }
}

describe('startOrder', () => {
  it('1. opens the window before it awaits anything', async () => {
    const { form, window, openWindow, onRampUrl, seller, state } = setUp()
    const over = startOrder(form, request, seller)
    expect(openWindow).toHaveBeenCalledBefore(onRampUrl)
    expect(state()).toEqual({ kind: 'preparing' })
    await over
    expect(window.navigate).toHaveBeenCalledExactlyOnceWith(url)
    expect(state()).toEqual({ kind: 'open', url, window })
    expect(isPending(form.getState().order)).toBe(true)
  })

  it.each(['blocked', 'closed'] as const)('2. shows a link if its window is %s', async (window) => {
    const { form, seller, state } = setUp({ window })
    await startOrder(form, request, seller)
    expect(state()).toEqual({ kind: 'ready', url })
  })

  it('3. sends the visitor’s address, the network on show and a new id', async () => {
    const { form, onRampUrl, seller } = setUp()
    await startOrder(form, request, seller)
    expect(onRampUrl).toHaveBeenCalledWith({
      destinationWallets: [{ address: request.address, blockchains: ['base'], assets: ['ETH'] }],
      defaultNetwork: 'base',
      defaultAsset: 'ETH',
      partnerUserId: 'id',
      defaultExperience: 'buy',
      presetFiatAmount: '50',
      fiatCurrency: 'USD',
    })
  })

  it('4. reports a missing seller, and closes the blank window', async () => {
    const { form, window, seller, state } = setUp({ fails: true })
    await startOrder(form, request, seller)
    expect(state()).toEqual({ kind: 'failed', code: 'HTTP_STATUS', message: 'The seller could not be reached' })
    expect(window.close).toHaveBeenCalled()
    expect(isPending(form.getState().order)).toBe(false)
  })

  it('4. ignores an abandoned order', async () => {
    const { form, window, seller } = setUp()
    const over = startOrder(form, request, seller)
    form.setState({ order: null })
    await over
    expect(form.getState().order).toBeNull()
    expect(window.close).toHaveBeenCalled()
  })
})
