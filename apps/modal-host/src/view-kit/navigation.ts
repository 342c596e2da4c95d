/** View history; the modal has no URL routes (spec §2). */

import type { TextKey } from '@postern/ui/locales/text'
import { createContext, type Dispatch, use } from 'react'
import type { ConnectAttempt, EmailChangeAttempt, SignIn } from '../snapshot/contract'

type Titled<Key> = Key extends `title.${infer Name}` ? Name : never
/** Every view: Connect, and each one that the catalogue has a title for. `views/registry.ts` has a row for each. */
export type View = 'Connect' | Titled<TextKey>

export function viewOfAttempt({ via, row }: Pick<ConnectAttempt, 'via' | 'row'>): View {
  if (via === 'page') return 'ConnectingExternal'
  return row.entry === undefined ? 'ConnectingWalletConnectBasic' : 'ConnectingWalletConnect'
}

const attemptViews: ReadonlySet<View> = new Set([
  'ConnectingExternal',
  'ConnectingWalletConnect',
  'ConnectingWalletConnectBasic',
])

/** Back then cancels the attempt. */
export function isAttemptView(view: View): boolean {
  return attemptViews.has(view)
}

const signInViews: ReadonlySet<View> = new Set([
  'EmailVerifyDevice',
  'EmailVerifyOtp',
  'ConnectingSocial',
  'ConnectingFarcaster',
])

export function isSignInView(view: View): boolean {
  return signInViews.has(view)
}

/** Null if the current view shows the step. */
export function viewOfSignIn(signIn: SignIn): View | null {
  if (signIn.kind === 'social') return 'ConnectingSocial'
  if (signIn.kind === 'farcaster') return 'ConnectingFarcaster'
  if (signIn.step === 'sending') return null
  return signIn.step === 'device' ? 'EmailVerifyDevice' : 'EmailVerifyOtp'
}

export function viewOfEmailChange({ step }: EmailChangeAttempt): View | null {
  if (step === 'primary') return 'UpdateEmailPrimaryOtp'
  return step === 'secondary' ? 'UpdateEmailSecondaryOtp' : null
}

export function isEmailChangeView(view: View): boolean {
  return view === 'UpdateEmailPrimaryOtp' || view === 'UpdateEmailSecondaryOtp'
}

/** A new key per visit, so that a revisited view starts fresh. */
type Place = { readonly key: number; readonly view: View }
/** Of the last move. */
export type Direction = 'in' | 'back' | 'beside'

export type Way = {
  readonly places: readonly Place[]
  readonly direction: Direction
  readonly arrivals: number
}

export type Move =
  /** One level in. */
  | { readonly kind: 'in'; readonly view: View }
  /** Replaces this view. */
  | { readonly kind: 'beside'; readonly view: View }
  /** Clears the history. */
  | { readonly kind: 'reset'; readonly view: View }
  /** Or to Connect. */
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

export const WayContext = createContext<{ readonly way: Way; readonly take: Dispatch<Move> } | null>(null)

export type Navigation = {
  readonly view: View
  /** Changes with each visit. */
  readonly place: number
  readonly direction: Direction
  readonly depth: number
  readonly canGoBack: boolean
  go(view: View): void
  replace(view: View): void
  back(): void
  reset(view: View): void
  /** Stable across renders. */
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
