import { onceLoaded } from '@postern/base/once-loaded'
import { describe, expect, it, vi } from 'vitest'
import type { Popup } from '../snapshot/popup'
import { createSnapshotStore } from '../snapshot/store'
import { createEmbeddedActions } from './embedded-actions'
import type { EmbeddedSession } from './embedded-session'

/** The wallet's code arrives, or fails to, when the test says. */
function setUp() {
  const calls: string[] = []
  const popups: (Popup & { isClosed: boolean })[] = []
  const onFailed = vi.fn()
  const loads: { arrive(): void; fail(): void }[] = []
  const note =
    (name: string) =>
    (...args: readonly unknown[]) =>
      void calls.push([name, ...args.filter((one) => typeof one === 'string')].join(' '))
  const parts = {
    signIn: {
      email: note('email'),
      social: note('social'),
      farcaster: note('farcaster'),
      resend: note('resend'),
      retry: note('retry'),
      cancel: note('cancel'),
    },
    account: {
      openWindow: note('openWindow'),
      useGrantedStorage: note('useGrantedStorage'),
      refreshWallet: note('refreshWallet'),
      revokeDevice: async () => note('revokeDevice')(),
    },
    emailChange: { begin: note('change'), cancel: note('cancelChange') },
    approvals: { reject: note('reject') },
  }
  const session = onceLoaded(
    () =>
      new Promise<EmbeddedSession>((resolve, reject) =>
        loads.push({
          arrive: () => resolve(parts as unknown as EmbeddedSession),
          fail: () => reject(new Error('offline')),
        }),
      ),
    onFailed,
  )
  const store = createSnapshotStore({ themeMode: 'light', locale: 'en', walletCount: null, isTopLevel: false })
  const { actions, leaveSignIn } = createEmbeddedActions({
    session,
    store,
    onFailed,
    walletOrigin: 'https://wallet.example',
    powers: {
      openPopup() {
        const popup = {
          isClosed: false,
          closed: false,
          close() {
            popup.isClosed = true
          },
          location: { replace() {} },
        }
        popups.push(popup)
        return popup
      },
      async requestStorageAccess() {
        calls.push('asked')
      },
    },
  })
  return { actions, leaveSignIn, calls, popups, onFailed, loads, session }
}

describe('createEmbeddedActions', () => {
  it('1. opens windows and asks for storage inside the click, before the code has loaded', async () => {
    const { actions, popups, calls, loads, session } = setUp()
    actions.openWalletWindow('keep')
    expect(popups).toHaveLength(1)
    actions.grantStorage()
    expect(calls).toEqual(['asked'])
    actions.signInWithSocial('google')
    expect(popups).toHaveLength(2)
    loads[0]?.arrive()
    await session.load()
    expect(calls).toEqual(['asked', 'openWindow keep', 'useGrantedStorage', 'social google'])
    expect(popups.map(({ isClosed }) => isClosed)).toEqual([false, false])
  })

  it('2. tells of code that does not load, closes its window, and rejects what has a result', async () => {
    const { actions, popups, onFailed, loads } = setUp()
    actions.openWalletWindow('export')
    actions.refreshWallet()
    const revoked = actions.revokeDevice('d1', new AbortController().signal)
    loads[0]?.fail()
    await expect(revoked).rejects.toThrow('offline')
    await expect.poll(() => onFailed).toHaveBeenCalledTimes(2)
    expect(popups[0]?.isClosed).toBe(true)
    actions.refreshWallet()
    expect(loads).toHaveLength(2)
  })

  it('3. begins the newest sign-in alone, and closes the window of the one before', async () => {
    const { actions, popups, calls, loads, session, onFailed } = setUp()
    actions.signInWithEmail('ada@example.com')
    actions.signInWithSocial('google')
    actions.signInWithFarcaster()
    loads[0]?.arrive()
    await session.load()
    expect(calls).toEqual(['farcaster'])
    expect(popups[0]?.isClosed).toBe(true)
    expect(onFailed).not.toHaveBeenCalled()
  })

  it('3. begins no sign-in that was cancelled or left', async () => {
    const { actions, leaveSignIn, calls, loads, session } = setUp()
    actions.signInWithEmail('ada@example.com')
    actions.cancelSignIn()
    actions.signInWithFarcaster()
    leaveSignIn()
    loads[0]?.arrive()
    await session.load()
    expect(calls).toEqual(['cancel'])
  })

  it('runs every other call that waited, in its order', async () => {
    const { actions, calls, loads, session } = setUp()
    actions.refreshWallet()
    actions.changeEmail('a@example.com')
    actions.cancelEmailChange()
    actions.changeEmail('b@example.com')
    actions.reject('r1')
    actions.resendEmail()
    loads[0]?.arrive()
    await session.load()
    expect(calls).toEqual(['refreshWallet', 'cancelChange', 'change b@example.com', 'reject r1', 'resend'])
  })
})
