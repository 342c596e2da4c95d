/**
 * The moves between views without a press of the user. *Home* is Account, UnsupportedChain on a network that the dapp
 * does not know, or without an account Connect (spec §2).
 *
 * 1. An opening shows the view that it names, without Back.
 * 2. While the modal is closed, home is prepared for the next opening.
 * 3. A new connection leads home, without Back.
 * 4. Account and UnsupportedChain end with the connection. SwitchActiveChain ends once the active network's namespace
 *    is connected, or no wallet at all.
 * 5. Account becomes UnsupportedChain on a network that the dapp does not know, and back (spec §4).
 * 6. A connection attempt shows the view of its kind.
 * 7. A sign-in shows the view of its step, one step in from Connect. Signed in and with an account, it leads home.
 * 8. A request that waits for approval covers the current view, which returns after the last request (spec §4).
 * 9. A change of the email address shows the view of its step. Views of the embedded wallet's owner end with the
 *    sign-in.
 * 10. Other views about an account (`snapshot/views.ts`) end with the last connection.
 * 11. The views of a sign-in with the wallet lead home once it is settled. An earlier move home does not skip them.
 * 12. WalletRequest ends with the last request to a wallet on another device.
 */
import type { HostSnapshot } from '../../snapshot/contract'
import { factsOfView, type View } from '../../snapshot/views'
import { activeAccount, type ConnectedAccount } from '../../view-kit/connected-account'
import { viewOfAttempt, viewOfEmailChange, viewOfSignIn } from '../../view-kit/navigation'

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
  | 'walletRequests'
  | 'signInPrompt'
>

export const behind = 'behind'
/** `stepIn` adds to the history; otherwise the view is replaced. */
export type Move = { readonly to: View | typeof behind; readonly stepIn: boolean }

/** `arrived`: key of the last followed opening. */
export type Here = { readonly view: View; readonly depth: number; readonly arrived: number | null }

export function nextMove(here: Here, snapshot: Followed): Move | null {
  const to = nextView(here, snapshot)
  if (to === null) return null
  const isThere = snapshot.open && here.arrived === snapshot.opening.key
  const onTop = to === 'ApproveTransaction' || (to !== behind && isOfSignIn(to) && !isOfSignIn(here.view))
  return { to, stepIn: isThere && onTop }
}

export function nextView(here: Here, snapshot: Followed): View | typeof behind | null {
  const { open, opening, approvals, embedded } = snapshot
  const account = activeAccount(snapshot)
  const facts = factsOfView(here.view)
  if (!open) return unlessAtRoot(here, homeOf(account))
  if (here.arrived !== opening.key) return unlessAtRoot(here, opening.view)
  if (here.view === 'ApproveTransaction')
    return approvals.length > 0 ? null : here.depth > 0 ? behind : unlessCurrent(here, homeOf(account))
  if (approvals.length > 0) return 'ApproveTransaction'
  if (here.view === 'WalletRequest') return snapshot.walletRequests.length > 0 ? null : homeOf(account)
  if (facts.for === 'attempt') return afterAttempt(here, snapshot, account)
  if (here.view === 'Connect' || facts.for === 'signIn') return afterSignIn(here, snapshot, account)
  if (facts.for === 'owner' && embedded === null) return homeOf(account)
  if (here.view === 'UpdateEmail' || facts.back === 'cancelsEmailChange')
    return snapshot.emailChange === null ? null : unlessCurrent(here, viewOfEmailChange(snapshot.emailChange))
  if (here.view === 'SwitchActiveChain')
    return account === null || snapshot.activeNetworkId?.startsWith(`${account.namespace}:`) ? homeOf(account) : null
  if (facts.for === 'prompt') return snapshot.signInPrompt === null ? homeOf(account) : null
  if (facts.home)
    return unlessCurrent(here, opening.view === snapshot.signInPrompt?.view ? opening.view : homeOf(account))
  return account === null && facts.for === 'account' ? 'Connect' : null
}

function isOfSignIn(view: View): boolean {
  return factsOfView(view).for === 'signIn'
}

function afterAttempt(here: Here, { connectAttempt }: Followed, account: ConnectedAccount | null): View | null {
  if (connectAttempt?.status.kind === 'connected') return homeOf(account)
  if (connectAttempt === null || here.view === 'GetWallet') return null
  return unlessCurrent(here, viewOfAttempt(connectAttempt))
}

function afterSignIn(here: Here, { signIn, embedded }: Followed, account: ConnectedAccount | null): View | null {
  if (signIn !== null) return unlessCurrent(here, viewOfSignIn(signIn))
  return isOfSignIn(here.view) && embedded !== null && account !== null ? homeOf(account) : null
}

function homeOf(account: ConnectedAccount | null): View {
  if (account === null) return 'Connect'
  return account.unsupported ? 'UnsupportedChain' : 'Account'
}

function unlessAtRoot(here: Here, view: View): View | null {
  return here.view === view && here.depth === 0 ? null : view
}

function unlessCurrent(here: Here, view: View | null): View | null {
  return here.view === view ? null : view
}
