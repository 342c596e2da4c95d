// @vitest-environment happy-dom
import type { TokenBalance } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { address, arrival, button, connected, dialog, mount, press, text, title } from '../../boot/testing/mount-app'
import type { BlockchainApi, MoneyHost, TrackedTransaction } from '../../snapshot/money'
import { pictureOf } from '../recipient/testing/picture'
import { noon, testMoney } from '../testing/test-money'

beforeEach(() => vi.setSystemTime(noon))

const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const contract = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const ether: TokenBalance = {
  name: 'Ether',
  symbol: 'ETH',
  chainId: 'eip155:1',
  price: 2_000,
  quantity: { decimals: '18', numeric: '1' },
  iconUrl: '',
}
const dollar: TokenBalance = {
  name: 'Dollar',
  symbol: 'USD',
  chainId: 'eip155:1',
  address: `eip155:1:${contract}`,
  price: 0,
  quantity: { decimals: '6', numeric: '250' },
  iconUrl: '',
}

type Options = {
  readonly answers?: Readonly<Record<string, unknown>>
  readonly api?: Partial<BlockchainApi>
  readonly down?: boolean
}

async function sending({ answers = {}, api = {}, down = false }: Options = {}) {
  const said: Record<string, unknown> = {
    eth_getBalance: '0xde0b6b3a7640000',
    eth_getBlockByNumber: { baseFeePerGas: '0x3b9aca00' },
    eth_maxPriorityFeePerGas: '0x0',
    eth_gasPrice: '0x3b9aca00',
    eth_estimateGas: '0x5208',
    eth_getCode: '0x',
    eth_call: `0x${(250_000_000).toString(16).padStart(64, '0')}`,
    ...answers,
  }
  const transact = vi.fn<MoneyHost['transact']>(() => 'tx')
  const request = down
    ? () => Promise.reject(new Failure('TIMEOUT'))
    : async ({ method, params }: { readonly method: string; readonly params?: unknown }) => {
        // Only the token contract returns decimals.
        if (JSON.stringify(params ?? null).includes('0x313ce567'))
          return JSON.stringify(params).includes(contract) ? `0x${'6'.padStart(64, '0')}` : '0x'
        const answer = said[method]
        if (answer instanceof Error) throw answer
        return answer
      }
  const money = testMoney({
    transact,
    api: { balance: async () => ({ balances: [ether, dollar] }), name: async () => null, ...api },
    client: (networkId) => ({ networkId, rpc: { request }, esplora: { get: async () => null, post: async () => '' } }),
  })
  const app = await mount({ connections: { eip155: connected } }, money)
  await app.open('Send')
  await arrival(() => expect(text()).toContain('Amount'))
  return { ...app, transact, money, said }
}

const fields = () => [...dialog().querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')]

async function type(at: number, value: string) {
  const field = fields()[at]
  if (field === undefined) throw new Error('There is no such field')
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set
  await act(async () => {
    setter?.call(field, value)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

const { navigator } = globalThis
// Only this stub: the others last for the file.
afterEach(() => void vi.stubGlobal('navigator', navigator))

function withCamera(getUserMedia: () => Promise<unknown>) {
  const enumerateDevices = async () => [{ kind: 'videoinput' }]
  vi.stubGlobal('navigator', { ...navigator, mediaDevices: { enumerateDevices, getUserMedia } })
}

const recents = `recentRecipients.eip155.${address.toLowerCase()}`

describe('sending', () => {
  it('offers spam only if the user asks for it, and unlisted tokens in a group', async () => {
    const at = (digit: string) => `eip155:1:0x${digit.repeat(40)}`
    const lure: TokenBalance = { ...dollar, name: 'Visit claim-usdc.com', address: at('1'), listing: 'phishing' }
    const copy: TokenBalance = { ...dollar, name: 'Fake Dollar', address: at('2'), listing: 'copy' }
    await sending({
      api: { balance: async () => ({ balances: [lure, copy, ether, { ...dollar, listing: 'listed' }] }) },
    })
    await press('Ether')
    await arrival(() => expect(title()).toBe('Select token'))
    expect(text()).toMatch(/Dollar.*Unlisted tokens.*Fake DollarCopied name.*1 spam item hidden/)
    expect(text()).not.toContain('claim')
    await press('Show')
    expect(text()).toMatch(/Unlisted tokens.*Fake Dollar.*Visit claim-usdc\.comSpam/)
    await press('Fake Dollar')
    await arrival(() => expect(title()).toBe('Send'))
    expect(text()).toContain('Fake DollarCopied name')
  })

  it('goes from the form through the review to the wallet', async () => {
    const { transact, set } = await sending()
    await type(0, '0.25')
    await type(1, bob)
    await arrival(() => expect(text()).toContain('0.000021 ETH'))
    expect(text()).toContain('$500.00')
    await press('Review')
    await arrival(() => expect(title()).toBe('Review'))
    expect(text()).toContain('−\u202F0.25\u00A0ETH')
    expect(text()).toContain(bob.slice(6, 20))
    await arrival(() => expect(button('Send').getAttribute('aria-disabled')).toBeNull())
    await press('Send')
    await arrival(() => expect(transact).toHaveBeenCalledOnce())
    expect(transact).toHaveBeenCalledWith({
      networkId: 'eip155:1',
      method: 'eth_sendTransaction',
      params: [{ from: address, to: bob, value: '0x3782dace9d90000', data: '0x', chainId: '0x1' }],
      purpose: { kind: 'send', amount: '0.25', symbol: 'ETH', to: bob },
    })
    await arrival(() => expect(title()).toBe('Transaction'))

    // A rejection restores the form; a success empties it.
    const transaction = (status: TrackedTransaction['status']): TrackedTransaction => ({
      id: 'tx',
      networkId: 'eip155:1',
      from: address,
      purpose: { kind: 'send', amount: '0.25', symbol: 'ETH', to: bob },
      at: 0,
      status,
    })
    await set({ transactions: [transaction({ kind: 'declined' })] })
    await press('Try again')
    await arrival(() => expect(title()).toBe('Review'))
    await press('Back')
    await arrival(() => expect(title()).toBe('Send'))
    expect(fields().map(({ value }) => value)).toEqual(['0.25', bob])
  })

  it('shows the progress even if the wallet responds at once, and does not send twice', async () => {
    const { transact, store } = await sending()
    transact.mockImplementation(({ networkId, purpose }) => {
      const status = { kind: 'sent', hash: `0x${'1'.repeat(64)}` } as const
      store.setState({ transactions: [{ id: 'tx', networkId, from: address, purpose, at: 0, status }] })
      return 'tx'
    })
    await type(0, '0.25')
    await type(1, bob)
    await press('Review')
    await arrival(() => expect(button('Send').getAttribute('aria-disabled')).toBeNull())
    await press('Send')
    await arrival(() => expect(title()).toBe('Transaction'))
    expect(transact).toHaveBeenCalledOnce()
  })

  it('does not ask the wallet twice while it is pending, even after a return to the form', async () => {
    const { transact, store } = await sending()
    transact.mockImplementation(({ networkId, purpose }) => {
      const id = `tx${store.getState().transactions.length}`
      const requests = { id, networkId, from: address, purpose, at: 0, status: { kind: 'asking' } } as const
      store.setState({ transactions: [requests, ...store.getState().transactions] })
      return id
    })
    const toProgress = async () => {
      await press('Review')
      await arrival(() => expect(title()).toBe('Review'))
      await arrival(() => expect(button('Send').getAttribute('aria-disabled')).toBeNull())
      await press('Send')
      await arrival(() => expect(title()).toBe('Transaction'))
    }
    const toForm = async () => {
      await press('Back')
      await arrival(() => expect(title()).toBe('Review'))
      await press('Back')
      await arrival(() => expect(title()).toBe('Send'))
    }
    await type(0, '0.25')
    await type(1, bob)
    await toProgress()
    await toForm()
    await toProgress()
    expect(transact).toHaveBeenCalledOnce()
    await toForm()
    await type(0, '0.5')
    await toProgress()
    expect(transact).toHaveBeenCalledTimes(2)
  })

  it('stores a recipient once sent, and not after a rejection', async () => {
    const { transact, store, set, money } = await sending()
    const known = { id: 'tx', networkId: 'eip155:1', from: address, at: 0 } as const
    const purpose = { kind: 'send', amount: '0.25', symbol: 'ETH', to: bob } as const
    transact.mockImplementation(() => {
      store.setState({ transactions: [{ ...known, purpose, status: { kind: 'asking' } }] })
      return known.id
    })
    const ask = async () => {
      await arrival(() => expect(button('Send').getAttribute('aria-disabled')).toBeNull())
      await press('Send')
      await arrival(() => expect(title()).toBe('Transaction'))
    }
    await type(0, '0.25')
    await type(1, bob)
    await press('Review')
    await ask()
    expect(money.kept.get(recents)).toBeNull()
    await set({ transactions: [{ ...known, purpose, status: { kind: 'declined' } }] })
    expect(money.kept.get(recents)).toBeNull()
    await press('Try again')
    await arrival(() => expect(title()).toBe('Review'))
    await ask()
    await set({ transactions: [{ ...known, purpose, status: { kind: 'sent', hash: `0x${'1'.repeat(64)}` } }] })
    expect(money.kept.get(recents)).toContain(bob)
  })

  it.each([
    ['closed', { open: false }],
    ['on another network', { connections: { eip155: { ...connected, networkId: 'eip155:10' as const } } }],
  ])('asks no wallet if it is %s when the chain responds', async (_name, changes) => {
    const { transact, store } = await sending()
    await type(0, '0.25')
    await type(1, bob)
    await press('Review')
    await arrival(() => expect(button('Send').getAttribute('aria-disabled')).toBeNull())
    await act(async () => {
      button('Send').click()
      store.setState(changes)
    })
    expect(transact).not.toHaveBeenCalled()
  })

  it('sends everything except the fee', async () => {
    const { transact } = await sending()
    await type(1, bob)
    await arrival(() => expect(button('Max')).toBeTruthy())
    await press('Max')
    // 1 ETH minus 21,000 gas at twice the base fee of 1 gwei.
    await arrival(() => expect(fields()[0]?.value).toBe('0.999958'))
    await press('Review')
    await arrival(() => expect(button('Send').getAttribute('aria-disabled')).toBeNull())
    await press('Send')
    await arrival(() =>
      expect(transact).toHaveBeenCalledWith(
        expect.objectContaining({
          params: [expect.objectContaining({ value: `0x${(999_958n * 10n ** 12n).toString(16)}` })],
        }),
      ),
    )
  })

  it.each([
    ['one wei', '0x3b9aca01'],
    ['an eighth', '0x430e2340'],
  ])('sends everything except the fee, though the next block costs %s more', async (_name, baseFeePerGas) => {
    const { transact, said } = await sending()
    await type(1, bob)
    await arrival(() => expect(button('Max')).toBeTruthy())
    await press('Max')
    await arrival(() => expect(fields()[0]?.value).toBe('0.999958'))
    said.eth_getBlockByNumber = { baseFeePerGas }
    await press('Review')
    await arrival(() => expect(button('Send').getAttribute('aria-disabled')).toBeNull())
    const price = BigInt(baseFeePerGas)
    await press('Send')
    await arrival(() =>
      expect(transact).toHaveBeenCalledWith(
        expect.objectContaining({
          params: [
            expect.objectContaining({
              value: `0x${(10n ** 18n - 42_000n * price).toString(16)}`,
              gas: '0x5208',
              maxFeePerGas: `0x${(2n * price).toString(16)}`,
              maxPriorityFeePerGas: '0x0',
            }),
          ],
        }),
      ),
    )
  })

  it('sends a token', async () => {
    const { transact } = await sending()
    await press('Ether')
    await arrival(() => expect(title()).toBe('Select token'))
    await press('Dollar')
    await arrival(() => expect(title()).toBe('Send'))
    await type(0, '250')
    await type(1, bob)
    await arrival(() => expect(text()).toContain('Network fee'))
    await press('Review')
    await arrival(() => expect(title()).toBe('Review'))
    await arrival(() => expect(button('Send').getAttribute('aria-disabled')).toBeNull())
    await press('Send')
    await arrival(() =>
      expect(transact).toHaveBeenCalledWith(
        expect.objectContaining({ params: [expect.objectContaining({ to: contract, value: '0x0' })] }),
      ),
    )
  })

  it('leads back to all tokens if a search finds none', async () => {
    const many = Array.from({ length: 8 }, (_, index) => ({
      ...dollar,
      name: `Dollar ${index}`,
      address: `eip155:1:0x${String(index).padStart(40, '0')}`,
    }))
    await sending({ api: { balance: async () => ({ balances: [ether, ...many] }) } })
    await press('Ether')
    await arrival(() => expect(title()).toBe('Select token'))
    // The selection is marked by more than colour (WCAG 1.4.1).
    expect(dialog().querySelector('[aria-current=true] svg')).not.toBeNull()
    await type(0, 'zzz')
    await arrival(() => expect(text()).toContain('No tokens found'))
    await press('Show all tokens')
    await arrival(() => expect(button('Dollar 7')).toBeDefined())
  })

  it('reports missing values with the catalogue’s text, and sends no request (spec §5)', async () => {
    const { transact } = await sending()
    await press('Enter an amount')
    await arrival(() => expect(text()).toContain('An amount and receiver address are required'))
    await type(0, '1,5')
    await arrival(() => expect(text()).toContain('Number is not a valid decimal number'))
    await type(0, '2')
    await arrival(() => expect(text()).toContain('Not enough ETH.'))
    await type(0, '1')
    await arrival(() => expect(text()).toContain('Not enough ETH for the fee.'))
    expect(title()).toBe('Send')
    expect(transact).not.toHaveBeenCalled()
  })

  it('requires the native currency for the fee of a token transfer', async () => {
    await sending({ answers: { eth_getBalance: '0x0' } })
    await press('Ether')
    await arrival(() => expect(title()).toBe('Select token'))
    await press('Dollar')
    await arrival(() => expect(title()).toBe('Send'))
    await type(0, '5')
    await arrival(() => expect(text()).toContain('ETH for the network fee.'))
  })

  it('shows the full address of a name', async () => {
    const profile = {
      name: 'bob.eth',
      registered_at: '',
      addresses: { 60: { address: bob, created: '' } },
      attributes: [],
    }
    await sending({ api: { name: async () => profile } })
    await type(1, 'bob.eth')
    await arrival(() => expect(dialog().querySelector('[role=status] bdi')?.textContent).toBe(bob))
  })

  it('resolves a name again after 5 minutes, and not before', async () => {
    const addresses = { 60: { address: bob, created: '' } }
    const name = vi.fn(async () => ({ name: 'bob.eth', registered_at: '', addresses, attributes: [] }))
    await sending({ api: { name } })
    for (const [later, times] of [
      [0, 1],
      [299_000, 1],
      [330_000, 2],
    ] as const) {
      vi.setSystemTime(noon + later)
      await type(1, '')
      await type(1, 'bob.eth')
      await arrival(() => expect(dialog().querySelector('[role=status] bdi')?.textContent).toBe(bob))
      await arrival(() => expect(name).toHaveBeenCalledTimes(times))
    }
  })

  it('reports an unregistered name', async () => {
    await sending()
    await type(1, 'unknown.eth')
    await arrival(() => expect(text()).toContain('unknown.eth isn’t registered'))
  })

  it('warns of an address that resembles a known one', async () => {
    const { money } = await sending()
    money.kept.set(recents, JSON.stringify([{ address: `0x7099${'0'.repeat(30)}dc79C8` }]))
    await type(1, bob)
    await arrival(() => expect(text()).toContain('Look-alike address.'))
  })

  it('reports that the chain would reject it', async () => {
    await sending({
      answers: { eth_estimateGas: new Failure('INTERNAL', { message: 'execution reverted: paused' }) },
    })
    await type(0, '0.1')
    await type(1, bob)
    await arrival(() => expect(text()).toContain('ETH'))
    await press('Review')
    await arrival(() => expect(text()).toContain('This will likely fail.'))
  })

  it('reports that the network does not respond and nothing was sent', async () => {
    await sending({ down: true })
    await arrival(() => expect(text()).toContain('Can’t reach the network.'))
    expect(text()).toContain('Nothing was sent.')
    expect(button('Try again')).toBeTruthy()
  })

  it('sends nothing after the wallet left the network, and offers to switch back', async () => {
    const { set, actions, transact } = await sending()
    await type(0, '0.25')
    await type(1, bob)
    await arrival(() => expect(text()).toContain('≈'))
    await press('Review')
    await arrival(() => expect(title()).toBe('Review'))
    await set({ connections: { eip155: { ...connected, networkId: 'eip155:10' } } })
    await arrival(() => expect(text()).toContain('Your wallet is no longer on Ethereum.'))
    await press('Switch back')
    expect(actions.switchNetwork).toHaveBeenCalledWith('eip155:1')
    expect(transact).not.toHaveBeenCalled()
    await set({
      connections: { eip155: { ...connected, accounts: [{ namespace: 'eip155', address: bob, type: 'eoa' }] } },
    })
    await arrival(() => expect(text()).toContain('Your wallet switched accounts.'))
  })

  it('clears the amount if its token is no longer listed', async () => {
    let balances = [ether, dollar]
    const { set } = await sending({ api: { balance: async () => ({ balances }) } })
    await press('Ether')
    await arrival(() => expect(title()).toBe('Select token'))
    await press('Dollar')
    await arrival(() => expect(title()).toBe('Send'))
    await type(0, '0.5')
    await type(1, bob)
    balances = [ether]
    await set({ moves: 1 })
    await arrival(() => expect(button('Ether')).toBeDefined())
    expect(fields().map(({ value }) => value)).toEqual(['', bob])
  })

  it('keeps the focus after clearing the recipient or closing the camera', async () => {
    withCamera(() => Promise.reject(new DOMException('no', 'NotAllowedError')))
    await sending()
    await type(1, 'bob')
    await arrival(() => expect(button('Clear recipient')).toBeDefined())
    await press('Clear recipient')
    expect(document.activeElement).toBe(fields()[1])
    await arrival(() => expect(button('Scan a QR code')).toBeDefined())
    await act(async () => {
      button('Scan a QR code').focus()
      button('Scan a QR code').click()
    })
    expect(dialog().contains(document.activeElement)).toBe(true)
    await arrival(() => expect(text()).toContain('Can’t use the camera'))
    await act(async () => {
      button('Cancel').focus()
      button('Cancel').click()
    })
    expect(dialog().contains(document.activeElement)).toBe(true)
  })

  it('offers no camera without one', async () => {
    await sending()
    expect(dialog().querySelector('[aria-label="Scan a QR code"]')).toBeNull()
  })

  it('converts dollars to no more of the token than they are worth', async () => {
    const { transact } = await sending()
    await type(1, bob)
    await press('$0.00')
    await type(0, '500')
    await arrival(() => expect(text()).toContain('0.25 ETH'))
    await press('Review')
    await arrival(() => expect(button('Send').getAttribute('aria-disabled')).toBeNull())
    expect(text()).toContain('−\u202F0.25\u00A0ETH')
    await press('Send')
    await arrival(() =>
      expect(transact).toHaveBeenCalledWith(
        expect.objectContaining({ params: [expect.objectContaining({ value: '0x3782dace9d90000' })] }),
      ),
    )
  })

  it('fills in the recipient of a scanned code', async () => {
    const track = { stop: vi.fn() }
    withCamera(async () => ({ getTracks: () => [track] }))
    const code = pictureOf(`ethereum:${bob}@1?value=1e18`)
    Object.defineProperties(HTMLMediaElement.prototype, {
      play: { configurable: true, value: async () => undefined },
      srcObject: { configurable: true, writable: true, value: null },
    })
    Object.defineProperties(HTMLVideoElement.prototype, {
      videoWidth: { configurable: true, get: () => code.width },
      videoHeight: { configurable: true, get: () => code.height },
    })
    Object.defineProperty(HTMLCanvasElement.prototype, 'getContext', {
      configurable: true,
      value: () => ({ drawImage: () => undefined, getImageData: () => code }),
    })
    await sending()
    await arrival(() => expect(button('Scan a QR code')).toBeTruthy())
    await press('Scan a QR code')
    await arrival(() => expect(fields()[1]?.value).toBe(bob))
    expect(fields()[0]?.value).toBe('')
    expect(track.stop).toHaveBeenCalled()
  })

  it('reports that the camera is blocked, and returns to the form', async () => {
    withCamera(() => Promise.reject(new DOMException('Permission denied', 'NotAllowedError')))
    await sending()
    await type(0, '0.25')
    await arrival(() => expect(button('Scan a QR code')).toBeTruthy())
    await press('Scan a QR code')
    await arrival(() => expect(text()).toContain('Can’t use the camera'))
    await press('Cancel')
    await arrival(() => expect(fields()[0]?.value).toBe('0.25'))
  })
})
