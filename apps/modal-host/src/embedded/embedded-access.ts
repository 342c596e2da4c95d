import type { ProjectPage, SocialProvider, WalletWindowPurpose } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { type Deferred, deferred } from '@postern/protocol/lazily'
import type { HostActions } from '../snapshot/contract'
import type { Modal } from '../snapshot/modal'
import type { ClickPowers, Popup } from '../snapshot/popup'
import type { SnapshotStore } from '../snapshot/store'
import type { EmbeddedSession, EmbeddedSessionOptions } from './embedded-session'

export type EmbeddedActionName =
  | 'signInWithEmail'
  | 'resendEmail'
  | 'submitCode'
  | 'signInWithSocial'
  | 'signInWithFarcaster'
  | 'retrySignIn'
  | 'cancelSignIn'
  | 'openWalletWindow'
  | 'grantStorage'
  | 'approve'
  | 'reject'
  | 'preferAccount'
  | 'changeEmail'
  | 'submitEmailChangeCode'
  | 'cancelEmailChange'
  | 'refreshSecurity'
  | 'revokeDevice'
  | 'requestDeletion'
  | 'deleteAccount'
export type EmbeddedActions = Pick<HostActions, EmbeddedActionName>

/** Loaded on first use. */
export type EmbeddedAccess = Deferred<EmbeddedSession> & {
  readonly powers: ClickPowers
  /** Empty if none is offered. */
  readonly walletOrigin: string
  readonly onFailed: () => void
  /** Only the click may open the window. */
  readonly needsPopup: () => boolean
  /** The returned function says whether it is still current. */
  readonly beginSignIn: () => () => boolean
  /** Cancels a sign-in whose code is loading. */
  readonly leaveSignIn: () => void
  end(): void
}

export function createEmbeddedAccess(options: {
  readonly store: SnapshotStore
  readonly modal: Modal
  readonly wallet: ProjectPage['wallet']
  readonly powers: ClickPowers
  readonly load: () => Promise<(given: EmbeddedSessionOptions) => EmbeddedSession>
  readonly rest: Omit<EmbeddedSessionOptions, 'store' | 'modal' | 'walletOrigin' | 'dom'>
}): EmbeddedAccess {
  const { store, modal, wallet, powers, rest } = options
  const walletOrigin = wallet?.origin ?? ''
  let isEnded = false
  let turn = 0
  const leaveSignIn = () => {
    turn += 1
  }
  const stops = [
    modal.onClose(leaveSignIn),
    store.subscribe(({ connectAttempt }, before) => {
      if (connectAttempt !== null && before.connectAttempt === null) leaveSignIn()
    }),
  ]
  const session = deferred(async () => {
    if (wallet === null) throw new Failure('ADDRESS_OR_AUTH_NOT_FOUND')
    const [create, dom] = await Promise.all([options.load(), rest.dependencies.walletFrameDom()])
    if (isEnded) throw new Failure('LINK_CLOSED')
    return create({ ...rest, store, modal, walletOrigin, dom })
  })
  return {
    ...session,
    powers,
    walletOrigin,
    onFailed: () => modal.alert('IFRAME_LOAD_FAILED', { host: walletOrigin }),
    needsPopup() {
      const { signIn } = store.getState()
      return signIn?.kind === 'social' && signIn.step !== 'opening'
    },
    beginSignIn() {
      leaveSignIn()
      const mine = turn
      return () => mine === turn
    },
    leaveSignIn,
    end() {
      isEnded = true
      for (const stop of stops) stop()
      session.peek()?.end()
    },
  }
}

/**
 * The actions of the embedded wallet, for the current page.
 *
 * 1. Browser APIs that need a click (a window, a storage request) run before anything is loaded.
 * 2. None rejects except those that say so; if the code fails to load, the alert is IFRAME_LOAD_FAILED.
 * 3. A sign-in does not start if it was left before its code loaded: cancelled, the modal closed, or another method or
 *    wallet chosen.
 */
export function embeddedActions(current: () => EmbeddedAccess | undefined): EmbeddedActions {
  function use(run: (session: EmbeddedSession) => void): void {
    const access = current()
    access?.get().then(run, access.onFailed)
  }

  function begin(run: (session: EmbeddedSession) => void): void {
    const isWanted = current()?.beginSignIn()
    use((session) => {
      if (isWanted?.()) run(session)
    })
  }

  async function ask<T>(run: (session: EmbeddedSession) => Promise<T>): Promise<T> {
    const access = current()
    if (access === undefined) throw new Failure('LINK_CLOSED')
    return run(await access.get())
  }

  function withPopup(run: (session: EmbeddedSession, popup: Popup | null) => void): void {
    const access = current()
    const popup = access?.powers.openPopup(`${access.walletOrigin}/auth/social/opening`) ?? null
    access?.get().then(
      (session) => run(session, popup),
      () => {
        popup?.close()
        access.onFailed()
      },
    )
  }

  function social(provider: SocialProvider): void {
    const isWanted = current()?.beginSignIn()
    withPopup(({ signIn }, popup) => {
      if (isWanted?.()) signIn.social(provider, popup)
      else popup?.close()
    })
  }

  return {
    signInWithEmail: (email) => begin(({ signIn }) => signIn.email(email)),
    resendEmail: () => use(({ signIn }) => signIn.resend()),
    submitCode: (otp) => use(({ signIn }) => signIn.submitCode(otp)),
    signInWithSocial: social,
    signInWithFarcaster: () => begin(({ signIn }) => signIn.farcaster()),
    retrySignIn() {
      if (current()?.needsPopup()) withPopup(({ signIn }, popup) => signIn.retry(popup))
      else use(({ signIn }) => signIn.retry(null))
    },
    cancelSignIn() {
      current()?.leaveSignIn()
      current()?.peek()?.signIn.cancel()
    },
    openWalletWindow: (purpose: WalletWindowPurpose) =>
      withPopup(({ account }, popup) => account.openWindow(purpose, popup)),
    grantStorage() {
      const asked = current()?.powers.requestStorageAccess()
      if (asked !== undefined) use(({ account }) => account.useGrantedStorage(asked))
    },
    approve: (id) => current()?.peek()?.approvals.approve(id),
    reject: (id) => current()?.peek()?.approvals.reject(id),
    preferAccount: (type) => use(({ account }) => account.prefer(type)),
    changeEmail: (email) => use(({ emailChange }) => emailChange.begin(email)),
    submitEmailChangeCode: (otp) => use(({ emailChange }) => emailChange.submitCode(otp)),
    cancelEmailChange: () => current()?.peek()?.emailChange.cancel(),
    refreshSecurity: () => use(({ account }) => account.refreshSecurity()),
    revokeDevice: (id) => ask(({ account }) => account.revokeDevice(id)),
    requestDeletion: () => ask(({ account }) => account.requestDeletion()),
    deleteAccount: (otp) => ask(({ account }) => account.delete(otp)),
  }
}
