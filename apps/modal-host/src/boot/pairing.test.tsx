// @vitest-environment happy-dom
import type { WalletEntry } from '@postern/protocol'
import { act } from 'react'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ConnectAttempt, HostSnapshot, WalletRow } from '../snapshot/contract'
import { appOpenTimeoutMs } from '../views/ConnectingWalletConnect/use-not-opened'
import { arrival, button, dialog, key, lantern, mount, press, text, title } from './testing/mount-app'

const uri = `wc:${'a1'.repeat(32)}@2?relay-protocol=irn&symKey=${'b2'.repeat(32)}`
const ready = { kind: 'ready', uri, expiresAt: 1_790_000_000_000 } as const
const entry: WalletEntry = {
  id: 'juniper',
  name: 'Juniper',
  homepage: 'https://juniper.example',
  mobile_link: 'juniper://',
  desktop_link: 'juniper-desktop://',
}
const juniper: WalletRow = {
  id: 'juniper',
  name: 'Juniper',
  group: 'recommended',
  connectors: [],
  walletConnect: true,
  entry,
}
const anyWallet: WalletRow = {
  id: 'walletConnect',
  name: 'WalletConnect',
  group: 'walletConnect',
  connectors: [],
  walletConnect: true,
}
const phone = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140 Mobile Safari/537.36'

afterEach(() => vi.restoreAllMocks())

const onPhone = () => vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(phone)
const code = () => dialog().querySelector('[role=img]')?.getAttribute('aria-label')

function waiting(row: WalletRow, more: Partial<ConnectAttempt> = {}): Pick<HostSnapshot, 'connectAttempt'> {
  return {
    connectAttempt: { row, via: 'walletConnect', status: { kind: 'waiting' }, pairing: ready, retryAt: 0, ...more },
  }
}

async function choose(row: WalletRow) {
  const app = await mount({ wallets: [anyWallet, juniper, lantern] })
  await app.open()
  await press(row.name)
  return app
}

describe('Connect with WalletConnect', () => {
  it('prepares a pairing when a row gets focus, and after the rows were visible for a moment', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { actions, open } = await mount({ wallets: [anyWallet, juniper, lantern] })
      expect(actions.preparePairing).not.toHaveBeenCalled()
      await open()
      await act(async () => button('Lantern').focus())
      expect(actions.preparePairing).not.toHaveBeenCalled()
      await act(async () => button('Juniper').focus())
      expect(actions.preparePairing).toHaveBeenCalledOnce()
      await act(() => vi.advanceTimersByTimeAsync(500))
      expect(actions.preparePairing).toHaveBeenCalledTimes(2)
    } finally {
      vi.useRealTimers()
    }
  })

  it('prepares none if no wallet needs it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { actions, open } = await mount({ wallets: [lantern] })
      await open()
      await act(() => vi.advanceTimersByTimeAsync(5_000))
      expect(actions.preparePairing).not.toHaveBeenCalled()
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('ConnectingWalletConnect', () => {
  it('shows a QR placeholder, then the code; Back cancels', async () => {
    const { set, actions } = await choose(juniper)
    expect(title()).toBe('Juniper')
    expect(dialog().querySelector('[aria-busy=true]')?.textContent).toContain('Preparing the connection')
    expect(button('Copy link').getAttribute('aria-disabled')).toBe('true')
    await set(waiting(juniper))
    expect(code()).toBe('QR code to connect Juniper')
    expect(text()).toContain('Scan with your phone’s camera or wallet')
    await press('Back')
    expect(actions.cancelConnect).toHaveBeenCalledOnce()
    expect(title()).toBe('Connect')
  })

  it('copies the link and confirms it', async () => {
    const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    const { set } = await choose(juniper)
    await press('Copy link')
    expect(written).not.toHaveBeenCalled()
    await set(waiting(juniper))
    await press('Copy link')
    expect(written).toHaveBeenCalledExactlyOnceWith(uri)
    expect(button('Link copied')).toBeDefined()
    expect([...dialog().querySelectorAll('[role=status]')].map((status) => status.textContent)).toContain('Link copied')
  })

  it('switches between the wallet’s links with the arrow keys, with a single Tab stop', async () => {
    const { set, actions } = await choose(juniper)
    await set(waiting(juniper))
    const tabs = [...dialog().querySelectorAll<HTMLElement>('[role=tab]')]
    expect(tabs.map((tab) => [tab.textContent, tab.tabIndex])).toEqual([
      ['Mobile', 0],
      ['Desktop', -1],
    ])
    tabs[0]?.focus()
    await key('ArrowRight')
    expect(document.activeElement).toBe(tabs[1])
    expect(tabs.map((tab) => tab.getAttribute('aria-selected'))).toEqual(['false', 'true'])
    expect(dialog().querySelector('[role=tabpanel]')?.getAttribute('aria-labelledby')).toBe(tabs[1]?.id)
    await press('Open desktop app')
    expect(actions.openWalletLink).toHaveBeenCalledExactlyOnceWith('desktop')
  })

  it('on a phone, opens the app only on a press, and only when there is a pairing', async () => {
    onPhone()
    const { set, actions } = await choose(juniper)
    await press('Open Juniper')
    expect(actions.openWalletLink).not.toHaveBeenCalled()
    await set(waiting(juniper))
    expect(code()).toBeUndefined()
    expect(dialog().querySelector('[role=tablist]')).toBeNull()
    await press('Open Juniper')
    expect(actions.openWalletLink).toHaveBeenCalledExactlyOnceWith('mobile')
    expect(button('Get Juniper').getAttribute('href')).toBe('https://juniper.example')
  })

  describe('after Open on a phone', () => {
    const wait = (delayMs: number) => act(() => vi.advanceTimersByTimeAsync(delayMs))

    async function pressed() {
      onPhone()
      vi.spyOn(document, 'hasFocus').mockReturnValue(true)
      const { set } = await choose(juniper)
      await set(waiting(juniper))
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      onTestFinished(() => void vi.useRealTimers())
      await press('Open Juniper')
    }

    it('asks after 2 s whether nothing opened, with Copy link and Get, until the next press', async () => {
      await pressed()
      await wait(appOpenTimeoutMs - 1)
      expect(text()).not.toContain('Didn’t open?')
      await wait(1)
      expect(text()).toContain('Didn’t open?')
      expect([button('Copy link'), button('Get Juniper')]).toHaveLength(2)
      await press('Open Juniper')
      expect(text()).not.toContain('Didn’t open?')
      await wait(appOpenTimeoutMs)
      expect(text()).toContain('Didn’t open?')
    })

    it('does not ask once the app has covered the page', async () => {
      await pressed()
      const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
      document.dispatchEvent(new Event('visibilitychange'))
      visibility.mockReturnValue('visible')
      document.dispatchEvent(new Event('visibilitychange'))
      await wait(appOpenTimeoutMs)
      expect(text()).not.toContain('Didn’t open?')
    })
  })

  it('shows a lost relay connection, and clears it on reconnect', async () => {
    const { set } = await choose(juniper)
    await set({ ...waiting(juniper), relay: 'lost' })
    expect(text()).toContain('Connection lost. Reconnecting…')
    expect(code()).toBe('QR code to connect Juniper')
    await set({ relay: 'connected' })
    expect(text()).not.toContain('Reconnecting')
  })

  it.each([
    ['declined', 'Request declined'],
    ['expired', 'Request timed out'],
  ] as const)('reports that it was %s, and retries', async (kind, words) => {
    const { set, actions } = await choose(juniper)
    await set(waiting(juniper))
    await act(async () => button('Copy link').focus())
    await set(waiting(juniper, { status: { kind } }))
    expect(text()).toContain(words)
    expect(dialog().contains(document.activeElement)).toBe(true)
    await press('Try again')
    expect(actions.retryConnect).toHaveBeenCalledOnce()
  })

  it('shows where to get the wallet, and keeps the attempt alive', async () => {
    const stores: WalletRow = { ...juniper, entry: { ...entry, app_store: 'https://apple.example/juniper' } }
    const { set, actions } = await mountAndChoose(stores)
    await set(waiting(stores))
    await press('Get Juniper')
    expect(title()).toBe('Get Juniper')
    expect(button('App Store').getAttribute('href')).toBe('https://apple.example/juniper')
    await press('Back')
    expect(actions.cancelConnect).not.toHaveBeenCalled()
    expect(code()).toBe('QR code to connect Juniper')
  })

  it('starts with a wallet that only the directory lists', async () => {
    const { open, actions, wallets } = await mount({ wallets: [anyWallet] })
    wallets.mockResolvedValue({ wallets: [entry], count: 1 })
    await open('AllWallets')
    await arrival(() => expect(text()).toContain('Juniper'))
    await press('Juniper')
    expect(actions.connectEntry).toHaveBeenCalledExactlyOnceWith(entry)
    expect(title()).toBe('Juniper')
    expect(dialog().querySelector('[role=tablist]')).not.toBeNull()
  })
})

async function mountAndChoose(row: WalletRow) {
  const app = await mount({ wallets: [row] })
  await app.open()
  await press(row.name)
  return app
}

describe('ConnectingWalletConnectBasic', () => {
  it('shows a QR code for any wallet', async () => {
    const { set } = await choose(anyWallet)
    await set(waiting(anyWallet))
    expect(title()).toBe('WalletConnect')
    expect(code()).toBe('QR code to connect WalletConnect')
  })

  it('on a phone, lists wallets that may be installed, and Back goes to Connect', async () => {
    onPhone()
    const { set, actions } = await choose(anyWallet)
    await set(waiting(anyWallet))
    expect(code()).toBeUndefined()
    expect(button('All wallets')).toBeDefined()
    await press('Juniper')
    expect(actions.connect).toHaveBeenLastCalledWith(juniper)
    expect(title()).toBe('Juniper')
    await press('Back')
    expect(title()).toBe('Connect')
  })

  it('on a phone, still shows the QR code for a wallet on another device', async () => {
    onPhone()
    const { set } = await choose(anyWallet)
    await set(waiting(anyWallet))
    await press('Use a wallet on another device')
    expect(code()).toBe('QR code to connect WalletConnect')
  })
})

describe('WalletRequest', () => {
  it('names the wallet that is asked, says that the relay is lost, and cancels', async () => {
    const { open, set, actions } = await mount({
      walletRequests: [
        { id: '1', name: 'Lantern' },
        { id: '2', name: 'Tide' },
      ],
    })
    await open('WalletRequest')
    expect(title()).toBe('Lantern')
    expect(text()).toContain('Confirm in Lantern')
    expect(text()).toContain('1 of 2')
    await set({ relay: 'lost' })
    expect(text()).toContain('Connection lost. Reconnecting…')
    await press('Cancel')
    expect(actions.cancelWalletRequest).toHaveBeenCalledExactlyOnceWith('1')
    await set({ walletRequests: [{ id: '2', name: 'Tide' }] })
    expect(title()).toBe('Tide')
    expect(text()).toContain('Confirm in Tide')
  })

  it('says that the wallet still shows a payment after Cancel, and is closed', async () => {
    const left = { id: '1', name: 'Lantern', isLeft: true }
    const { open, set, actions } = await mount({ walletRequests: [{ id: '2', name: 'Tide' }, left] })
    await open('WalletRequest')
    expect(text()).toContain('Confirm in Tide')
    expect(text()).not.toContain('1 of')
    await set({ walletRequests: [left] })
    expect(text()).toContain('Decline it in Lantern too')
    expect(text()).not.toContain('Confirm in')
    await press('Done')
    expect(actions.cancelWalletRequest).toHaveBeenCalledExactlyOnceWith('1')
  })
})
