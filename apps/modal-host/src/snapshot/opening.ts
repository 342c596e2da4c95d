import type { Connection, Namespace } from '@postern/protocol'
import { parseCaipNetworkId } from '@postern/protocol'
import { isLegalDue } from './features'
import type { HostSnapshot } from './host-snapshot'
import type { Modal } from './modal'
import type { View } from './views'
import type { WalletRow } from './wallet-row'

export type Opening = { readonly view: View; readonly connect?: WalletRow }

export type Surroundings = {
  readonly isMobile: boolean
  /** The dapp's own connectors are in every browser: they do not indicate a wallet's own browser. */
  readonly isExternal: (connectorId: string) => boolean
}

/**
 * Returns the default view (spec §2).
 *
 * Account if any namespace has an account; UnsupportedChain if the active one is on a network that the dapp does not
 * support (spec §4). Else the view of `connectOpening`.
 */
export function openingOf(snapshot: HostSnapshot, surroundings: Surroundings): Opening {
  const connection = accountConnection(snapshot)
  if (connection === null) return connectOpening(snapshot, surroundings)
  return { view: isUnsupported(connection) ? 'UnsupportedChain' : 'Account' }
}

/**
 * Returns the view for choosing a wallet (spec §2).
 *
 * 1. Connect if it has what AllWallets lacks: terms to accept, a disclaimer, a question, the only method that the dapp
 *    asks for, or the user's own wallet.
 * 2. A mobile browser with exactly one wallet in the page (a wallet's own browser) asks that wallet at once.
 * 3. Other mobile browsers: AllWallets, if there are any; else Connect.
 */
export function connectOpening(snapshot: HostSnapshot, { isMobile, isExternal }: Surroundings): Opening {
  if (!isMobile || hasMoreInConnect(snapshot)) return { view: 'Connect' }
  const inPage = snapshot.wallets.filter(({ connectors }) => connectors.some((one) => !isExternal(one.connectorId)))
  const [only, ...others] = inPage
  if (only !== undefined && others.length === 0) return { view: 'ConnectingExternal', connect: only }
  const hasDirectory = snapshot.directoryCount !== null && snapshot.directoryCount > 0
  return { view: only === undefined && hasDirectory ? 'AllWallets' : 'Connect' }
}

function hasMoreInConnect(snapshot: HostSnapshot): boolean {
  const { brand, consentAsked, wantedMethod, embedded, walletKept } = snapshot
  const hasOwnWallet = embedded !== null || walletKept
  return isLegalDue(snapshot) || !!brand.disclaimer || consentAsked || wantedMethod !== null || hasOwnWallet
}

/** The active namespace's, else the first with an account. */
export function accountConnection(snapshot: Pick<HostSnapshot, 'connections' | 'activeNetworkId'>): Connection | null {
  const active = activeNamespaceOf(snapshot)
  const own = active && snapshot.connections[active]
  if (own !== undefined && hasAccount(own)) return own
  return (
    Object.values(snapshot.connections).find((connection) => connection !== undefined && hasAccount(connection)) ?? null
  )
}

export function activeNamespaceOf({ activeNetworkId }: Pick<HostSnapshot, 'activeNetworkId'>): Namespace | undefined {
  return activeNetworkId === null ? undefined : parseCaipNetworkId(activeNetworkId).namespace
}

/** True also while reconnecting. */
export function hasAccount(connection: Connection): boolean {
  return connection.status !== 'disconnected' && connection.accounts !== undefined
}

export function isUnsupported(connection: Connection | null | undefined): boolean {
  return connection?.status === 'connected' && connection.unsupported === true
}

/** Shows the user's next step or new wallet, or closes the modal unless it stays open. */
export function leaveConnecting(
  store: { getState(): HostSnapshot },
  modal: Pick<Modal, 'open' | 'close'>,
  end: 'close' | 'stay' | 'newWallet' = 'close',
): void {
  const { signInPrompt } = store.getState()
  if (isUnsupported(accountConnection(store.getState()))) modal.open('UnsupportedChain')
  else if (signInPrompt !== null) modal.open(signInPrompt.view)
  else if (end === 'newWallet') modal.open('WalletReady')
  else if (end === 'close') modal.close()
}
