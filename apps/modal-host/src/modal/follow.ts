/**
 * Where the router must go by itself, without anybody pressing anything.
 *
 * 1. An opening shows the view that it asked for, with nothing to go back to.
 * 2. While closed, the view that the next opening will most likely ask for is made ready: Account with an account to show,
 *    UnsupportedChain on a network that the dapp does not know, else Connect (spec §2).
 * 3. A connection made leads there too, with nothing to go back to.
 * 4. Account and UnsupportedChain end with the connection: Connect. SwitchActiveChain ends with what it explains: a wallet of the active
 *    network's namespace is connected, or none of any.
 * 5. A connection that moves to a network that the dapp does not know leads from Account to UnsupportedChain, and back once it is known (spec §4).
 * 6. An attempt is shown by the view of its kind: in the page, or by WalletConnect with a wallet's own links or with any wallet.
 */
import type { HostSnapshot } from '../session/contract'
import { type Held, heldOf } from '../views/held'
import { isAttemptView, type View, viewOfAttempt } from '../views/navigation'

export type Followed = Pick<HostSnapshot, 'open' | 'opening' | 'connections' | 'activeNetworkId' | 'connectAttempt'>

/** `arrived` is the key of the last opening that was followed. */
export type Here = { readonly view: View; readonly depth: number; readonly arrived: number | null }

/** The view to go to, or null to stay. */
export function nextView(here: Here, snapshot: Followed): View | null {
  const { open, opening, connectAttempt } = snapshot
  const held = heldOf(snapshot)
  if (!open) return unlessThere(here, homeOf(held))
  if (here.arrived !== opening.key) return unlessThere(here, opening.view)
  if (isAttemptView(here.view) || here.view === 'GetWallet') {
    if (connectAttempt?.status.kind === 'connected') return homeOf(held)
    if (connectAttempt === null || here.view === 'GetWallet') return null
    const shown = viewOfAttempt(connectAttempt)
    return here.view === shown ? null : shown
  }
  if (here.view === 'SwitchActiveChain')
    return held === null || snapshot.activeNetworkId?.startsWith(`${held.namespace}:`) ? homeOf(held) : null
  if (here.view === 'Account' || here.view === 'UnsupportedChain')
    return here.view === homeOf(held) ? null : homeOf(held)
  return null
}

function homeOf(held: Held | null): View {
  if (held === null) return 'Connect'
  return held.unsupported ? 'UnsupportedChain' : 'Account'
}

function unlessThere(here: Here, view: View): View | null {
  return here.view === view && here.depth === 0 ? null : view
}
