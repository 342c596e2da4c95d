/** Moving between views. The modal has no URL routes (spec §2): the way that led to a view is a list of views. */

import type { ViewName } from '@postern/protocol'
import { createContext, type Dispatch, use } from 'react'
import type { ConnectAttempt, EmailChangeAttempt, SignIn } from '../snapshot/contract'

/** The views of features (spec §1). */
const featureViews = [
  'Tokens',
  'Nfts',
  'NftDetails',
  'Activity',
  'Send',
  'SendSelectToken',
  'SendPreview',
  'Receive',
  'Swap',
  'SwapSelectToken',
  'SwapPreview',
  'OnRamp',
  'OnRampCurrency',
  'OnRampReturn',
  'Pay',
  'RegisterAccountName',
  'RegisterAccountNameSuccess',
  'SmartSessions',
  'TransactionProgress',
] as const
export type FeatureView = (typeof featureViews)[number]

const featureViewSet: ReadonlySet<string> = new Set(featureViews)

export function isFeatureView(view: View): view is FeatureView {
  return featureViewSet.has(view)
}

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
  'SIWXSignMessage',
  'ConnectingSiwe',
  ...featureViews,
] as const
export type View = (typeof viewNames)[number] | ViewName

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

/** One view of a way. Its key is another one for each arrival: a view that is come to anew begins anew. */
type Place = { readonly key: number; readonly view: View }
/** How the last move went: one step in, one step back, or in the place of what was there. */
export type Direction = 'in' | 'back' | 'beside'

/** The views that led here; the last one is shown. */
export type Way = {
  readonly places: readonly Place[]
  readonly direction: Direction
  /** How often a view was come to. */
  readonly arrivals: number
}

export type Move =
  /** One step in. */
  | { readonly kind: 'in'; readonly view: View }
  /** In the place of this view: the way back stays the same. */
  | { readonly kind: 'beside'; readonly view: View }
  /** Forgets the way here, as when a connection is made and there is nothing to go back to. */
  | { readonly kind: 'reset'; readonly view: View }
  /** Where there is nothing to go back to, Connect. */
  | { readonly kind: 'back' }

export function wayTo(view: View): Way {
  return { places: [{ key: 0, view }], direction: 'back', arrivals: 0 }
}

export function move(way: Way, step: Move): Way {
  const before = way.places.slice(0, -1)
  if (step.kind === 'back')
    return before.length > 0
      ? { ...way, places: before, direction: 'back' }
      : move(way, { kind: 'reset', view: 'Connect' })
  const arrivals = way.arrivals + 1
  const place = { key: arrivals, view: step.view }
  if (step.kind === 'in') return { places: [...way.places, place], direction: 'in', arrivals }
  return { places: step.kind === 'reset' ? [place] : [...before, place], direction: 'beside', arrivals }
}

/** The way, and what moves on it. */
export const WayContext = createContext<{ readonly way: Way; readonly take: Dispatch<Move> } | null>(null)

export type Navigation = {
  readonly view: View
  /** Another one for each arrival at a view. */
  readonly place: number
  readonly direction: Direction
  /** How many views lie behind this one. */
  readonly depth: number
  readonly canGoBack: boolean
  go(view: View): void
  replace(view: View): void
  back(): void
  reset(view: View): void
  /** Stays the same function. */
  readonly take: Dispatch<Move>
}

export function useNavigation(): Navigation {
  const context = use(WayContext)
  const here = context?.way.places.at(-1)
  if (context === null || here === undefined) throw new Error('There is no way around this view')
  const { way, take } = context
  const depth = way.places.length - 1
  return {
    view: here.view,
    place: here.key,
    direction: way.direction,
    depth,
    canGoBack: depth > 0,
    go: (view) => take({ kind: 'in', view }),
    replace: (view) => take({ kind: 'beside', view }),
    back: () => take({ kind: 'back' }),
    reset: (view) => take({ kind: 'reset', view }),
    take,
  }
}
