import type { Connection, Namespace } from '@postern/protocol'
import { parseCaipNetworkId } from '@postern/protocol'
import type { HostSnapshot, WalletRow } from './contract'
import { isLegalDue } from './features'
import type { Modal } from './modal'

/** What an opening shows; with `connect`, a wallet that is asked at once. */
export type Opening = { readonly view: HostSnapshot['opening']['view']; readonly connect?: WalletRow }

export type Surroundings = {
  /** A telephone or tablet, by its browser's own words. */
  readonly isMobile: boolean
  /** A wallet of the page that the dapp brought itself: there everywhere, and so no sign of a wallet's own browser. */
  readonly isExternal: (connectorId: string) => boolean
}

/**
 * What an opening that names no view shows (spec §2).
 *
 * 1. Account when any namespace is connected, or being found again with its account; UnsupportedChain where the active one is on a network
 *    that the dapp does not know (spec §4).
 * 2. Else where wallets are chosen, see `connectOpening`.
 */
export function openingOf(snapshot: HostSnapshot, surroundings: Surroundings): Opening {
  const held = heldConnection(snapshot)
  if (held === null) return connectOpening(snapshot, surroundings)
  return { view: isUnsupported(held) ? 'UnsupportedChain' : 'Account' }
}

/**
 * Where wallets are chosen (spec §2).
 *
 * 0. While the dapp's terms wait to be accepted: Connect, which asks for that.
 * 1. On a mobile browser with exactly one wallet in the page, which is then a wallet's own browser, that wallet is asked at once.
 * 2. On one with none, and no other way to connect than a wallet: AllWallets, if there are any.
 * 3. Else Connect.
 */
export function connectOpening(snapshot: HostSnapshot, { isMobile, isExternal }: Surroundings): Opening {
  if (!isMobile || isLegalDue(snapshot)) return { view: 'Connect' }
  const inPage = snapshot.wallets.filter(({ connectors }) => connectors.some((one) => !isExternal(one.connectorId)))
  const [only, ...others] = inPage
  if (only !== undefined && others.length === 0) return { view: 'ConnectingExternal', connect: only }
  const isWalletOnly = snapshot.connectMethods.every((method) => method === 'wallet')
  const hasDirectory = snapshot.directoryCount !== null && snapshot.directoryCount > 0
  return { view: only === undefined && isWalletOnly && hasDirectory ? 'AllWallets' : 'Connect' }
}

/** The connection that the modal is about: that of the active network's namespace, else the first that has an account. */
export function heldConnection(snapshot: Pick<HostSnapshot, 'connections' | 'activeNetworkId'>): Connection | null {
  const active = activeNamespaceOf(snapshot)
  const own = active && snapshot.connections[active]
  if (own !== undefined && isHeld(own)) return own
  return (
    Object.values(snapshot.connections).find((connection) => connection !== undefined && isHeld(connection)) ?? null
  )
}

export function activeNamespaceOf({ activeNetworkId }: Pick<HostSnapshot, 'activeNetworkId'>): Namespace | undefined {
  return activeNetworkId === null ? undefined : parseCaipNetworkId(activeNetworkId).namespace
}

/** A session that is being found again counts: it has its account already. */
export function isHeld(connection: Connection): boolean {
  return connection.status !== 'disconnected' && connection.accounts !== undefined
}

export function isUnsupported(connection: Connection | null | undefined): boolean {
  return connection?.status === 'connected' && connection.unsupported === true
}

/** What follows a connection that was just made: what is still wanted of the visitor, else the modal closes (or stays at home). */
export function leaveConnecting(
  store: { getState(): HostSnapshot },
  modal: Pick<Modal, 'open' | 'close'>,
  staysOpen = false,
): void {
  const { signInPrompt } = store.getState()
  if (isUnsupported(heldConnection(store.getState()))) modal.open('UnsupportedChain')
  else if (signInPrompt !== null) modal.open(signInPrompt.view)
  else if (!staysOpen) modal.close()
}
