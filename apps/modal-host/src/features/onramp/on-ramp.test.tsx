// @vitest-environment happy-dom
import type { OnRampOptions } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { arrival, button, connected, dialog, mount, press, text, title } from '../../boot/testing/mount-app'
import type { BlockchainApi, MoneyHost } from '../../snapshot/money'
import { testMoney } from '../testing/test-money'
import type { Purchase } from './order'

const options: OnRampOptions = {
  paymentCurrencies: [
    { id: 'USD', payment_method_limits: [{ id: 'card', min: '5', max: '500' }] },
    { id: 'EUR', payment_method_limits: [{ id: 'card', min: '7', max: '500' }] },
  ],
  purchaseCurrencies: [
    {
      id: 'eth-id',
      name: 'Ether',
      symbol: 'ETH',
      networks: [{ name: 'ethereum', display_name: 'Ethereum', chain_id: '1', contract_address: '' }],
    },
    {
      id: 'usdc-id',
      name: 'USD Coin',
      symbol: 'USDC',
      networks: [{ name: 'ethereum', display_name: 'Ethereum', chain_id: '1', contract_address: '0x01' }],
    },
  ],
}
const quote = {
  paymentTotal: { amount: '50', currency: 'USD' },
  paymentSubtotal: { amount: '49.25', currency: 'USD' },
  purchaseAmount: { amount: '0.019712345', currency: 'ETH' },
  networkFee: { amount: '0.25', currency: 'USD' },
  serviceFee: { amount: '0.5', currency: 'USD' },
  quoteId: 'q',
}
const delivered: Purchase = { status: 'delivered', hash: '0x12', symbol: 'ETH', network: 'ethereum', amount: '0.0197' }

async function view(api: Partial<BlockchainApi> = {}, rest: Partial<Omit<MoneyHost, 'api'>> = {}) {
  const onRampQuote = vi.fn(async () => quote)
  const money = testMoney({
    ...rest,
    api: { onRampOptions: async () => options, onRampQuote, onRampUrl: async () => ({ url }), ...api },
  })
  const app = await mount(
    { connections: { eip155: connected }, money: { swapChainIds: [], onramp: true, nameSuffix: null } },
    money,
  )
  await app.open('OnRamp')
  await arrival(() => expect(title()).toBe('Buy'))
  return { ...app, onRampQuote }
}
const url = 'https://seller.example/buy'

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

async function type(value: string) {
  await arrival(() => expect(dialog().querySelector('input')).not.toBeNull())
  const input = dialog().querySelector('input')
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value)
    input?.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

describe('buying', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] }))
  afterEach(() => void vi.useRealTimers())

  it('shows the quote once typing pauses', async () => {
    const { onRampQuote } = await view()
    await type('5')
    await type('50')
    await arrival(() => expect(text()).toContain('≈\u202F0.019712\u00A0ETH'))
    expect(onRampQuote).toHaveBeenCalledExactlyOnceWith(
      { purchaseCurrency: 'eth-id', paymentCurrency: 'USD', amount: '50', network: 'ethereum' },
      expect.anything(),
    )
    expect(text()).toContain('0.50\u00A0USD')
    expect(text()).toContain('0.25\u00A0USD')
  })

  it.each([
    ['4.99', 'Minimum 5.00'],
    ['500.01', 'Maximum 500.00'],
    ['abc', 'Enter a valid amount'],
    ['1.234', 'Enter a valid amount'],
  ])('rejects %s without asking for a quote', async (typed, complaint) => {
    const { onRampQuote } = await view()
    await type(typed)
    await arrival(() => expect(text()).toContain(complaint))
    expect(button(complaint.split(' ')[0] ?? '').getAttribute('aria-disabled')).toBe('true')
    expect(onRampQuote).not.toHaveBeenCalled()
  })

  it('lets the visitor choose the token and the payment currency', async () => {
    await view()
    await arrival(() => expect(text()).toContain('Ether'))
    await press('Ether')
    await arrival(() => expect(title()).toBe('Currency'))
    await press('USD Coin')
    await arrival(() => expect(title()).toBe('Buy'))
    expect(text()).toContain('USD Coin')
    await press('Pay in a currency other')
    await arrival(() => expect(title()).toBe('Currency'))
    const pictures = [...document.querySelectorAll<HTMLImageElement>('li img')]
    expect(pictures.map((picture) => picture.getAttribute('src'))).toEqual([
      '/public/getCurrencyImage/USD',
      '/public/getCurrencyImage/EUR',
    ])
    await act(async () => pictures[1]?.dispatchEvent(new Event('error')))
    await press('€')
    await arrival(() => expect(text()).toContain('50\u00A0EUR'))
  })

  it('hands over once, however often the button is pressed', async () => {
    const opened = { isClosed: () => false, navigate: vi.fn(), close: vi.fn() }
    const openWindow = vi.fn(() => opened)
    const onRampUrl = vi.fn(async () => ({ url }))
    await view({ onRampUrl, onRampPurchases: async () => ({ purchases: [] }) }, { openWindow })
    await type('50')
    const pressed = button('Continue to provider')
    await act(async () => {
      pressed.click()
      await Promise.resolve()
      pressed.click()
    })
    await arrival(() => expect(text()).toContain('Continue in the provider’s window'))
    expect([openWindow.mock.calls.length, onRampUrl.mock.calls.length]).toEqual([1, 1])
  })

  it('hands over, polls, and reports the delivery', async () => {
    const purchases: Purchase[] = []
    const opened = { isClosed: () => false, navigate: vi.fn(), close: vi.fn() }
    const onRampPurchases = vi.fn(async () => ({ purchases: [...purchases] }))
    const { actions } = await view({ onRampPurchases }, { openWindow: () => opened })
    await type('50')
    await press('Continue to provider')
    await arrival(() => expect(text()).toContain('Continue in the provider’s window'))
    expect(opened.navigate).toHaveBeenCalledExactlyOnceWith(url)
    expect(text()).toContain('0xd8…A96045')
    purchases.push({ ...delivered, status: 'pending' })
    await pass(4_000)
    await arrival(() => expect(text()).toContain('On its way'))
    purchases.unshift(delivered)
    await pass(4_000)
    await arrival(() => expect(text()).toContain('Purchase complete'))
    expect(text()).toContain('0.0197\u00A0ETH')
    expect(actions.refreshBalance).toHaveBeenCalled()
    const requests = onRampPurchases.mock.calls.length
    await press('Done')
    await arrival(() => expect(title()).toBe('Account'))
    expect(onRampPurchases.mock.calls.length).toBe(requests)
  })

  it('is followed again after the modal was closed and opened', async () => {
    const purchases: Purchase[] = [{ ...delivered, status: 'pending' }]
    const onRampPurchases = async () => ({ purchases: [...purchases] })
    const opened = { isClosed: () => false, navigate: vi.fn(), close: vi.fn() }
    const { set } = await view({ onRampPurchases }, { openWindow: () => opened })
    await type('50')
    await press('Continue to provider')
    await pass(4_000)
    await arrival(() => expect(text()).toContain('On its way'))
    await set({ open: false })
    await pass(60_000)
    await set({ open: true, opening: { key: 2, view: 'OnRamp' } })
    await press('Purchase in progress')
    await arrival(() => expect(text()).toContain('On its way'))
    purchases.unshift(delivered)
    await pass(4_000)
    await arrival(() => expect(text()).toContain('Purchase complete'))
  })

  it('reports that the seller declined', async () => {
    const onRampPurchases = async () => ({ purchases: [{ ...delivered, status: 'failed' as const, hash: null }] })
    await view({ onRampPurchases })
    await type('50')
    await press('Continue to provider')
    await arrival(() => expect(text()).toContain('Purchase failed'))
    await press('Change amount')
    await arrival(() => expect(dialog().querySelector('input')?.value).toBe('50'))
  })

  it('says if only the seller knows the outcome, and reloads balances', async () => {
    const opened = { isClosed: () => true, navigate: vi.fn(), close: vi.fn() }
    opened.isClosed = vi.fn().mockReturnValueOnce(false).mockReturnValue(true)
    const onRampPurchases = () => Promise.reject(new Failure('HTTP_STATUS', { data: { status: 404 } }))
    const { actions } = await view({ onRampPurchases }, { openWindow: () => opened })
    await type('50')
    await press('Continue to provider')
    await arrival(() => expect(text()).toContain('The provider will keep you updated'))
    expect(text()).not.toContain('nothing was bought')
    expect(actions.refreshBalance).toHaveBeenCalled()
  })

  const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const holding = (address: string) => ({
    connections: {
      eip155: { ...connected, accounts: [{ namespace: 'eip155' as const, address, type: 'eoa' as const }] },
    },
  })
  const owner = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

  it('belongs to its account: another account sees none of it, and it reappears with its own', async () => {
    const opened = { isClosed: () => true, navigate: vi.fn(), close: vi.fn() }
    opened.isClosed = vi.fn().mockReturnValueOnce(false).mockReturnValue(true)
    const { set } = await view({ onRampPurchases: async () => ({ purchases: [] }) }, { openWindow: () => opened })
    await type('50')
    await press('Continue to provider')
    await pass(1_000)
    await arrival(() => expect(text()).toContain('Open again'))

    await set(holding(other))
    await arrival(() => expect(title()).toBe('Buy'))
    await arrival(() => expect(dialog().querySelector('input')?.value).toBe(''))
    expect(text()).not.toContain('Purchase in progress')
    expect(text()).not.toContain('0xd8…A96045')

    await set(holding(owner.toLowerCase()))
    await arrival(() => expect(text()).toContain('Purchase in progress'))
    await press('Purchase in progress')
    await arrival(() => expect(text()).toContain('Open again'))
  })

  it('is hidden after its account signs out, until it returns', async () => {
    const onRampPurchases = async () => ({ purchases: [] })
    const { set } = await view({ onRampPurchases })
    await type('50')
    await press('Continue to provider')
    await arrival(() => expect(button('Continue to provider').getAttribute('href')).toBe(url))
    await set({ connections: {} })
    await set({ ...holding(other), opening: { key: 2, view: 'OnRamp' } })
    await arrival(() => expect(dialog().querySelector('input')?.value).toBe(''))
    expect(text()).not.toContain('Purchase in progress')
    await set({ connections: {} })
    await set({ ...holding(owner), opening: { key: 3, view: 'OnRamp' } })
    await arrival(() => expect(text()).toContain('Purchase in progress'))
    expect(text()).toContain('50.00\u00A0USD')
  })

  it('shows a link if the browser opens no window', async () => {
    await view({ onRampPurchases: async () => ({ purchases: [] }) })
    await type('50')
    await press('Continue to provider')
    await arrival(() => expect(button('Continue to provider').getAttribute('href')).toBe(url))
  })

  it('reports that no seller is available', async () => {
    const opened = { isClosed: () => false, navigate: vi.fn(), close: vi.fn() }
    const onRampUrl = () => Promise.reject(new Failure('HTTP_STATUS', { message: 'The seller could not be reached' }))
    await view({ onRampUrl }, { openWindow: () => opened })
    await type('50')
    await press('Continue to provider')
    await arrival(() => expect(text()).toContain('Can’t reach the provider'))
    expect(opened.close).toHaveBeenCalled()
  })

  it('says if nothing is sold, and offers a retry if the service does not respond', async () => {
    let isUp = false
    const onRampOptions = async () => {
      if (!isUp) throw new Failure('HTTP_STATUS')
      return { paymentCurrencies: [], purchaseCurrencies: [] }
    }
    await view({ onRampOptions })
    await arrival(() => expect(text()).toContain('Can’t reach the provider'))
    isUp = true
    await press('Try again')
    await arrival(() => expect(text()).toContain('Buying isn’t available on Ethereum'))
  })
})
