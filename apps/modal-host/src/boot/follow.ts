/**
 * View changes that the host's state causes, without user input.
 *
 * 1. An opening shows the view that it requests, with an empty history.
 * 2. While closed, the most likely next view is prepared: Account if there is an account to show, UnsupportedChain on a
 *    network that the dapp does not support, else Connect (spec §2).
 * 3. A new connection goes to the same view, with an empty history.
 * 4. Account and UnsupportedChain go to Connect when the connection ends. SwitchActiveChain ends when it no longer
 *    applies: a wallet of the active network's namespace is connected, or no wallet is.
 * 5. A connection that moves to a network that the dapp does not support goes from Account to UnsupportedChain, and
 *    back when it returns to a supported one (spec §4).
 * 6. The view of an attempt follows its kind: a page wallet, WalletConnect with a wallet's own links, or WalletConnect
 *    with any wallet.
 * 7. The view of a sign-in follows its step, one level below Connect. After sign-in, with an account to show, the view
 *    is home.
 * 8. A request that needs the user's approval covers the current view, which returns when no request is left (spec §4).
 * 9. The view of an email change follows its step. Views about the embedded wallet's owner end on sign-out.
 * 10. Feature views are about an account: they end with the last connection.
 * 11. A sign-in prompt goes home once it is answered. Until then no earlier move home bypasses it (a view that is still
 *     loading may arrive late).
 */
import type { HostSnapshot } from '../snapshot/contract'
import { type Held, heldOf } from '../view-kit/held'
import {
  isAttemptView,
  isEmailChangeView,
  isFeatureView,
  isSignInView,
  type View,
  viewOfAttempt,
  viewOfEmailChange,
  viewOfSignIn,
} from '../view-kit/navigation'

export type Followed = Pick<
  HostSnapshot,
  | 'open'
  | 'opening'
  | 'connections'
  | 'activeNetworkId'
  | 'connectAttempt'
  | 'signIn'
  | 'emailChange'
  | 'embedded'
  | 'approvals'
  | 'signInPrompt'
>

export const behind = 'behind'
/** `stepIn` adds to the history, otherwise it replaces the view. */
export type Move = { readonly to: View | typeof behind; readonly stepIn: boolean }

/** `arrived`: key of the last followed opening. */
export type Here = { readonly view: View; readonly depth: number; readonly arrived: number | null }

export function nextMove(here: Here, snapshot: Followed): Move | null {
  const to = nextView(here, snapshot)
  if (to === null) return null
  const isThere = snapshot.open && here.arrived === snapshot.opening.key
  const onTop = to === 'ApproveTransaction' || (to !== behind && isSignInView(to) && !isSignInView(here.view))
  return { to, stepIn: isThere && onTop }
}

export function nextView(here: Here, snapshot: Followed): View | typeof behind | null {
  const { open, opening, approvals, embedded } = snapshot
  const held = heldOf(snapshot)
  if (!open) return unlessThere(here, homeOf(held))
  if (here.arrived !== opening.key) return unlessThere(here, opening.view)
  if (here.view === 'ApproveTransaction')
    return approvals.length > 0 ? null : here.depth > 0 ? behind : unlessHere(here, homeOf(held))
  if (approvals.length > 0) return 'ApproveTransaction'
  if (isAttemptView(here.view) || here.view === 'GetWallet') return afterAttempt(here, snapshot, held)
  if (here.view === 'Connect' || isSignInView(here.view)) return afterSignIn(here, snapshot, held)
  if (ownersViews.has(here.view) && embedded === null) return homeOf(held)
  if (here.view === 'UpdateEmail' || isEmailChangeView(here.view))
    return snapshot.emailChange === null ? null : unlessHere(here, viewOfEmailChange(snapshot.emailChange))
  if (here.view === 'SwitchActiveChain')
    return held === null || snapshot.activeNetworkId?.startsWith(`${held.namespace}:`) ? homeOf(held) : null
  if (here.view === 'SIWXSignMessage' || here.view === 'ConnectingSiwe')
    return snapshot.signInPrompt === null ? homeOf(held) : null
  if (held === null && isFeatureView(here.view)) return 'Connect'
  if (here.view === 'Account' || here.view === 'UnsupportedChain')
    return unlessHere(here, opening.view === snapshot.signInPrompt?.view ? opening.view : homeOf(held))
  return null
}

const ownersViews: ReadonlySet<View> = new Set([
  'AccountTypes',
  'WalletSecurity',
  'UpdateEmail',
  'UpdateEmailPrimaryOtp',
  'UpdateEmailSecondaryOtp',
  'DeleteAccount',
])

function afterAttempt(here: Here, { connectAttempt }: Followed, held: Held | null): View | null {
  if (connectAttempt?.status.kind === 'connected') return homeOf(held)
  if (connectAttempt === null || here.view === 'GetWallet') return null
  return unlessHere(here, viewOfAttempt(connectAttempt))
}

function afterSignIn(here: Here, { signIn, embedded }: Followed, held: Held | null): View | null {
  if (signIn !== null) return unlessHere(here, viewOfSignIn(signIn))
  return isSignInView(here.view) && embedded !== null && held !== null ? homeOf(held) : null
}

function homeOf(held: Held | null): View {
  if (held === null) return 'Connect'
  return held.unsupported ? 'UnsupportedChain' : 'Account'
}

function unlessThere(here: Here, view: View): View | null {
  return here.view === view && here.depth === 0 ? null : view
}

function unlessHere(here: Here, view: View | null): View | null {
  return here.view === view ? null : view
}
