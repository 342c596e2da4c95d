// @vitest-environment happy-dom
import type { CaipNetworkId } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { act } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { arrival, button, connected, dialog, mount, press, text, title } from '../../boot/testing/mount-app'
import type { HostSnapshot } from '../../snapshot/contract'
import type { MoneyHost, TrackedTransaction } from '../../snapshot/money'
import { noon, testMoney } from '../testing/test-money'
import { chainWith, dollar, ether, gem, honestService, type Service, token } from './testing/swap-fixtures'
import type { SwapToken } from './tokens'

beforeEach(() => vi.setSystemTime(noon))

/** One ether is 2,500 dollars. */
function gives(amount: bigint, from: SwapToken, to: SwapToken): bigint {
  if (from.isNative && to.symbol === 'USDC') return (amount * 2_500n) / 10n ** 12n
  return from.symbol === 'USDC' && to.isNative ? (amount * 10n ** 12n) / 2_500n : amount
}

type Changes = Omit<Partial<MoneyHost>, 'api'> & { readonly api?: Partial<MoneyHost['api']> }

async function swap(
  args: HostSnapshot['opening']['swap'] & object = {},
  service: Service = {},
  { api, ...changes }: Changes = {},
  more: Partial<HostSnapshot> = {},
) {
  const money = testMoney({
    client: chainWith(10n ** 19n, { [dollar.address]: 1_000_000_000n }),
    ...changes,
    api: { ...honestService({ gives, now: () => noon, prices: { ETH: 2_500, USDC: 1 }, ...service }), ...api },
  })
  const app = await mount(
    {
      connections: { eip155: connected },
      money: { swapChainIds: ['eip155:1'], onramp: false, nameSuffix: null },
      opening: { key: 1, view: 'Swap', swap: args },
      ...more,
    },
    money,
  )
  await app.set({ open: true })
  await arrival(() => expect(title()).toBe('Swap'))
  return app
}

function field(): HTMLInputElement {
  const found = dialog().querySelector<HTMLInputElement>('input[inputmode=decimal]')
  if (found === null) throw new Error('There is no field')
  return found
}

const type = (value: string) =>
  act(async () => {
    const setter = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
    setter?.call(field(), value)
    field().dispatchEvent(new Event('input', { bubbles: true }))
  })
const isDisabled = (name: string) => button(name).getAttribute('aria-disabled') === 'true'
const priced = () => arrival(() => expect(isDisabled('Review swap')).toBe(false))

async function reviewed() {
  await priced()
  await press('Review swap')
  await arrival(() => expect(text()).toContain('You receive at least'))
}

describe('the swap form', () => {
  it('opens with the dapp’s values and a quote (spec §2)', async () => {
    await swap({ amount: '1.5', fromToken: 'ETH', toToken: dollar.address })
    await arrival(() => expect(text()).toContain('3,750'))
    expect(field().value).toBe('1.5')
    expect(text()).toContain('1\u00A0ETH = 2,500\u00A0USDC')
    expect(text()).toContain('≈\u202F$3,750.00')
    expect(text()).toMatch(/New price in \d+ s/)
  })

  it('reports a dapp’s token that is not offered', async () => {
    await swap({ toToken: 'DOGE' })
    await arrival(() => expect(text()).toContain('DOGE isn’t available here'))
    expect(isDisabled('Select a token')).toBe(true)
  })

  it('reports what is missing, one thing at a time', async () => {
    await swap()
    await arrival(() => expect(isDisabled('Select a token')).toBe(true))
    await press('Select token')
    await arrival(() => expect(title()).toBe('Select token'))
    await press('USDC Coin')
    await arrival(() => expect(isDisabled('Enter an amount')).toBe(true))
    await type('1e3')
    expect(isDisabled('Enter a valid amount')).toBe(true)
    await type('0.0000000000000000001')
    expect(isDisabled('Enter a valid amount')).toBe(true)
    await arrival(() => expect(text()).toContain('10 available'))
    await type('11')
    expect(isDisabled('Not enough ETH')).toBe(true)
    await type('1')
    await priced()
  })

  it('requests one quote once typing pauses', async () => {
    vi.useRealTimers()
    vi.useFakeTimers({ now: noon, toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    try {
      const swapQuotes = vi.fn(honestService({ gives, now: () => noon }).swapQuotes)
      await swap({ toToken: 'USDC' }, {}, { api: { swapQuotes } })
      await arrival(() => expect(text()).toContain('available'))
      for (const typed of ['1', '1.2', '1.25']) await type(typed)
      await arrival(() => expect(text()).toContain('New price in'))
      expect(swapQuotes).toHaveBeenCalledTimes(1)
      expect(swapQuotes.mock.calls[0]?.[0]).toMatchObject({ amount: '1250000000000000000' })
    } finally {
      vi.useRealTimers()
    }
  })

  it('flips sides, and never swaps a token for itself', async () => {
    await swap({ amount: '2', toToken: 'USDC' })
    await priced()
    await press('Switch tokens')
    expect(button('USDC').closest('section')?.getAttribute('aria-label')).toBe('You pay')
    await press('USDC')
    await arrival(() => expect(title()).toBe('Select token'))
    await press('Ether')
    await arrival(() => expect(title()).toBe('Swap'))
    expect(button('USDC').closest('section')?.getAttribute('aria-label')).toBe('You receive')
  })

  it('reserves the fee for the max of the native currency', async () => {
    await swap({ toToken: 'USDC' })
    await arrival(() => expect(button('Max')).toBeTruthy())
    await press('Max')
    expect(field().value).toBe('9.9994')
  })

  it('reserves the rollup fee for as many bytes as an aggregator sends', async () => {
    const plain = chainWith(10n ** 19n)
    const sizes: bigint[] = []
    const rollup: MoneyHost['client'] = (id) => {
      const { rpc, ...client } = plain(id)
      const request: typeof rpc.request = async (requests, signal) => {
        if (requests.method === 'eth_getCode') return '0x6080'
        const data = /"data":"0xf1c7a58b([0-9a-f]{64})"/.exec(JSON.stringify(requests.params))?.[1]
        if (data !== undefined) sizes.push(BigInt(`0x${data}`))
        return rpc.request(requests, signal)
      }
      return { ...client, rpc: { request } }
    }
    await swap({ toToken: 'USDC' }, {}, { client: rollup })
    await arrival(() => expect(button('Max')).toBeTruthy())
    expect(sizes.every((size) => size >= 5_000n)).toBe(true)
    expect(sizes).not.toEqual([])
  })

  it('says why there is no max if the fee is unavailable, and offers a retry', async () => {
    let isDown = true
    const { gasPrices = () => Promise.reject(new Error()) } = honestService({ gives, now: () => noon })
    const down = () => Promise.reject(new Failure('HTTP_STATUS', { message: 'HTTP status code: 502' }))
    const api = { gasPrices: (id: CaipNetworkId, signal?: AbortSignal) => (isDown ? down() : gasPrices(id, signal)) }
    await swap({ toToken: 'USDC' }, {}, { api })
    await arrival(() => expect(text()).toContain('We can’t estimate the network fee.'))
    expect(text()).not.toContain('Max')
    isDown = false
    await press('Try again')
    await arrival(() => expect(button('Max')).toBeTruthy())
    expect(text()).not.toContain('We can’t estimate the network fee.')
  })

  it('reports a missing route', async () => {
    await swap({ amount: '1', toToken: 'USDC' }, { gives: () => null })
    await arrival(() => expect(text()).toContain('No route for this amount'))
    expect(isDisabled('Review swap')).toBe(true)
  })

  it('reports that the service does not respond, and retries', async () => {
    let isDown = true
    const { swapQuotes = () => Promise.reject(new Error()) } = honestService({ gives, now: () => noon })
    const down = () => Promise.reject(new Failure('HTTP_STATUS', { message: 'HTTP status code: 502' }))
    await swap(
      { amount: '1', toToken: 'USDC' },
      {},
      { api: { swapQuotes: (query, signal) => (isDown ? down() : swapQuotes(query, signal)) } },
    )
    await arrival(() => expect(text()).toContain('No price right now'))
    isDown = false
    await press('Try again')
    await priced()
  })

  it('reports at once while offline that there is no price', async () => {
    Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => false })
    try {
      const down = () => Promise.reject(new Failure('TIMEOUT'))
      await swap({ amount: '1', toToken: 'USDC' }, {}, { api: { swapTokens: down } })
      await arrival(() => expect(text()).toContain('Couldn’t load tokens'))
    } finally {
      Reflect.deleteProperty(navigator, 'onLine')
    }
  })

  it('does not render on a network without swaps (spec §8)', async () => {
    await swap({}, {}, {}, { money: { swapChainIds: ['eip155:10'], onramp: false, nameSuffix: null } })
    expect(text()).toContain('Network not supported for Swaps')
    expect(dialog().querySelector('input')).toBeNull()
  })

  it('shows untrusted text as plain text, and no third-party image', async () => {
    const hostile = { ...token('\u202eUSDT', `0x${'9f'.repeat(20)}`), name: '<img src=x onerror=alert(1)>' }
    await swap({}, { tokens: [ether, { ...hostile, logoUri: 'https://tracker.example/p.png' }] })
    await arrival(() => expect(button('Select token')).toBeTruthy())
    await press('Select token')
    await arrival(() => expect(text()).toContain('<img src=x onerror=alert(1)>'))
    expect(dialog().querySelectorAll('img')).toHaveLength(0)
    expect(text()).not.toContain('\u202e')
  })

  it('resets for another account', async () => {
    const app = await swap({ amount: '1', toToken: 'USDC' })
    await priced()
    await type('7')
    const accounts = [{ namespace: 'eip155', address: `0x${'11'.repeat(20)}`, type: 'eoa' }] as const
    await app.set({ connections: { eip155: { ...connected, accounts: [...accounts] } } })
    await arrival(() => expect(field().value).toBe('1'))
  })
})

describe('the swap review', () => {
  it('shows what leaves, the minimum that arrives, and the details', async () => {
    await swap({ amount: '1', toToken: 'USDC' })
    await reviewed()
    for (const said of [
      '−\u202F1\u00A0ETH',
      '+\u202F2,500\u00A0USDC',
      '2,475\u00A0USDC',
      'Uniswap V2',
      '0.08\u202F%',
      '1\u202F%',
    ])
      expect(text()).toContain(said)
    expect(text()).not.toContain('Allow')
  })

  it('announces two confirmations, and approves the exact amount', async () => {
    await swap({ amount: '125.5', fromToken: 'USDC', toToken: 'ETH' })
    await reviewed()
    await arrival(() => expect(text()).toContain('Allow 125.5\u00A0USDC'))
    expect(button('Allow and swap')).toBeTruthy()
  })

  it('needs one confirmation if the wallet is atomic', async () => {
    const request = async () => ({ '0x1': { atomic: { status: 'supported' } } })
    await swap({ amount: '125.5', fromToken: 'USDC', toToken: 'ETH' }, {}, { request })
    await reviewed()
    await arrival(() => expect(text()).toContain('One confirmation for both'))
  })

  it('requires agreement to a loss of ten percent', async () => {
    const transact = vi.fn(() => 't1')
    await swap({ amount: '1', toToken: 'USDC' }, { priceImpact: '12.5' }, { transact })
    await reviewed()
    expect(isDisabled('Swap')).toBe(true)
    await press('Swap')
    expect(transact).not.toHaveBeenCalled()
    await act(async () => dialog().querySelector<HTMLInputElement>('input[type=checkbox]')?.click())
    expect(isDisabled('Swap')).toBe(false)
    await press('Swap')
    await arrival(() => expect(transact).toHaveBeenCalledTimes(1))
  })

  it('compares values if the service reports no impact', async () => {
    const ruinous = (amount: bigint, from: SwapToken, to: SwapToken) => gives(amount, from, to) / 2n
    await swap({ amount: '1', toToken: 'USDC' }, { priceImpact: null, gives: ruinous })
    await arrival(() => expect(text()).toContain('receive 50\u202F% less'))
    await reviewed()
    expect(isDisabled('Swap')).toBe(true)
  })

  it('only warns of a three percent loss', async () => {
    await swap({ amount: '1', toToken: 'USDC' }, { priceImpact: '3' })
    await reviewed()
    expect(text()).toContain('moves the price by 3')
    expect(isDisabled('Swap')).toBe(false)
  })

  it('does not ask the wallet if the fee cannot be paid', async () => {
    await swap(
      { amount: '125.5', fromToken: 'USDC', toToken: 'ETH' },
      {},
      {
        client: chainWith(1n, { [dollar.address]: 1_000_000_000n }),
      },
    )
    await reviewed()
    await arrival(() => expect(text()).toContain('Not enough ETH for the network fee'))
    expect(isDisabled('Allow and swap')).toBe(true)
  })

  it('shows the state after a rejection: the approval remains', async () => {
    const known = (id: string, status: TrackedTransaction['status']): TrackedTransaction => ({
      id,
      networkId: 'eip155:1',
      from: '',
      purpose: { kind: 'swap', amount: '1', symbol: 'USDC', to: '' },
      at: 0,
      status,
    })
    let requests = 0
    const app = await swap(
      { amount: '125.5', fromToken: 'USDC', toToken: 'ETH' },
      {},
      { transact: () => `t${++requests}` },
      { transactions: [known('t1', { kind: 'ended', hash: null, outcome: { kind: 'confirmed' } })] },
    )
    await reviewed()
    await arrival(() => expect(button('Allow and swap')).toBeTruthy())
    await press('Allow and swap')
    await arrival(() => expect(text()).toContain('Confirm in Lantern'))
    await app.set({ transactions: [known('t2', { kind: 'declined' })] })
    await arrival(() => expect(text()).toContain('You declined the swap'))
    expect(text()).toContain('125.5\u00A0USDC remains approved')
    expect(button('Try again')).toBeTruthy()
  })

  it('is replaced by the view of the sent transaction', async () => {
    const status = { kind: 'sent', hash: `0x${'ab'.repeat(32)}` } as const
    const purpose = { kind: 'swap', amount: '1', symbol: 'ETH', to: '' } as const
    const sent = { id: 't1', networkId: 'eip155:1', from: '', purpose, at: 0, status } as const
    await swap({ amount: '1', toToken: 'USDC' }, {}, { transact: () => 't1' }, { transactions: [sent] })
    await reviewed()
    await press('Swap')
    await arrival(() => expect(title()).toBe('Transaction'))
    await press('Back')
    await arrival(() => expect(title()).toBe('Swap'))
  })

  it('asks no account other than the one shown', async () => {
    const transact = vi.fn(() => 't1')
    const app = await swap({ amount: '1', toToken: 'USDC' }, {}, { transact })
    await reviewed()
    const accounts = [{ namespace: 'eip155', address: `0x${'11'.repeat(20)}`, type: 'eoa' }] as const
    await app.set({ connections: { eip155: { ...connected, accounts: [...accounts] } } })
    expect(text()).toContain('Your wallet has changed')
    await press('Start over')
    await arrival(() => expect(title()).toBe('Swap'))
    expect(transact).not.toHaveBeenCalled()
  })
})

describe('choosing a token', () => {
  it('offers spam only if the user asks for it, and unlisted tokens in a group', async () => {
    const lure = { ...token('LURE', `0x${'1'.repeat(40)}`), name: 'Visit claim-usdc.com', listing: 'phishing' } as const
    const copy = { ...token('USDC', `0x${'2'.repeat(40)}`), name: 'Fake Dollar', listing: 'copy' } as const
    await swap({}, { tokens: [lure, copy, ether, dollar] })
    await arrival(() => expect(button('Select token')).toBeTruthy())
    await press('Select token')
    await arrival(() => expect(text()).toContain('1 spam item hidden'))
    expect(text()).toMatch(/USDC Coin.*Unlisted tokens.*Fake DollarCopied name/)
    expect(text()).not.toContain('claim')
    await press('Show')
    expect(text()).toMatch(/Unlisted tokens.*Fake Dollar.*Visit claim-usdc\.comSpam/)
  })

  it('finds by symbol, and shows the number of results', async () => {
    const many = Array.from({ length: 300 }, (_, index) =>
      token(`T${index}`, `0x${(index + 1).toString(16).padStart(40, '0')}`),
    )
    await swap({}, { tokens: [ether, dollar, gem, ...many] })
    await arrival(() => expect(button('Select token')).toBeTruthy())
    await press('Select token')
    await arrival(() => expect(dialog().querySelector('input[type=search]')).not.toBeNull())
    const search = dialog().querySelector<HTMLInputElement>('input[type=search]')
    await act(async () => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(search, 'gem')
      search?.dispatchEvent(new Event('input', { bubbles: true }))
    })
    expect(text()).toContain('1 token')
    await press('GEM Coin')
    await arrival(() => expect(button('GEM').closest('section')?.getAttribute('aria-label')).toBe('You receive'))
  })
})
