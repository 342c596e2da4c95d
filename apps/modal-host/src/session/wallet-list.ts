import type { CaipNetworkId, Init, Namespace, ProjectPage, WalletEntry } from '@postern/protocol'
import type { PageWallets } from '../connectors/page-wallets'
import type { DirectoryClient } from '../services/directory'
import type { HostDirectory } from './contract'
import type { SnapshotStore } from './snapshot'
import type { StoredRecent } from './stored'
import { walletRows } from './wallet-rows'

export type WalletList = { refresh(): void; readonly directory: HostDirectory; end(): void }

export type WalletListOptions = {
  readonly store: SnapshotStore
  readonly init: Pick<Init, 'featuredWallets' | 'includeWallets' | 'excludeWallets'>
  readonly project: Pick<ProjectPage, 'wallets'>
  readonly pageWallets: PageWallets
  readonly recent: () => readonly StoredRecent[]
  readonly namespaces: readonly Namespace[]
  readonly chains: readonly CaipNetworkId[]
  readonly directory: DirectoryClient
}

/**
 * Keeps the rows of Connect in the snapshot.
 *
 * 1. The first rows need no request: the page carries the directory's first page.
 * 2. Wallets that the dapp or the visitor's past name, and that page lacks, are asked for once; the rows follow when they are there.
 *    Without an answer the list is shorter, and nothing else.
 */
export function createWalletList(options: WalletListOptions): WalletList {
  const { store, project, pageWallets, recent, namespaces, chains, directory } = options
  const { featuredWallets: featured = [], includeWallets: include = [], excludeWallets: exclude = [] } = options.init
  const controller = new AbortController()
  let entries: readonly WalletEntry[] = project.wallets

  function refresh(): void {
    store.setState({
      wallets: walletRows({
        pageWallets: pageWallets.list(),
        entries,
        recent: recent(),
        namespaces,
        featured,
        include,
        exclude,
        imageUrl: directory.imageUrl,
      }),
    })
  }

  async function addMissing(): Promise<void> {
    const known = new Set(entries.flatMap(({ id, rdns }) => (rdns ? [id, rdns] : [id])))
    const named = [...featured, ...include, ...recent().map(({ id }) => id)]
    const missing = [...new Set(named)].filter((name) => !known.has(name) && !name.startsWith('injected:'))
    if (missing.length === 0) return
    const page = await directory.wallets({ include: missing }, controller.signal).catch(() => null)
    if (page === null || controller.signal.aborted) return
    entries = [...entries, ...page.wallets.filter(({ id }) => !known.has(id))]
    refresh()
  }

  refresh()
  void addMissing()

  return {
    refresh,
    directory: {
      wallets: (query, signal) => directory.wallets({ ...query, include, exclude, chains }, signal),
      imageUrl: directory.imageUrl,
    },
    end: () => controller.abort(),
  }
}
