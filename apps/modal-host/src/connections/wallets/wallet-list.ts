import {
  type CaipNetworkId,
  type ConnectMethod,
  connectMethods,
  type Features,
  type Init,
  type Namespace,
  type ProjectPage,
  type WalletEntry,
} from '@postern/protocol'
import type { PageWallets } from '../../connectors/page-wallets'
import type { DirectoryClient } from '../../services/directory'
import type { HostDirectory, HostSnapshot, WalletRow } from '../../snapshot/contract'
import type { SnapshotStore } from '../../snapshot/store'
import type { StoredRecent } from '../sessions/stored'
import { mergeWallets, namesOf } from './merge-wallets'
import {
  findRow,
  rowOfEntry,
  type WalletSources,
  walletConnectRow,
  walletConnectRowId,
  walletRows,
} from './wallet-rows'

export type WalletList = {
  refresh(): void
  /** Resolves once the dapp's wallets are known (rule 2). */
  readonly listed: Promise<void>
  rowOf(entry: WalletEntry): WalletRow
  /** By id, rdns or directory id, also in the directory. Null if none or several have the name. */
  find(name: string): WalletRow | null | Promise<WalletRow | null>
  setFeatures(features: Features): void
  /** The wallet has connectors in other namespaces. */
  isMulti(connectorId: string): boolean
  readonly directory: HostDirectory
  end(): void
}

export type WalletListOptions = {
  readonly store: SnapshotStore
  readonly init: Pick<
    Init,
    | 'featuredWallets'
    | 'includeWallets'
    | 'excludeWallets'
    | 'customWallets'
    | 'connectorTypeOrder'
    | 'connectMethodsOrder'
  >
  readonly project: Pick<ProjectPage, 'wallets' | 'wallet'> & { readonly features: Features }
  readonly pageWallets: PageWallets
  readonly recent: () => readonly StoredRecent[]
  readonly namespaces: readonly Namespace[]
  readonly chains: readonly CaipNetworkId[]
  readonly isWalletConnectOffered: boolean
  readonly directory: DirectoryClient
  readonly warn: (text: string) => void
}

/**
 * Keeps the rows of Connect, and the order of the connect methods, in the snapshot.
 *
 * 1. The first rows need no request: the page carries the directory's first page.
 * 2. Other wallets that are recent or named by the dapp are fetched once. A failure only makes the list shorter.
 * 3. The rows follow the wanted namespace, and whether WalletConnect is connected.
 * 4. If the dapp includes wallets, All wallets counts those that the page or the directory knows; before the directory
 *    answers, all of their names. If none is known, every wallet is shown, with one warning.
 */
export function createWalletList(options: WalletListOptions): WalletList {
  const { store, project, pageWallets, recent, namespaces, chains, directory } = options
  const {
    featuredWallets: featured = [],
    includeWallets: include = [],
    excludeWallets: exclude = [],
    customWallets: custom = [],
    connectorTypeOrder: order = [],
    connectMethodsOrder,
  } = options.init
  const { directoryCount } = store.getState()
  const controller = new AbortController()
  let entries: readonly WalletEntry[] = project.wallets
  let signInMethods = signInMethodsOf(project)
  let isDirectoryAsked = false
  let isWarned = false

  function sources(): WalletSources {
    return { ...allSources(), include: knownInclude() }
  }

  /** Rule 4: empty if it names no known wallet. */
  function knownInclude(): readonly string[] {
    if (!isDirectoryAsked || include.length === 0 || !include.every(isOfDirectory)) return include
    if (findIncluded().length > 0) return include
    if (!isWarned) options.warn('`includeWallets` names no known wallet: all are shown.')
    isWarned = true
    return []
  }

  function findIncluded() {
    const known = mergeWallets({ ...allSources(), wanted: null })
    return known.filter(({ names }) => names.some((name) => include.includes(name)))
  }

  function allSources(): WalletSources {
    return {
      pageWallets: pageWallets.list(),
      entries,
      recent: recent(),
      namespaces,
      wanted: store.getState().wantedNamespace,
      featured,
      include,
      exclude,
      custom,
      order,
      walletConnect: !options.isWalletConnectOffered
        ? 'off'
        : isConnectedByIt(store.getState())
          ? 'connected'
          : 'offered',
      imageUrl: directory.imageUrl,
    }
  }

  function refresh(): void {
    const listed = sources()
    const wallets = walletRows(listed)
    // The dapp's own wallets are in every browser.
    const external = new Set(pageWallets.list().flatMap(({ id, type }) => (type === 'EXTERNAL' ? [id] : [])))
    const hasPageWallet = wallets.some(({ connectors }) => connectors.some((one) => !external.has(one.connectorId)))
    store.setState({
      wallets,
      directoryCount:
        listed.include.length === 0 ? directoryCount : isDirectoryAsked ? findIncluded().length : listed.include.length,
      connectMethods: connectMethodsOf({
        offered: offeredMethods(signInMethods),
        hasPageWallet,
        order: connectMethodsOrder,
      }),
    })
  }

  async function addMissing(): Promise<void> {
    const knownNames = new Set([...entries.flatMap(namesOf), ...custom.flatMap(namesOf)])
    // Only the directory knows which page wallet an explorer id means.
    const excludedIds = exclude.filter(({ length }) => length === 64)
    const named = [...featured, ...include, ...excludedIds, ...recent().map(({ id }) => id)]
    const missing = [...new Set(named)].filter((name) => !knownNames.has(name) && isOfDirectory(name))
    if (missing.length > 0) {
      const page = await directory.wallets({ include: missing }, controller.signal).catch(() => null)
      if (page === null || controller.signal.aborted) return
      entries = [...entries, ...page.wallets.filter(({ id }) => !knownNames.has(id))]
    }
    isDirectoryAsked = true
    refresh()
  }

  async function findInDirectory(name: string): Promise<WalletRow | null> {
    if (!isOfDirectory(name)) return null
    const page = await directory.wallets({ include: [name] }, controller.signal).catch(() => null)
    const [entry] = page?.wallets ?? []
    return entry === undefined ? null : rowOfEntry(entry, sources())
  }

  store.setState({ signInMethods })
  refresh()
  const listed = addMissing()
  const stop = store.subscribe((snapshot, before) => {
    const isOther = snapshot.wantedNamespace !== before.wantedNamespace
    if (isOther || isConnectedByIt(snapshot) !== isConnectedByIt(before)) refresh()
  })

  return {
    refresh,
    listed,
    isMulti(connectorId) {
      const isOf = ({ connectors }: Pick<WalletRow, 'connectors'>) =>
        connectors.some((connector) => connector.connectorId === connectorId)
      const wallet = mergeWallets({ ...sources(), wanted: null }).find(isOf)
      return wallet !== undefined && wallet.connectors.length > 1
    },
    rowOf: (entry) => rowOfEntry(entry, sources()),
    find(name) {
      if (name === walletConnectRowId && options.isWalletConnectOffered) return walletConnectRow
      const row = findRow(name, sources())
      return row === undefined ? findInDirectory(name) : row
    },
    setFeatures(features) {
      signInMethods = signInMethodsOf({ ...project, features })
      store.setState({ signInMethods })
      refresh()
    },
    directory: {
      wallets(query, signal) {
        const wanted = store.getState().wantedNamespace
        const narrowed = wanted === null ? chains : chains.filter((chain) => chain.startsWith(`${wanted}:`))
        return directory.wallets({ ...query, include: knownInclude(), exclude, chains: narrowed }, signal)
      },
      imageUrl: directory.imageUrl,
    },
    end() {
      stop()
      controller.abort()
    },
  }
}

/** The gateway supports and the project enables them (spec §1). Farcaster counts as a social account. */
export function signInMethodsOf({
  wallet,
  features,
}: Pick<ProjectPage, 'wallet'> & { readonly features: Features }): HostSnapshot['signInMethods'] {
  if (wallet === null) return { email: false, socials: [], farcaster: false }
  return {
    email: wallet.email && features.email,
    socials: features.socials.filter((provider) => wallet.socials.includes(provider)),
    farcaster: wallet.farcaster && features.socials.length > 0,
  }
}

function offeredMethods({ email, socials, farcaster }: HostSnapshot['signInMethods']): readonly ConnectMethod[] {
  return [
    ...(email ? ['email' as const] : []),
    ...(socials.length > 0 || farcaster ? ['social' as const] : []),
    'wallet',
  ]
}

/** The dapp's order first; then email, social, wallet, or with a page wallet, wallet first (spec §2). */
export function connectMethodsOf(options: {
  readonly offered: readonly ConnectMethod[]
  readonly hasPageWallet: boolean
  readonly order: readonly ConnectMethod[] | undefined
}): readonly ConnectMethod[] {
  const usual: readonly ConnectMethod[] = options.hasPageWallet ? ['wallet', 'email', 'social'] : connectMethods
  return [...new Set([...(options.order ?? []), ...usual])].filter((method) => options.offered.includes(method))
}

function isConnectedByIt({ connections, wantedNamespace }: HostSnapshot): boolean {
  const shown = wantedNamespace === null ? Object.values(connections) : [connections[wantedNamespace]]
  return shown.some(
    (connection) => connection?.status === 'connected' && connection.connector.type === 'WALLET_CONNECT',
  )
}

function isOfDirectory(name: string): boolean {
  return !/^(standard|injected|external):/.test(name) && name !== walletConnectRowId
}
