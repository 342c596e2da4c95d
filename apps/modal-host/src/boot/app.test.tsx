// @vitest-environment happy-dom
import { errors, texts } from '@postern/protocol'
import { act } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { createModal, type Modal } from '../snapshot/modal'
import { createSnapshotStore } from '../snapshot/store'
import {
  address,
  arrival,
  button,
  connected,
  dialog,
  directory,
  key,
  lantern,
  mount,
  press,
  text,
  tide,
  title,
} from './testing/mount-app'

describe('the shell', () => {
  it('keeps its rows out of reach while closed', async () => {
    await mount()
    expect(text()).toContain('Lantern')
    expect(dialog().closest('[inert]')).not.toBeNull()
  })

  it('is a dialog labelled by its view’s title, and focuses that title', async () => {
    const { open } = await mount()
    await open()
    expect(dialog().closest('[inert]')).toBeNull()
    expect(title()).toBe('Connect')
    expect(document.activeElement?.textContent).toBe('Connect')
  })

  it('animates no first view of an opening, cold or later: its rows are in the first frame', async () => {
    const entering = () => dialog().querySelector('[data-entering]')?.getAttribute('data-entering')
    const { set } = await mount({ open: true, opening: { key: 1, view: 'Connect' } })
    expect(entering()).toBeUndefined()
    await press('All wallets')
    expect(entering()).toBe('forward')
    await press('Back')
    expect(entering()).toBe('back')
    await set({ open: false })
    await set({ open: true, opening: { key: 2, view: 'Connect' } })
    expect(entering()).toBeUndefined()
  })

  it('asks the host to close on Escape, on a backdrop press and on the close button', async () => {
    const { open, actions } = await mount()
    await open()
    actions.close.mockImplementation(() => undefined)
    await key('Escape')
    await press('Close')
    await act(async () => document.querySelector<HTMLElement>('[aria-hidden=true][tabindex="-1"]')?.click())
    expect(actions.close).toHaveBeenCalledTimes(3)
  })

  it('keeps Tab focus inside', async () => {
    const { open } = await mount()
    await open()
    const stops = [...dialog().querySelectorAll('button')]
    stops.at(-1)?.focus()
    await key('Tab')
    expect(document.activeElement).toBe(stops[0])
    await key('Tab', { shiftKey: true })
    expect(document.activeElement).toBe(stops.at(-1))
  })

  it('moves focus to the title of each new view', async () => {
    const { open } = await mount()
    await open()
    await press('Learn more')
    expect(title()).toBe('What is a wallet?')
    expect(document.activeElement?.textContent).toBe('What is a wallet?')
    await press('Back')
    expect(title()).toBe('Connect')
    expect(document.activeElement?.textContent).toBe('Connect')
  })

  it('links the licences from the view about wallets', async () => {
    const { open } = await mount()
    await open()
    await press('Learn more')
    const link = button('Open-source licences')
    expect([link.getAttribute('href'), link.getAttribute('rel')]).toEqual(['/licences.txt', 'noopener noreferrer'])
  })

  it('shows an alert over the view, and restores the view when it is dismissed', async () => {
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

  it('forgets its alert when it closes: the next opening may succeed', () => {
    const store = createSnapshotStore({ themeMode: 'light', locale: 'en', walletCount: 0, isTopLevel: false })
    const modal = createModal(store)
    modal.open('Connect')
    modal.alert('IFRAME_LOAD_FAILED')
    modal.close()
    expect(store.getState().alert).toBeNull()
  })

  it('explains the page when it is not embedded', async () => {
    await mount({ topLevel: true })
    expect(document.querySelector('[role=dialog]')).toBeNull()
    await arrival(() =>
      expect(document.querySelector('main')?.textContent).toContain('This page only works inside an app'),
    )
  })

  it('uses the page’s language', async () => {
    const { open, set } = await mount()
    await open()
    await set({ locale: 'de-AT' })
    await arrival(() => expect(title()).toBe('Verbinden'))
    expect(document.documentElement.lang).toBe('de')
    await set({ locale: 'zh-TW' })
    await arrival(() => expect(title()).toBe('連接'))
    expect(document.documentElement.lang).toBe('zh-Hant')
  })

  it('translates failures and alerts, and shows a service’s own message untranslated', async () => {
    const { set } = await mount({ open: true, locale: 'de' })
    await arrival(() => expect(title()).toBe('Verbinden'))
    const modal = (tell: (modal: Modal) => void) => {
      const told = createSnapshotStore({ themeMode: 'light', locale: 'de', walletCount: 0, isTopLevel: false })
      tell(createModal(told))
      const { snackbar, alert } = told.getState()
      return { snackbar, alert }
    }
    await set(modal(({ notifyFailure }) => notifyFailure('SIWX_INIT_FAILED')))
    await arrival(() => expect(text()).toContain('Beim Start der Anmeldung ist ein Problem aufgetreten'))
    await set(modal(({ notify }) => notify(texts.authenticating, 'neutral', 'text.authenticating')))
    await arrival(() => expect(text()).toContain('Authentifizierung …'))
    await set(modal(({ notifyFailure }) => notifyFailure('HTTP_STATUS', 'Der Name ist vergeben')))
    await arrival(() => expect(text()).toContain('Der Name ist vergeben'))
    await set(modal(({ alert }) => alert('ORIGIN_NOT_ALLOWED', { origin: 'https://a.example' })))
    const box = document.querySelector('[role=alertdialog]')?.textContent
    expect(box).toContain('Invalid App Configuration')
    expect(box).toContain('https://a.example ist für dieses Projekt nicht freigegeben')
  })

  it('translates why a wallet did not switch', async () => {
    const connections = { eip155: { ...connected, networkId: 'eip155:5', unsupported: true } } as const
    const { open } = await mount({
      locale: 'de',
      connections,
      switchAttempt: {
        networkId: 'eip155:1',
        status: { kind: 'failed', code: 'CHAIN_NOT_SUPPORTED', message: 'Chain is not supported' },
      },
    })
    await open('UnsupportedChain')
    await arrival(() => expect(text()).toContain('Das Netzwerk wird nicht unterstützt'))
  })

  const unexpected = 'Unerwartete Antwort. Aktualisieren Sie die Wallet und versuchen Sie es erneut.'
  it.each([
    ['INTERNAL', 'No credible fee', 'Interner Fehler: “No credible fee”'],
    ['INVALID_PARAMS', 'The next nonce is 5', 'Ungültige Parameter der Methode: “The next nonce is 5”'],
    ['INTERNAL', errors.INTERNAL.message, unexpected],
    ['INTERNAL', '', unexpected],
    ['LOAD_FAILED', errors.LOAD_FAILED.message, 'Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.'],
    ['USER_REJECTED', 'User denied', 'Die Anfrage wurde abgelehnt'],
  ] as const)(
    'adds a failure’s own message only if it says more than the code: %s, %j',
    async (code, message, words) => {
      const { open } = await mount({
        locale: 'de',
        connectAttempt: { row: lantern, via: 'page', status: { kind: 'failed', code, message }, retryAt: 0 },
      })
      await open('ConnectingExternal')
      await arrival(() => expect([...dialog().querySelectorAll('p')].map((one) => one.textContent)).toContain(words))
    },
  )
})

it.each([
  ['INTERNAL', 'Contact support at http://evil.example/ now', 'Internal error: “Contact support at … now”'],
  ['UNKNOWN', 'Go to evil.example, or www.evil', `${errors.UNKNOWN.message}: “Go to …, or …”`],
  ['UNKNOWN', 'fee 0.5 too low\u202e', `${errors.UNKNOWN.message}: “fee 0.5 too low”`],
  ['UNAUTHORIZED', 'Call +1 555 to unlock', errors.UNAUTHORIZED.message],
] as const)('never speaks a wallet’s words as its own (%s, %s)', async (code, message, words) => {
  const { open } = await mount({
    connectAttempt: { row: lantern, via: 'page', status: { kind: 'failed', code, message }, retryAt: 0 },
  })
  await open('ConnectingExternal')
  await arrival(() => expect([...dialog().querySelectorAll('p')].map((one) => one.textContent)).toContain(words))
})

describe('Connect', () => {
  it('connects the pressed wallet, and Back cancels', async () => {
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

  it('moves through its rows with the arrow keys', async () => {
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

  it('suggests wallets to install if none is installed', async () => {
    const { open } = await mount({ wallets: [tide] })
    await open()
    expect(text()).toContain('No wallet found in this browser')
    expect(text()).toContain('Install one of these')
  })
})

describe('ConnectingExternal', () => {
  it('offers a retry only after the retry delay (spec §9)', async () => {
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

  it('Back goes to Connect when the modal opened with an attempt', async () => {
    const { open, set, actions } = await mount()
    await set({ connectAttempt: { row: lantern, via: 'page', status: { kind: 'declined' }, retryAt: 0 } })
    await open('ConnectingExternal')
    expect(text()).toContain('Request declined')
    await press('Back')
    expect(actions.cancelConnect).toHaveBeenCalledOnce()
    expect(title()).toBe('Connect')
  })

  it('says what to do about a wallet whose answer cannot be read (spec §2)', async () => {
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
    expect(text()).toContain('Couldn’t connect to Lantern')
    expect(text()).toContain('Unexpected answer. Update the wallet, then try again.')
  })
})

describe('Account', () => {
  it('shows the name, balance and network, and exposes the full address (spec §2)', async () => {
    const { open } = await mount({ connections: { eip155: connected } })
    await open('Account')
    expect(title()).toBe('Account')
    expect(text()).toContain('0xd8…A96045')
    expect(text()).toContain(`Address ${address}`)
    await arrival(() => expect(text()).toContain('1.250'))
    const link = button('View on Etherscan')
    expect(link.getAttribute('href')).toBe(`https://etherscan.example/address/${address}`)
    expect(link.getAttribute('rel')).toContain('noopener')
  })

  it('disconnects after a confirmation, and goes to Connect', async () => {
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
  it('renders at most 60 rows of a thousand wallets', async () => {
    const { open } = await mount()
    await open('AllWallets')
    await arrival(() => expect(text()).toContain('Wallet 0'))
    const rows = dialog().querySelectorAll('li')
    expect(rows.length).toBeGreaterThan(5)
    expect(rows.length).toBeLessThanOrEqual(60)
  })

  it('lists the installed wallets first', async () => {
    const { open } = await mount()
    await open('AllWallets')
    await arrival(() => expect(text()).toContain('Wallet 0'))
    expect(dialog().querySelector('li')?.textContent).toContain('Lantern')
  })

  it('filters loaded wallets at once, and queries the directory when typing pauses (spec §2)', async () => {
    const { open, wallets } = await mount()
    await open('AllWallets')
    await arrival(() => expect(text()).toContain('Wallet 0'))
    const field = dialog().querySelector('input')
    await act(async () => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, 'Wallet 77')
      field?.dispatchEvent(new Event('input', { bubbles: true }))
    })
    expect(wallets).not.toHaveBeenCalledWith(expect.objectContaining({ search: 'Wallet 77' }), expect.anything())
    await arrival(() => expect(text()).toContain('Wallet 777'))
    expect(wallets).toHaveBeenCalledWith({ search: 'Wallet 77' }, expect.anything())
    expect(dialog().querySelectorAll('li')).toHaveLength(11)
  })

  it('offers only certified wallets where the directory knows some (spec §7)', async () => {
    const { open, wallets } = await mount()
    const [first, second, ...others] = directory.slice(0, 4)
    if (first === undefined || second === undefined) throw new Error('Too few wallets')
    const entries = [{ ...first, badge_type: 'certified' as const }, second, ...others]
    wallets.mockImplementation(async ({ certified }) => {
      const found = certified ? entries.filter(({ badge_type }) => badge_type === 'certified') : entries
      return { wallets: found, count: found.length }
    })
    await open('AllWallets')
    await arrival(() => expect(text()).toContain('Wallet 3'))
    await act(async () => dialog().querySelector<HTMLInputElement>('input[type=checkbox]')?.click())
    await arrival(() => expect(wallets).toHaveBeenCalledWith({ page: 1, certified: true }, expect.anything()))
    await arrival(() => expect(dialog().querySelectorAll('li')).toHaveLength(1))
    expect(dialog().querySelector('li')?.textContent).toContain('Wallet 0Certified')
  })

  it('offers no such choice where none is certified', async () => {
    const { open } = await mount()
    await open('AllWallets')
    await arrival(() => expect(text()).toContain('Wallet 0'))
    expect(dialog().querySelector('input[type=checkbox]')).toBeNull()
  })

  it('leads to email and social accounts where the modal opens with it (spec §2)', async () => {
    const { open, set } = await mount({ connectMethods: ['email', 'social', 'wallet'] })
    await open('AllWallets')
    await arrival(() => expect(text()).toContain('Wallet 0'))
    expect(text()).not.toContain('Social account')
    for (const [email, socials, words] of [
      [true, ['google'], 'Email or social account'],
      [false, ['google'], 'Social account'],
      [true, [], 'Email'],
    ] as const) {
      await set({ signInMethods: { email, socials: [...socials], farcaster: false } })
      expect(button(words)).toBeDefined()
    }
    await press('Email')
    expect(title()).toBe('Connect')
    await press('All wallets')
    expect(text()).not.toContain('Email')
  })

  it('reports a list that failed to load, and retries', async () => {
    const { open, wallets } = await mount({ wallets: [tide] })
    wallets.mockRejectedValue(new Error('HTTP status code: 503'))
    await open('AllWallets')
    await arrival(() => expect(text()).toContain('Couldn’t load wallets'))
    wallets.mockResolvedValue({ wallets: directory.slice(0, 3), count: 3 })
    await press('Try again')
    await arrival(() => expect(text()).toContain('Wallet 2'))
  })
})
