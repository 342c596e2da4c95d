/** View history; the modal has no URL routes (spec §2). */

import { createContext, type Dispatch, use, useLayoutEffect } from 'react'
import type { ConnectAttempt, EmailChangeAttempt, SignIn } from '../snapshot/contract'
import { factsOfView, type View } from '../snapshot/views'

export function viewOfAttempt({ via, row }: Pick<ConnectAttempt, 'via' | 'row'>): View {
  if (via === 'page') return 'ConnectingExternal'
  return row.entry === undefined ? 'ConnectingWalletConnectBasic' : 'ConnectingWalletConnect'
}

export function isAttemptView(view: View): boolean {
  return factsOfView(view).back === 'cancelsConnection'
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

/** A new key per visit, so that a revisited view starts fresh. */
type HistoryEntry = { readonly key: number; readonly view: View }
export type Direction = 'forward' | 'back' | 'replace'

export type ViewHistory = {
  readonly entries: readonly HistoryEntry[]
  readonly direction: Direction | null
  readonly lastKey: number
}

export type HistoryAction =
  | { readonly kind: 'push'; readonly view: View }
  | { readonly kind: 'replace'; readonly view: View }
  | { readonly kind: 'reset'; readonly view: View }
  /** Goes to Connect if there is no previous view. */
  | { readonly kind: 'back' }

export function createHistory(view: View): ViewHistory {
  return { entries: [{ key: 0, view }], direction: null, lastKey: 0 }
}

export function historyReducer(history: ViewHistory, action: HistoryAction): ViewHistory {
  const before = history.entries.slice(0, -1)
  if (action.kind === 'back')
    return before.length > 0
      ? { ...history, entries: before, direction: 'back' }
      : historyReducer(history, { kind: 'reset', view: 'Connect' })
  const key = history.lastKey + 1
  const entry = { key, view: action.view }
  if (action.kind === 'push') return { entries: [...history.entries, entry], direction: 'forward', lastKey: key }
  return { entries: action.kind === 'reset' ? [entry] : [...before, entry], direction: 'replace', lastKey: key }
}

export const HistoryContext = createContext<{
  readonly history: ViewHistory
  readonly dispatch: Dispatch<HistoryAction>
} | null>(null)

export type Navigation = {
  readonly view: View
  readonly key: number
  readonly direction: Direction | null
  readonly depth: number
  readonly canGoBack: boolean
  push(view: View): void
  replace(view: View): void
  back(): void
  reset(view: View): void
  readonly dispatch: Dispatch<HistoryAction>
}

export function useNavigation(): Navigation {
  const context = use(HistoryContext)
  const current = context?.history.entries.at(-1)
  if (context === null || current === undefined) throw new Error('useNavigation needs a HistoryContext')
  const { history, dispatch } = context
  const depth = history.entries.length - 1
  return {
    view: current.view,
    key: current.key,
    direction: history.direction,
    depth,
    canGoBack: depth > 0,
    push: (view) => dispatch({ kind: 'push', view }),
    replace: (view) => dispatch({ kind: 'replace', view }),
    back: () => dispatch({ kind: 'back' }),
    reset: (view) => dispatch({ kind: 'reset', view }),
    dispatch,
  }
}

/** Replaces a view that has become empty; null: not empty. Account resets the history. */
export function useRedirect(to: View | null): void {
  const { dispatch } = useNavigation()
  useLayoutEffect(() => {
    if (to !== null) dispatch({ kind: to === 'Account' ? 'reset' : 'replace', view: to })
  }, [to, dispatch])
}
