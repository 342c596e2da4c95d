/** Moving between views. The modal has no URL routes (spec §2): a memory router holds the views, each entry its depth. */

import type { ViewName } from '@postern/protocol'
import { useLocation, useNavigate } from 'react-router'
import type { ConnectAttempt, EmailChangeAttempt, SignIn } from '../session/contract'

/** Every view there is now: those that a page may ask for by name, and those that only the host leads to. */
export const viewNames = [
  'Connect',
  'AllWallets',
  'ConnectingExternal',
  'ConnectingWalletConnect',
  'ConnectingWalletConnectBasic',
  'GetWallet',
  'Account',
  'Networks',
  'SwitchActiveChain',
  'UnsupportedChain',
  'WhatIsAWallet',
  'EmailVerifyDevice',
  'EmailVerifyOtp',
  'ConnectingSocial',
  'ConnectingFarcaster',
  'ApproveTransaction',
  'AccountTypes',
  'WalletSecurity',
  'UpdateEmail',
  'UpdateEmailPrimaryOtp',
  'UpdateEmailSecondaryOtp',
  'DeleteAccount',
] as const
export type View = (typeof viewNames)[number] | ViewName

export function viewPath(view: View): string {
  return `/${view}`
}

export function viewAt(pathname: string): View {
  return viewNames.find((view) => viewPath(view) === pathname) ?? 'Connect'
}

/** The view that shows an attempt to connect. */
export function viewOfAttempt({ via, row }: Pick<ConnectAttempt, 'via' | 'row'>): View {
  if (via === 'page') return 'ConnectingExternal'
  return row.entry === undefined ? 'ConnectingWalletConnectBasic' : 'ConnectingWalletConnect'
}

const attemptViews: ReadonlySet<View> = new Set([
  'ConnectingExternal',
  'ConnectingWalletConnect',
  'ConnectingWalletConnectBasic',
])

/** Whether a view shows an attempt to connect: to leave it by the way back is to cancel that. */
export function isAttemptView(view: View): boolean {
  return attemptViews.has(view)
}

const signInViews: ReadonlySet<View> = new Set([
  'EmailVerifyDevice',
  'EmailVerifyOtp',
  'ConnectingSocial',
  'ConnectingFarcaster',
])

/** Whether a view shows signing in: the way back cancels that too. */
export function isSignInView(view: View): boolean {
  return signInViews.has(view)
}

/** The view that shows a step of signing in; null while an email's first step is shown by the field itself, or by the view that is there. */
export function viewOfSignIn(signIn: SignIn): View | null {
  if (signIn.kind === 'social') return 'ConnectingSocial'
  if (signIn.kind === 'farcaster') return 'ConnectingFarcaster'
  if (signIn.step === 'sending') return null
  return signIn.step === 'device' ? 'EmailVerifyDevice' : 'EmailVerifyOtp'
}

/** The view that shows a step of changing the email address; null while the view that is there does. */
export function viewOfEmailChange({ step }: EmailChangeAttempt): View | null {
  if (step === 'primary') return 'UpdateEmailPrimaryOtp'
  return step === 'secondary' ? 'UpdateEmailSecondaryOtp' : null
}

/** Whether a view asks for a code of a change of the email address. */
export function isEmailChangeView(view: View): boolean {
  return view === 'UpdateEmailPrimaryOtp' || view === 'UpdateEmailSecondaryOtp'
}

/** How many steps lie behind a location; zero at the view that the modal opened with. */
export function depthOf(location: { readonly state: unknown }): number {
  const { state } = location
  const depth = typeof state === 'object' && state !== null && 'depth' in state ? state.depth : 0
  return typeof depth === 'number' ? depth : 0
}

export type Navigation = {
  readonly view: View
  readonly canGoBack: boolean
  /** One step in. */
  go(view: View): void
  /** In the place of this view: the way back stays the same. */
  replace(view: View): void
  /** Where there is nothing to go back to, Connect. */
  back(): void
  /** Forgets the way here, as when a connection is made and there is nothing to go back to. */
  reset(view: View): void
}

export function useNavigation(): Navigation {
  const location = useLocation()
  const navigate = useNavigate()
  const depth = depthOf(location)
  const reset = (view: View) => void navigate(viewPath(view), { replace: true, state: { depth: 0 } })
  return {
    view: viewAt(location.pathname),
    canGoBack: depth > 0,
    go: (view) => void navigate(viewPath(view), { state: { depth: depth + 1 } }),
    replace: (view) => void navigate(viewPath(view), { replace: true, state: { depth } }),
    back: () => (depth > 0 ? void navigate(-1) : reset('Connect')),
    reset,
  }
}
