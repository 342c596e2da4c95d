import type { SwapArguments, ViewName } from '@postern/protocol'
import type { WalletList } from '../connections/wallets/wallet-list'
import { walletConnectRow } from '../connections/wallets/wallet-rows'
import type { HostActions } from '../snapshot/contract'
import { absenceOf, isLegalDue, isOfAccount, isOffered } from '../snapshot/features'
import type { Modal } from '../snapshot/modal'
import {
  accountConnection,
  activeNamespaceOf,
  connectOpening,
  type Opening,
  openingOf,
  type Surroundings,
} from '../snapshot/opening'
import type { SnapshotStore } from '../snapshot/store'
import { factsOfView } from '../snapshot/views'
import { isInstalled, type WalletRow } from '../snapshot/wallet-row'

export type Opener = {
  /** Default: `openingOf`. Account views need an account and their feature; the developer learns if it is off. */
  open(view?: ViewName, swap?: SwapArguments): void
  openConnect(): void
  /** Asks the wallet at once, unless terms must be accepted first. */
  openWallet(row: WalletRow): void
  /** Opens Connect until the dapp's wallet is found. Connect stays if there is none or several. */
  openNamedWallet(name: string, find: WalletList['find']): void
}

/** Opens views, and starts what they need. */
export function createOpener(options: {
  readonly store: SnapshotStore
  readonly modal: Modal
  readonly begin: HostActions['connect']
  readonly surroundings: Surroundings
  readonly isWalletConnectOffered: boolean
  readonly warn: (text: string) => void
}): Opener {
  const { store, modal, begin, surroundings, isWalletConnectOffered, warn } = options

  function show({ view, connect }: Opening): void {
    modal.open(view)
    if (connect === undefined) return
    const { wantedNamespace, activeNetworkId } = store.getState()
    const preferred = wantedNamespace ?? activeNamespaceOf({ activeNetworkId })
    const { namespace } = connect.connectors.find((one) => one.namespace === preferred) ?? connect.connectors[0] ?? {}
    begin(connect, namespace)
  }

  function openConnect(): void {
    show(connectOpening(store.getState(), surroundings))
  }

  function openWallet(row: WalletRow): void {
    if (isLegalDue(store.getState())) {
      modal.open('Connect')
      return
    }
    const elsewhere = row.entry === undefined ? 'ConnectingWalletConnectBasic' : 'ConnectingWalletConnect'
    show({ view: isInstalled(row) ? 'ConnectingExternal' : elsewhere, connect: row })
  }

  return {
    open(view, swap) {
      const isThere = view !== undefined && isOffered(view, store.getState())
      if (view !== undefined && !isThere) warn(`Postern opens the default view: ${absenceOf(view, store.getState())}`)
      if (!isThere || (isOfAccount(view) && accountConnection(store.getState()) === null))
        return show(openingOf(store.getState(), surroundings))
      if (isLegalDue(store.getState()) && factsOfView(view).needsTerms) return modal.open('Connect')
      if (view !== 'ConnectingWalletConnectBasic') return modal.open(view, view === 'Swap' ? swap : undefined)
      if (!isWalletConnectOffered) return modal.open('Connect')
      modal.open(view)
      begin(walletConnectRow)
    },
    openConnect,
    openWallet,
    openNamedWallet(name, find) {
      const row = find(name)
      if (row !== null && !(row instanceof Promise)) return openWallet(row)
      openConnect()
      const { key } = store.getState().opening
      void Promise.resolve(row).then((found) => {
        if (found === null) warn(`Postern found no wallet "${name}", or several, so the user chooses.`)
        else if (store.getState().open && store.getState().opening.key === key) openWallet(found)
      })
    },
  }
}
