// @vitest-environment happy-dom
import type { Connection, WalletEntry } from '@postern/protocol'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { createText } from '../locales/text'
import type { Host, HostActions, HostSnapshot, WalletRow } from '../session/contract'
import { App } from './app'
import { prefetchViews } from './views'

const lantern: WalletRow = {
  id: 'example.lantern',
  name: 'Lantern',
  group: 'injected',
  connectors: [{ connectorId: '1', namespace: 'eip155' }],
}
const tide: WalletRow = { id: 'tide', name: 'Tide', group: 'recommended', connectors: [] }
const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const connected: Connection = {
  status: 'connected',
  connector: { id: 'example.lantern', name: 'Lantern', type: 'ANNOUNCED' },
  accounts: [{ namespace: 'eip155', address, type: 'eoa' }],
  networkId: 'eip155:1',
}

const initial: HostSnapshot = {
  ready: true,
  open: false,
  opening: { key: 0, view: 'Connect' },
  wantedNamespace: null,
  namespaces: ['eip155'],
  connectMethods: ['wallet'],
  relay: 'unused',
  refusedCloses: 0,
  themeMode: 'light',
  theme: {},
  locale: 'en',
  metadata: null,
  networks: [
    {
      id: 1,
      name: 'Ethereum',
      chainNamespace: 'eip155',
      caipNetworkId: 'eip155:1',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: ['https://rpc.example'],
      blockExplorers: [{ name: 'Etherscan', url: 'https://etherscan.example/' }],
      testnet: false,
    },
  ],
  activeNetworkId: 'eip155:1',
  connections: {},
  wallets: [lantern, tide],
  directoryCount: 1_000,
  connectAttempt: null,
  switchAttempt: null,
  nativeBalance: { kind: 'ready', formatted: '1.250', symbol: 'ETH' },
  snackbar: null,
  alert: null,
}

const directory: readonly WalletEntry[] = Array.from({ length: 1_000 }, (_, index) => ({
  id: `w${index}`,
  name: `Wallet ${index}`,
}))

let unmount = () => {}
afterEach(() => unmount())

beforeAll(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  // happy-dom has no layout: the list is told how high it is.
  Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, get: () => 432 })
  Object.defineProperty(HTMLElement.prototype, 'clientWidth', { configurable: true, get: () => 328 })
  await prefetchViews()
})

async function mount(changes: Partial<HostSnapshot> = {}) {
  const store = createStore<HostSnapshot>(() => ({ ...initial, ...changes }))
  const actions = {
    close: vi.fn<HostActions['close']>(() => store.setState({ open: false })),
    connect: vi.fn<HostActions['connect']>((row) =>
      store.setState({ connectAttempt: { row, via: 'page', status: { kind: 'waiting' }, retryAt: 0 } }),
    ),
    connectEntry: vi.fn<HostActions['connectEntry']>(),
    openWalletLink: vi.fn<HostActions['openWalletLink']>(),
    preparePairing: vi.fn<HostActions['preparePairing']>(),
    activate: vi.fn<HostActions['activate']>(),
    want: vi.fn<HostActions['want']>((wantedNamespace) => store.setState({ wantedNamespace })),
    retryConnect: vi.fn<HostActions['retryConnect']>(),
    cancelConnect: vi.fn<HostActions['cancelConnect']>(() => store.setState({ connectAttempt: null })),
    disconnect: vi.fn<HostActions['disconnect']>(async () => store.setState({ connections: {} })),
    switchNetwork: vi.fn<HostActions['switchNetwork']>(async () => undefined),
    refreshBalance: vi.fn<HostActions['refreshBalance']>(),
    notify: vi.fn<HostActions['notify']>(),
    dismissAlert: vi.fn<HostActions['dismissAlert']>(() => store.setState({ alert: null })),
  }
  const wallets = vi.fn<Host['directory']['wallets']>(async ({ page = 1, search }) => {
    const found = directory.filter(({ name }) => name.includes(search ?? ''))
    return {
      wallets: search === undefined ? found.slice((page - 1) * 40, page * 40) : found.slice(0, 100),
      count: found.length,
    }
  })
  const host: Host = { store, actions, directory: { wallets, imageUrl: () => undefined } }
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  await act(async () => root.render(<App host={host} text={createText()} root={document.documentElement} />))
  unmount = () => {
    act(() => root.unmount())
    place.remove()
  }
  const set = (next: Partial<HostSnapshot>) => act(async () => store.setState(next))
  const open = (view: HostSnapshot['opening']['view'] = 'Connect') => set({ open: true, opening: { key: 1, view } })
  return { store, actions, wallets, set, open }
}

/** Waits for what comes by itself: React then works as in a page, without being told when. */
async function arrival(check: () => void, timeout = 3_000): Promise<void> {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  try {
    await vi.waitFor(check, { timeout })
  } finally {
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  }
}

function dialog(): HTMLElement {
  const found = document.querySelector<HTMLElement>('[role=dialog]')
  if (found === null) throw new Error('There is no dialog')
  return found
}

const title = () => document.getElementById(dialog().getAttribute('aria-labelledby') ?? '')?.textContent
const text = () => dialog().textContent ?? ''

function button(name: string): HTMLElement {
  const all = [...dialog().querySelectorAll<HTMLElement>('button, a')]
  const found = all.find((one) => (one.getAttribute('aria-label') ?? one.textContent ?? '').startsWith(name))
  if (found === undefined)
    throw new Error(`There is no button '${name}' among: ${all.map((one) => one.textContent).join(' | ')}`)
  return found
}

const press = (name: string) => act(async () => button(name).click())
const key = (name: string, options: KeyboardEventInit = {}) =>
  act(async () => {
    const target = document.activeElement ?? document.body
    target.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true, ...options }))
  })

describe('the shell', () => {
  it('holds its rows while closed, out of reach', async () => {
    await mount()
    expect(text()).toContain('Lantern')
    expect(dialog().closest('[inert]')).not.toBeNull()
  })

  it('is a dialog named by its view, with the focus on that name', async () => {
    const { open } = await mount()
    await open()
    expect(dialog().closest('[inert]')).toBeNull()
    expect(title()).toBe('Connect')
    expect(document.activeElement?.textContent).toBe('Connect')
  })

  it('asks the host to close on Escape, on the backdrop and by its button', async () => {
    const { open, actions } = await mount()
    await open()
    actions.close.mockImplementation(() => undefined)
    await key('Escape')
    await press('Close')
    await act(async () => document.querySelector<HTMLElement>('[aria-hidden=true][tabindex="-1"]')?.click())
    expect(actions.close).toHaveBeenCalledTimes(3)
  })

  it('keeps Tab inside', async () => {
    const { open } = await mount()
    await open()
    const stops = [...dialog().querySelectorAll('button')]
    stops.at(-1)?.focus()
    await key('Tab')
    expect(document.activeElement).toBe(stops[0])
    await key('Tab', { shiftKey: true })
    expect(document.activeElement).toBe(stops.at(-1))
  })

  it('moves the focus to the name of each new view', async () => {
    const { open } = await mount()
    await open()
    await press('Learn more')
    expect(title()).toBe('What is a wallet?')
    expect(document.activeElement?.textContent).toBe('What is a wallet?')
    await press('Back')
    expect(title()).toBe('Connect')
  })

  it('shows an alert over the view, and gives the view back when it is dismissed', async () => {
    const { open, set, actions } = await mount()
    await open()
    await set({
      alert: { code: 'ORIGIN_NOT_ALLOWED', title: 'Invalid App Configuration', text: 'Add https://a.example' },
    })
    expect(document.querySelector('[role=alertdialog]')?.textContent).toContain('Add https://a.example')
    expect(button('Lantern').closest('[inert]')).not.toBeNull()
    await press('Dismiss')
    expect(actions.dismissAlert).toHaveBeenCalledOnce()
    expect(button('Lantern').closest('[inert]')).toBeNull()
  })

  it('says what the page is for when nothing embeds it', async () => {
    await mount({ topLevel: true })
    expect(document.querySelector('[role=dialog]')).toBeNull()
    expect(document.querySelector('main')?.textContent).toContain('This page connects wallets to apps')
  })

  it('speaks the language of the page', async () => {
    const { open, set } = await mount()
    await open()
    await set({ locale: 'de-AT' })
    await arrival(() => expect(title()).toBe('Verbinden'))
    expect(document.documentElement.lang).toBe('de')
  })
})

describe('Connect', () => {
  it('connects the wallet that is pressed, and takes the way back as a cancel', async () => {
    const { open, actions } = await mount()
    await open()
    await press('Lantern')
    expect(actions.connect).toHaveBeenCalledWith(lantern)
    expect(title()).toBe('Lantern')
    expect(text()).toContain('Continue in Lantern')
    await press('Back')
    expect(actions.cancelConnect).toHaveBeenCalledOnce()
    expect(title()).toBe('Connect')
  })

  it('walks through its rows by the arrow keys', async () => {
    const { open } = await mount()
    await open()
    button('Lantern').focus()
    await key('ArrowDown')
    expect(document.activeElement).toBe(button('Tide'))
    await key('End')
    expect(document.activeElement).toBe(button('All wallets'))
    await key('Home')
    expect(document.activeElement).toBe(button('Lantern'))
  })

  it('says what to do where no wallet is installed', async () => {
    const { open } = await mount({ wallets: [tide] })
    await open()
    expect(text()).toContain('No wallet found in this browser')
    expect(text()).toContain('Install one of these')
  })
})

describe('ConnectingExternal', () => {
  it('offers another try only once it is allowed', async () => {
    vi.useFakeTimers({ now: 10_000, toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    try {
      const { open, set, actions } = await mount()
      await open()
      await press('Lantern')
      await set({ connectAttempt: { row: lantern, via: 'page', status: { kind: 'declined' }, retryAt: 11_000 } })
      expect(text()).toContain('Request declined')
      await press('Try again')
      expect(actions.retryConnect).not.toHaveBeenCalled()
      await act(() => vi.advanceTimersByTimeAsync(1_000))
      await press('Try again')
      expect(actions.retryConnect).toHaveBeenCalledOnce()
    } finally {
      vi.useRealTimers()
    }
  })

  it('says a failure in its own words', async () => {
    const { open, set } = await mount()
    await open()
    await press('Lantern')
    await set({
      connectAttempt: {
        row: lantern,
        via: 'page',
        status: { kind: 'failed', code: 'INTERNAL', message: 'Internal error' },
        retryAt: 0,
      },
    })
    expect(text()).toContain('Lantern did not connect')
    expect(text()).toContain('Internal error')
  })
})

describe('Account', () => {
  it('shows who, how much and where, and says the whole address', async () => {
    const { open } = await mount({ connections: { eip155: connected } })
    await open('Account')
    expect(title()).toBe('Account')
    expect(text()).toContain('0xd8…A96045')
    expect(text()).toContain(`Address ${address}`)
    expect(text()).toContain('1.250')
    const link = button('View on Etherscan')
    expect(link.getAttribute('href')).toBe(`https://etherscan.example/address/${address}`)
    expect(link.getAttribute('rel')).toContain('noopener')
  })

  it('disconnects after one more question, and leads to Connect', async () => {
    const { open, actions } = await mount({ connections: { eip155: connected } })
    await open('Account')
    await press('Disconnect')
    expect(actions.disconnect).not.toHaveBeenCalled()
    expect(document.activeElement?.textContent).toBe('Stay connected')
    await press('Disconnect')
    expect(actions.disconnect).toHaveBeenCalledWith('eip155')
    expect(title()).toBe('Connect')
  })
})

describe('AllWallets', () => {
  it('keeps no more than 60 rows of a thousand wallets in the document', async () => {
    const { open } = await mount()
    await open('AllWallets')
    await arrival(() => expect(text()).toContain('Wallet 0'))
    const rows = dialog().querySelectorAll('li')
    expect(rows.length).toBeGreaterThan(5)
    expect(rows.length).toBeLessThanOrEqual(60)
  })

  it('shows the installed wallets first', async () => {
    const { open } = await mount()
    await open('AllWallets')
    await arrival(() => expect(text()).toContain('Wallet 0'))
    expect(dialog().querySelector('li')?.textContent).toContain('Lantern')
  })

  it('filters what it knows at once, and asks the directory once typing has rested', async () => {
    const { open, wallets } = await mount()
    await open('AllWallets')
    await arrival(() => expect(text()).toContain('Wallet 0'))
    const field = dialog().querySelector('input')
    await act(async () => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, 'Wallet 77')
      field?.dispatchEvent(new Event('input', { bubbles: true }))
    })
    expect(wallets).not.toHaveBeenCalledWith(expect.objectContaining({ search: 'Wallet 77' }), expect.anything())
    await arrival(() => expect(text()).toContain('Wallet 777'), 3_000)
    expect(wallets).toHaveBeenCalledWith({ search: 'Wallet 77' }, expect.anything())
    expect(dialog().querySelectorAll('li')).toHaveLength(11)
  })

  it('says that the list did not load, and asks again', async () => {
    const { open, wallets } = await mount({ wallets: [tide] })
    wallets.mockRejectedValue(new Error('HTTP status code: 503'))
    await open('AllWallets')
    await arrival(() => expect(text()).toContain('The list of wallets did not load'), 5_000)
    wallets.mockResolvedValue({ wallets: directory.slice(0, 3), count: 3 })
    await press('Try again')
    await arrival(() => expect(text()).toContain('Wallet 2'))
  })
})
