// @vitest-environment happy-dom
import { type Account, type Connection, errors } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { approvalRequest } from '@postern/protocol/testing/approval-request'
import { act } from 'react'
import { describe, expect, it, vi } from 'vitest'
import type { Approval, HostSnapshot, SignIn } from '../snapshot/contract'
import { embeddedConnector, embeddedUser, walletSecurity } from '../testing/snapshot'
import { address, button, connected, dialog, lantern, mount, press, text, tide, title } from './testing/mount-app'

const offered: Pick<HostSnapshot, 'signInMethods' | 'connectMethods'> = {
  signInMethods: { email: true, socials: ['google', 'github', 'apple'], farcaster: true },
  connectMethods: ['email', 'social', 'wallet'],
}
const smart = '0x5AEDA56215b167893e80B4fE645BA6d5Bab767DE'
const owner = embeddedUser({
  accounts: [
    { address, type: 'eoa' },
    { address: smart, type: 'smartAccount' },
  ],
  preferred: 'smartAccount',
  security: walletSecurity({
    devices: [
      { id: 'd1', name: 'Firefox on Windows', createdAt: 1, usedAt: 1_790_000_000_000, isThis: false },
      { id: 'd2', name: 'Chrome on Linux', createdAt: 1, usedAt: 1_780_000_000_000, isThis: true },
    ],
  }),
})
const smartAccounts: Account[] = [{ namespace: 'eip155', address: smart, type: 'smartAccount' }]
const auth: Connection = { ...connected, connector: embeddedConnector }
const signedIn = { ...offered, embedded: owner, connections: { eip155: auth } }

function email(
  step: Extract<SignIn, { kind: 'email' }>['step'],
  more: Partial<Extract<SignIn, { kind: 'email' }>> = {},
): SignIn {
  return { kind: 'email', email: 'ada@example.org', step, resendAt: 0, error: null, ...more }
}

function input(type: string): HTMLInputElement {
  const found = dialog().querySelector<HTMLInputElement>(`input[${type}]`)
  if (found === null) throw new Error(`There is no ${type}`)
  return found
}

async function type(field: HTMLInputElement, value: string) {
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

const emailField = () => input('type=email')
const submit = () =>
  act(async () => emailField().form?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })))

describe('Connect with email and socials', () => {
  it('shows only the offered methods, in order', async () => {
    const { open, set } = await mount(offered)
    await open()
    const places = ['Continue with Google', 'Lantern'].map((name) => text().indexOf(name))
    expect(places[0]).toBeLessThan(places[1] ?? -1)
    await set({ connectMethods: ['wallet', 'email', 'social'] })
    expect(text().indexOf('Lantern')).toBeLessThan(text().indexOf('Continue with Google'))
    await set({ signInMethods: { email: false, socials: [], farcaster: false } })
    expect(dialog().querySelector('input')).toBeNull()
    expect([...dialog().querySelectorAll('p')].map(({ textContent }) => textContent)).not.toContain('or')
  })

  it.each([
    [5, true],
    [6, false],
  ])('lists recommended wallets beside %i of the page, with email below them: %s', async (count, isListed) => {
    const inPage = Array.from({ length: count }, (_, index) => ({
      ...lantern,
      id: `${index}`,
      name: `Page ${index}`,
    }))
    const wallets = [...inPage, tide]
    const { open, set } = await mount({ ...offered, connectMethods: ['wallet', 'email', 'social'], wallets })
    await open()
    expect([text().includes('Page 4'), text().includes('Tide')]).toEqual([true, isListed])
    await set({ connectMethods: ['email', 'social', 'wallet'] })
    expect(text()).toContain('Tide')
  })

  it('offers no second sign-in to a signed-in user, but their own wallet where none is connected', async () => {
    const { open, set, actions } = await mount({ ...offered, embedded: owner })
    await open()
    expect(dialog().querySelector('input[type=email]')).toBeNull()
    expect(text()).toContain(`Your wallet${owner.email}`)
    await press('Your wallet')
    expect(actions.connectOwnWallet).toHaveBeenCalledOnce()
    await set({ connections: { eip155: auth } })
    expect(text()).not.toContain('Your wallet')
    await set({ connections: { eip155: { status: 'disconnected' } } })
    expect(text()).toContain('Your wallet')
  })

  it('accepts a valid email address, and reports an invalid one', async () => {
    const { open, actions } = await mount(offered)
    await open()
    await type(emailField(), 'ada@')
    expect(text()).not.toContain('Enter a valid email address')
    expect(button('Continue with email').getAttribute('aria-disabled')).toBe('true')
    await submit()
    expect(text()).toContain('Enter a valid email address')
    expect(emailField().getAttribute('aria-invalid')).toBe('true')
    expect(actions.signInWithEmail).not.toHaveBeenCalled()
    await type(emailField(), ' ada@example.org ')
    expect(text()).not.toContain('Enter a valid email address')
    await submit()
    expect(actions.signInWithEmail).toHaveBeenCalledWith('ada@example.org')
  })

  it('accepts an email address typed with full-width letters and the digits of another script', async () => {
    const { open, actions } = await mount(offered)
    await open()
    await type(emailField(), 'ａｄａ٤２＠ｅｘａｍｐｌｅ。ｏｒｇ')
    await submit()
    expect(actions.signInWithEmail).toHaveBeenCalledWith('ada42@example.org')
  })

  it('tells a refusal of the server in the user’s words', async () => {
    const { open, set } = await mount(offered)
    await open()
    for (const [code, words] of [
      ['ORIGIN_NOT_ALLOWED', 'This page isn’t allowed'],
      ['INVALID_PROJECT_ID', 'Invalid project id'],
      ['SESSION_EXPIRED', 'Session expired'],
    ] as const) {
      const { message } = errors[code]
      await set({ signIn: email('sending', { error: { code, message } }) })
      expect(text()).toContain(words)
      expect(text()).not.toContain(message)
    }
  })

  it('counts down the cooldown in seconds', async () => {
    vi.useFakeTimers({ now: 10_000, toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    try {
      const { open, set } = await mount(offered)
      await open()
      const error = { code: 'EMAIL_COOLDOWN', message: 'Please try again after 24 seconds' } as const
      await set({ signIn: email('sending', { resendAt: 12_000, error }) })
      expect(text()).toContain('Please try again after 2 seconds')
      await act(() => vi.advanceTimersByTimeAsync(1_000))
      expect(text()).toContain('Please try again after 1 seconds')
      await act(() => vi.advanceTimersByTimeAsync(1_000))
      expect(text()).not.toContain('Please try again')
    } finally {
      vi.useRealTimers()
    }
  })

  it('starts social sign-in within the press, and Back cancels', async () => {
    const { open, actions } = await mount(offered)
    await open()
    await press('Continue with GitHub')
    expect(actions.signInWithSocial).toHaveBeenCalledWith('github')
    expect(title()).toBe('GitHub')
    expect(text()).toContain('Continue in the GitHub window')
    await press('Back')
    expect(actions.cancelSignIn).toHaveBeenCalledOnce()
    expect(title()).toBe('Connect')
  })
})

describe('signing in by email', () => {
  it('shows instructions for an unknown device, then takes the code', async () => {
    const { open, set, actions } = await mount(offered)
    await open()
    await set({ signIn: email('device') })
    expect(title()).toBe('Check your email')
    expect(text()).toContain('ada@example.org')
    expect(text()).toContain('Waiting for your approval')
    await press('Resend email')
    expect(actions.resendEmail).toHaveBeenCalledOnce()
    await set({ signIn: email('code') })
    expect(text()).toContain('Use a different email')
    await press('Back')
    expect(title()).toBe('Connect')
  })

  it('keeps a place for the wallet’s frame, which takes the code, and offers no field of its own', async () => {
    const { open, set, actions } = await mount(offered)
    await open()
    await set({ signIn: email('code') })
    expect(dialog().querySelector('input')).toBeNull()
    expect(actions.placeWalletFrame).toHaveBeenLastCalledWith(expect.objectContaining({ isVisible: false }))
    await set({ codeEntry: { id: 'c1', height: 140 } })
    expect(actions.placeWalletFrame).toHaveBeenLastCalledWith(expect.objectContaining({ isVisible: true }))
    await set({ walletFrameExit: { key: 1, by: 'forwards' } })
    expect(document.activeElement).toBe(button('Resend email'))
    await set({ walletFrameExit: { key: 2, by: 'backwards' } })
    expect(document.activeElement).toBe(button('Close'))
  })

  it('shows why the frame stopped to ask, and has it ask again', async () => {
    const { open, set, actions } = await mount(offered)
    await open()
    await set({ signIn: email('code', { error: { code: 'LINK_CLOSED', message: 'The page’s link was closed' } }) })
    expect(dialog().querySelector('[role=alert]')?.textContent).not.toBe('')
    await press('Try again')
    expect(actions.retrySignIn).toHaveBeenCalledOnce()
  })

  it('offers another email after the resend delay', async () => {
    vi.useFakeTimers({ now: 10_000, toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    try {
      const { open, set } = await mount(offered)
      await open()
      await set({ signIn: email('code', { resendAt: 12_000 }) })
      expect(text()).toContain('Resend in 2 s')
      expect(text()).not.toContain('Resend email')
      await act(() => vi.advanceTimersByTimeAsync(2_000))
      expect(text()).toContain('Resend email')
    } finally {
      vi.useRealTimers()
    }
  })

  it('opens the wallet, then shows the account', async () => {
    const { open, set } = await mount(offered)
    await open()
    await set({ signIn: email('code') })
    await set({ signIn: email('opening') })
    expect(text()).toContain('Opening your wallet')
    await set({ signIn: null, ...signedIn })
    expect(title()).toBe('Account')
  })

  it('has the wallet’s frame ask about a wallet that ended elsewhere, again if the user kept its share', async () => {
    const { open, set, actions } = await mount(offered)
    actions.forgetEndedWallet.mockRejectedValueOnce(new Failure('USER_REJECTED'))
    await open()
    await set({ signIn: email('opening'), embedded: { ...owner, ended: 'deleted' } })
    expect(actions.forgetEndedWallet).toHaveBeenCalledExactlyOnceWith(expect.any(AbortSignal))
    await press('Try again')
    expect(actions.forgetEndedWallet).toHaveBeenCalledTimes(2)
    await set({ embedded: { ...owner, ended: null } })
    expect(text()).toContain('Opening your wallet')
  })

  it('asks for the passkey in the wallet’s window', async () => {
    const { open, set, actions } = await mount(offered)
    await open()
    await set({ signIn: email('opening'), embedded: { ...owner, locked: 'passkey' } })
    expect(text()).toContain('Unlock your wallet')
    await press('Use passkey')
    expect(actions.openWalletWindow).toHaveBeenCalledWith('unlock')
  })
})

describe('WalletReady', () => {
  it('says what keeps a new wallet, and offers a passkey', async () => {
    const { open, set, actions } = await mount({ ...signedIn, embedded: { ...owner, isNew: true } })
    await open('WalletReady')
    expect(title()).toBe('Wallet created')
    expect(text()).toContain('Your wallet is ready')
    expect(text()).toContain('Sign in with ada@example.org to open it on any device.')
    expect(actions.refreshWallet).toHaveBeenCalled()
    await press('Add a passkey')
    expect(actions.openWalletWindow).toHaveBeenCalledWith('recovery')
    await set({
      embedded: { ...owner, isNew: true, security: owner.security && { ...owner.security, recovery: 'passkey' } },
    })
    expect(text()).toContain('your sign-in and your passkey')
    expect(text()).not.toContain('Add a passkey')
    await press('Done')
    expect(actions.close).toHaveBeenCalled()
  })
})

describe('a wallet that is not made yet', () => {
  it('asks how to recover it; the sign-in takes one click', async () => {
    const { open, set, actions } = await mount(offered)
    await open()
    await set({ signIn: email('opening'), embedded: { ...owner, recoveryWanted: 'any' } })
    expect(text()).toContain('Keep your wallet safe')
    await press('Use a passkey or passphrase')
    expect(actions.openWalletWindow).toHaveBeenCalledWith('create')
    await press('Use my email')
    expect(actions.createWallet).toHaveBeenCalledOnce()
  })

  it('offers no sign-in as recovery if the project requires more, and shows a failure', async () => {
    const { open, set } = await mount(offered)
    await open()
    const failure = { code: 'POPUP_BLOCKED', message: 'The browser blocked the new tab' } as const
    await set({ signIn: { ...email('opening'), error: failure }, embedded: { ...owner, recoveryWanted: 'hardened' } })
    expect(text()).toContain('Use a passkey or passphrase')
    expect(text()).not.toContain('Use my email')
    expect(text()).toContain('blocked')
  })
})

describe('ConnectingSocial', () => {
  const google = (step: Extract<SignIn, { kind: 'social' }>['step'], error: SignIn['error'] = null): SignIn => ({
    kind: 'social',
    provider: 'google',
    step,
    error,
  })

  it('takes the digits shown in the window, and reopens the window', async () => {
    const { open, set, actions } = await mount(offered)
    await open()
    await set({ signIn: google('code', { code: 'WINDOW_CLOSED', message: 'The window was closed' }) })
    expect(text()).toContain('The Google window closed')
    expect(actions.placeWalletFrame).toHaveBeenLastCalledWith(expect.objectContaining({ isVisible: false }))
    await press('Reopen the window')
    expect(actions.retrySignIn).toHaveBeenCalledOnce()
  })

  it('reports refused consent, and retries', async () => {
    const { open, set, actions } = await mount(offered)
    await open()
    await set({ signIn: google('window', { code: 'CONSENT_DENIED', message: 'The sign-in was declined' }) })
    expect(text()).toContain('The sign-in was declined')
    await press('Try again')
    expect(actions.retrySignIn).toHaveBeenCalledOnce()
  })
})

describe('ConnectingFarcaster', () => {
  it('shows the QR code once there is one', async () => {
    const { open, set } = await mount(offered)
    await open()
    await press('Continue with Farcaster')
    expect(title()).toBe('Farcaster')
    expect(dialog().querySelector('[role=img]')).toBeNull()
    await set({ signIn: { kind: 'farcaster', step: 'waiting', url: 'https://farcaster.example/c', error: null } })
    expect(dialog().querySelector('[role=img]')?.getAttribute('aria-label')).toBe('QR code to connect Farcaster')
  })
})

describe('Account with the embedded wallet', () => {
  it('shows the signed-in user, and links to account type and security', async () => {
    const { open, actions } = await mount(signedIn)
    await open('Account')
    expect(text()).toContain('ada@example.org')
    await press('Account type')
    expect(title()).toBe('Account type')
    await press('Standard account')
    expect(actions.preferAccount).toHaveBeenCalledWith('eoa')
    await press('Back')
    await press('Wallet security')
    expect(title()).toBe('Wallet security')
    expect(actions.refreshWallet).toHaveBeenCalled()
  })

  it('shows who signed in and the account type as stored, until the wallet’s frame reports (spec §3)', async () => {
    const returningUser = { provider: 'google', userName: 'Ada', smartAccountNetworks: [1] } as const
    const waiting: Connection = { ...auth, status: 'reconnecting', accounts: smartAccounts }
    const { open, set } = await mount({ ...offered, returningUser, connections: { eip155: waiting } })
    await open('Account')
    expect(text()).toContain('Signed in with Google: Ada')
    expect(text()).toContain('Account typeSmart account')
    // Their views need what the frame reports.
    expect(() => button('Account type')).toThrow()
    expect(() => button('Wallet security')).toThrow()
    await set({ returningUser: null, embedded: { ...owner, provider: 'google', email: null, userName: 'Ada L' } })
    expect(text()).toContain('Signed in with Google: Ada L')
    expect(button('Account type')).toBeDefined()
  })

  it('shows no wallet security for an injected wallet', async () => {
    const { open } = await mount({ ...signedIn, connections: { eip155: connected } })
    await open('Account')
    expect(text()).not.toContain('Wallet security')
    expect(text()).toContain('Disconnect')
  })

  it('warns that the session ends with the page, and offers both fixes', async () => {
    const { open, actions } = await mount({ ...signedIn, embedded: { ...owner, storage: 'memory' } })
    await open('Account')
    expect(text()).toContain('You’ll be signed out when you close this page')
    await press('Allow storage')
    expect(actions.grantStorage).toHaveBeenCalledOnce()
    await press('Stay signed in using a separate window')
    expect(actions.openWalletWindow).toHaveBeenCalledWith('keep')
  })

  it('offers the wallet stored in its own window until the user is signed in', async () => {
    const { open, actions, set } = await mount({ walletKept: true })
    await open('Connect')
    await press('Open my wallet')
    expect(actions.openWalletWindow).toHaveBeenCalledWith('keep')
    await set(signedIn)
    expect(text()).not.toContain('Open my wallet')
  })

  it('signs out of every chain of one sign-in after a confirmation', async () => {
    const solana: Connection = { ...auth, accounts: [{ namespace: 'solana', address: 'So1', type: 'eoa' }] }
    const { open, actions } = await mount({ ...signedIn, connections: { eip155: auth, solana } })
    await open('Account')
    await press('Sign out')
    expect(text()).not.toContain('Disconnect which wallets?')
    await press('Sign out')
    expect(actions.disconnect).toHaveBeenCalledOnce()
  })
})

describe('WalletSecurity', () => {
  async function mountAccount(changes: Partial<HostSnapshot> = {}) {
    const app = await mount({ ...signedIn, ...changes })
    await app.open('Account')
    return app
  }

  async function inSecurity(changes: Partial<HostSnapshot> = {}) {
    const app = await mountAccount(changes)
    await press('Wallet security')
    return app
  }

  it('lists this device first, and has the wallet’s frame ask before another one is removed', async () => {
    const { actions, set } = await inSecurity()
    let end = { resolve() {}, reject(_: Failure) {} }
    actions.revokeDevice.mockImplementation(
      () =>
        new Promise((resolve, reject) => {
          end = { resolve: () => resolve(undefined), reject }
        }),
    )
    expect(text().indexOf('Chrome on Linux')).toBeLessThan(text().indexOf('Firefox on Windows'))
    await press('Remove')
    expect(title()).toBe('Remove device')
    expect(actions.revokeDevice).toHaveBeenCalledExactlyOnceWith('d1', expect.any(AbortSignal))
    await set({ codeEntry: { id: 'c1', height: 240 } })
    expect(actions.placeWalletFrame).toHaveBeenLastCalledWith(expect.objectContaining({ isVisible: true }))
    await act(async () => end.reject(new Failure('USER_REJECTED')))
    expect(title()).toBe('Wallet security')
    await press('Remove')
    await act(async () => end.resolve())
    expect(title()).toBe('Wallet security')
  })

  it('stops asking for a removal when the user leaves', async () => {
    const { actions } = await inSecurity()
    actions.revokeDevice.mockImplementation(() => new Promise(() => {}))
    await press('Remove')
    await press('Back')
    expect(actions.revokeDevice.mock.lastCall?.[1].aborted).toBe(true)
  })

  it('offers a new wallet while an old copy of the data opens this one; Not now leaves a row', async () => {
    const security = owner.security && { ...owner.security, recovery: 'passphrase' as const, isExposed: true }
    const { actions, set } = await inSecurity({ embedded: { ...owner, security } })
    expect(text()).toContain('Move to a new wallet?')
    await press('Not now')
    expect(actions.putOffMove).toHaveBeenCalledOnce()
    await set({ embedded: { ...owner, security, isMovePutOff: true } })
    expect(text()).not.toContain('Move to a new wallet?')
    await press('Move to a new wallet')
    expect(actions.openWalletWindow).toHaveBeenCalledWith('move')
  })

  it('reports a recovery on another device, which the user removes or confirms', async () => {
    const recoveries = [{ deviceId: 'd1', at: 1_790_000_000_000, opensAt: null }]
    const security = owner.security && { ...owner.security, recoveries }
    const { actions } = await mountAccount({ embedded: { ...owner, security } })
    expect(text()).toContain('A new device opened your wallet.')
    await press('It was me')
    expect(actions.seeRecoveries).toHaveBeenCalledWith(1_790_000_000_000)
    actions.revokeDevice.mockImplementation(() => new Promise(() => {}))
    await press('This was not me: remove it')
    expect(title()).toBe('Remove device')
    expect(actions.revokeDevice).toHaveBeenCalledExactlyOnceWith('d1', expect.any(AbortSignal))
  })

  it('says when a waiting device may open the wallet', async () => {
    const opensAt = 1_790_003_600_000
    const recoveries = [{ deviceId: 'd3', at: 1_790_000_000_000, opensAt }]
    const security = owner.security && { ...owner.security, recoveries }
    await mountAccount({ embedded: { ...owner, security } })
    const time = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' }).format(opensAt)
    expect(text()).toContain('A new device wants to open your wallet.')
    expect(text()).toContain(`It can do so from ${time}.`)
  })

  it('looks for recoveries whenever the account opens', async () => {
    const { actions, set } = await mountAccount()
    expect(actions.refreshWallet).toHaveBeenCalledTimes(1)
    await press('Close')
    await set({ open: true, opening: { key: 2, view: 'Account' } })
    expect(actions.refreshWallet).toHaveBeenCalledTimes(2)
  })

  it('says in the user’s own time until when a new device waits', async () => {
    const { open, set } = await mount(offered)
    await open()
    const error = {
      code: 'RECOVERY_WAITING',
      message: 'Sign in here again from 2026-11-23T22:31:00.000Z on to open your wallet.',
    } as const
    await set({ signIn: email('opening', { error }) })
    const time = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })
    expect(text()).toContain(`Sign in here again from ${time.format(Date.UTC(2026, 10, 23, 22, 31))} on`)
  })

  it('shows why a device cannot be removed', async () => {
    const { actions } = await inSecurity()
    actions.revokeDevice.mockRejectedValue(new Failure('LAST_DEVICE'))
    await press('Remove')
    expect(text()).toContain('You can’t remove your last device')
    await press('Try again')
    expect(actions.revokeDevice).toHaveBeenCalledTimes(2)
  })

  it('opens the wallet’s window for anything that shows or takes a secret', async () => {
    const { actions } = await inSecurity()
    await press('Sign-in only')
    expect(actions.openWalletWindow).toHaveBeenCalledWith('recovery')
    await press('Export keys')
    expect(actions.openWalletWindow).toHaveBeenCalledWith('export')
  })

  it('changes the email address in two steps, and reports success', async () => {
    const { set, actions } = await inSecurity()
    await press('Change email')
    await type(emailField(), 'ada@saltmarsh.example')
    await submit()
    expect(actions.changeEmail).toHaveBeenCalledWith('ada@saltmarsh.example')
    const change = { email: 'ada@saltmarsh.example', error: null }
    await set({ emailChange: { ...change, step: 'primary' } })
    expect(text()).toContain('Step 1 of 2')
    await set({ emailChange: { ...change, step: 'secondary' } })
    expect(text()).toContain('Step 2 of 2')
    expect(dialog().querySelector('input')).toBeNull()
    await set({ emailChange: null, embedded: { ...owner, email: 'ada@saltmarsh.example' } })
    expect(text()).toContain('Email changed')
    await press('Done')
    expect(title()).toBe('Account')
  })

  it('Back from a code cancels the change', async () => {
    const { set, actions } = await inSecurity()
    await press('Change email')
    await set({ emailChange: { email: 'b@example.org', step: 'primary', error: null } })
    await press('Back')
    expect(actions.cancelEmailChange).toHaveBeenCalledOnce()
    expect(title()).toBe('Wallet security')
  })

  it('has the wallet’s frame open its window before it deletes the account', async () => {
    const { set, actions } = await inSecurity()
    let refuse = (_: Failure) => {}
    actions.deleteAccount.mockImplementation(
      () =>
        new Promise((_, reject) => {
          refuse = reject
        }),
    )
    await press('Delete account')
    expect(actions.deleteAccount).toHaveBeenCalledOnce()
    await set({ codeEntry: { id: 'c1', height: 240 } })
    expect(actions.placeWalletFrame).toHaveBeenLastCalledWith(expect.objectContaining({ isVisible: true }))
    await set({ codeEntry: null })
    await act(async () => refuse(new Failure('SIGN_IN_AGAIN')))
    expect(dialog().querySelector('[role=alert]')?.textContent).not.toBe('')
    await press('Try again')
    expect(actions.deleteAccount).toHaveBeenCalledTimes(2)
    await act(async () => refuse(new Failure('USER_REJECTED')))
    expect(title()).toBe('Wallet security')
  })

  it('ends the deletion when the user leaves, and when the session ends', async () => {
    const { set, actions } = await inSecurity()
    actions.deleteAccount.mockImplementation(() => new Promise(() => {}))
    await press('Delete account')
    await press('Back')
    expect(actions.deleteAccount.mock.lastCall?.[0].aborted).toBe(true)
    await press('Delete account')
    expect(actions.deleteAccount.mock.lastCall?.[0].aborted).toBe(false)
    await set({ embedded: null })
    expect(actions.deleteAccount.mock.lastCall?.[0].aborted).toBe(true)
    expect(title()).not.toBe('Delete account')
  })
})

describe('ApproveTransaction', () => {
  const friend = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
  const request = approvalRequest({
    kind: 'eip155.transaction',
    from: address,
    nonce: '7',
    call: { to: friend, value: '100000000000000000', data: '0x' },
    fees: { gas: '21000' },
    unsigned: '0x02',
  })
  const send: Approval = {
    request,
    height: null,
    status: { kind: 'waiting' },
  }

  async function approving(first: Approval, ...others: readonly Approval[]) {
    const app = await mount({ ...signedIn, approvals: [first, ...others] })
    await app.open('ApproveTransaction')
    return app
  }
  it('keeps a place for the wallet’s frame, which draws the request, and offers no choice of its own', async () => {
    const { actions, set } = await approving(send)
    expect(title()).toBe('Approve')
    expect(dialog().querySelector('[aria-label=Back]')).toBeNull()
    expect(text()).toContain('Reading the request')
    expect(() => button('Approve')).toThrow()
    expect(actions.placeWalletFrame).toHaveBeenLastCalledWith(expect.objectContaining({ isVisible: false }))
    await set({ approvals: [{ ...send, height: 320 }] })
    expect(text()).not.toContain('Reading the request')
    expect(actions.placeWalletFrame).toHaveBeenLastCalledWith(expect.objectContaining({ isVisible: true }))
    const place = dialog().querySelector('[aria-owns=postern-wallet-frame]')
    expect(place?.getAttribute('style')).toContain('320px')
  })

  it('hides the frame when the request ends', async () => {
    const { actions, set } = await approving({ ...send, height: 320 })
    await set({ approvals: [{ ...send, height: 320, status: { kind: 'sent', hash: null } }] })
    expect(actions.placeWalletFrame).toHaveBeenLastCalledWith(null)
  })

  it('leads the keyboard into the frame, and out of it', async () => {
    const { actions, set } = await approving({ ...send, height: 320 })
    const place = dialog().querySelector<HTMLElement>('[aria-owns=postern-wallet-frame] > button')
    const before = vi.mocked(actions.focusWalletFrame).mock.calls.length
    await act(async () => place?.focus())
    expect(vi.mocked(actions.focusWalletFrame).mock.calls.length).toBe(before + 1)
    await set({ walletFrameExit: { key: 1, by: 'forwards' } })
    expect(document.activeElement).toBe(button('Close'))
    await set({ walletFrameExit: { key: 2, by: 'escape' } })
    expect(actions.close).toHaveBeenCalledOnce()
  })

  it('gives the frame the focus that the page gives to the modal, but not that of a control', async () => {
    const focused = vi.spyOn(document, 'hasFocus').mockReturnValue(false)
    const { actions } = await approving({ ...send, height: 320 })
    const drawn = () => act(() => new Promise((resolve) => requestAnimationFrame(() => resolve(undefined))))
    const enters = async () => {
      const before = vi.mocked(actions.focusWalletFrame).mock.calls.length
      await act(async () => window.dispatchEvent(new Event('focus')))
      await drawn()
      return vi.mocked(actions.focusWalletFrame).mock.calls.length - before
    }
    await drawn()
    expect(actions.focusWalletFrame).not.toHaveBeenCalled()
    focused.mockReturnValue(true)
    expect(await enters()).toBe(1)
    await act(async () => button('Close').focus())
    expect(await enters()).toBe(0)
    await act(async () => button('Close').blur())
    const before = vi.mocked(actions.focusWalletFrame).mock.calls.length
    await act(async () => {
      window.dispatchEvent(new Event('focus'))
      window.dispatchEvent(new Event('blur'))
    })
    await drawn()
    expect(vi.mocked(actions.focusWalletFrame).mock.calls.length).toBe(before)
    focused.mockRestore()
  })

  it('gives the frame the focus once an alert no longer hides it', async () => {
    const focused = vi.spyOn(document, 'hasFocus').mockReturnValue(true)
    const { actions, set } = await approving(send)
    await set({ alert: { code: 'INTERNAL', title: 'Alert', text: '' } })
    await set({ approvals: [{ ...send, height: 320 }] })
    const drawn = () => act(() => new Promise((resolve) => requestAnimationFrame(() => resolve(undefined))))
    await drawn()
    await drawn()
    expect(actions.focusWalletFrame).not.toHaveBeenCalled()
    await set({ alert: null })
    await expect.poll(() => vi.mocked(actions.focusWalletFrame).mock.calls.length).toBe(1)
    focused.mockRestore()
  })

  it('ends above a message of the card, which the frame would hide', async () => {
    const boxOf = vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
      const top = this.hasAttribute('data-message') ? 440 : this.getAttribute('role') === 'dialog' ? 0 : 50
      return new DOMRect(0, top, 360, 500 - top)
    })
    const { actions, set } = await approving({ ...send, height: 450 })
    expect(actions.placeWalletFrame).toHaveBeenLastCalledWith(expect.objectContaining({ top: 50, height: 450 }))
    await set({ snackbar: { key: 1, tone: 'bad', text: 'Couldn’t copy' } })
    await expect.poll(() => text()).toContain('Couldn’t copy')
    await expect
      .poll(() => actions.placeWalletFrame)
      .toHaveBeenLastCalledWith(expect.objectContaining({ top: 50, height: 390 }))
    boxOf.mockRestore()
  })

  it('covers the current view, and restores it (spec §2)', async () => {
    const { set, open } = await mount(signedIn)
    await open('Account')
    await press('Wallet security')
    await set({ approvals: [send] })
    expect(title()).toBe('Approve')
    await set({ approvals: [] })
    expect(title()).toBe('Wallet security')
    await press('Back')
    expect(title()).toBe('Account')
  })

  it('starts scrolled to the top, wherever the previous view was scrolled', async () => {
    const { set, open } = await mount(signedIn)
    await open('Account')
    const scroller = [...dialog().children].at(1)
    if (!(scroller instanceof HTMLElement)) throw new Error('The card has no body')
    scroller.scrollTop = 120
    await set({ approvals: [send] })
    expect(title()).toBe('Approve')
    expect(scroller.scrollTop).toBe(0)
    scroller.scrollTop = 120
    await set({ approvals: [{ ...send, request: { ...request, id: 'r2' } }] })
    expect(scroller.scrollTop).toBe(0)
  })

  it('reports that the transaction was sent, and links to the explorer', async () => {
    const hash = `0x${'a1'.repeat(32)}`
    const { actions } = await approving({ ...send, status: { kind: 'sent', hash } })
    expect(button('Etherscan').getAttribute('href')).toBe(`https://etherscan.example/tx/${hash}`)
    await press('Done')
    expect(actions.reject).toHaveBeenCalledWith(request.id)
  })

  it('reports the outcome in the same live region', async () => {
    const [hash, other] = [`0x${'a1'.repeat(32)}`, `0x${'b2'.repeat(32)}`]
    const { set } = await approving({ ...send, status: { kind: 'sent', hash } })
    const place = document.querySelector('[role=status][aria-live=polite]')
    expect(place?.textContent).toContain('Sent')
    expect(title()).toBe('Transaction')
    await set({ approvals: [{ ...send, status: { kind: 'ended', hash: other, outcome: { kind: 'replaced' } } }] })
    expect(document.querySelector('[role=status][aria-live=polite]')).toBe(place)
    expect(place?.textContent).toContain('Replaced')
    expect(button('Etherscan').getAttribute('href')).toBe(`https://etherscan.example/tx/${other}`)
  })

  it('draws no control of direction from a contract’s revert reason', async () => {
    const outcome = { kind: 'reverted', reason: '\u202Edeliaf' } as const
    await approving({ ...send, status: { kind: 'ended', hash: null, outcome } })
    expect(text()).toContain('Reason: deliaf. You paid the fee')
  })

  it('reports the failure and the spent fee, and dismisses it', async () => {
    const { actions } = await approving({
      ...send,
      status: { kind: 'failed', code: 'TRANSACTION_REVERTED', message: 'The transaction was reverted' },
    })
    expect(text()).toContain('The transaction was reverted. You paid the fee')
    await press('Done')
    expect(actions.reject).toHaveBeenCalledWith(request.id)
  })
})
