import { limits, type Namespace, type PageWallet, type WalletEntry } from '@postern/protocol'
import { stableIdOf } from '../connectors/connector'
import type { ConnectorGroup, WalletRow } from './contract'
import type { StoredRecent } from './stored'

export type WalletSources = {
  readonly pageWallets: readonly PageWallet[]
  /** What is known of the directory, in its order: the first page and the featured ones. */
  readonly entries: readonly WalletEntry[]
  readonly recent: readonly StoredRecent[]
  /** Namespaces of the configured networks, the default one first. */
  readonly namespaces: readonly Namespace[]
  /** Ids, rdns or directory ids (spec §2). An empty list says nothing. */
  readonly featured: readonly string[]
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly imageUrl: (entry: WalletEntry) => string | undefined
}

type Candidate = Omit<WalletRow, 'group'> & { readonly names: readonly string[]; readonly isInPage: boolean }

/**
 * The rows of Connect in the order of spec §2: recent, injected, featured, recommended. (The groups walletConnect, custom and
 * external stand between them in the contract and are filled by the connectors that they name.)
 *
 * 1. A wallet is one row, however often it is announced or listed: a wallet of the page and an entry of the directory with the same rdns are
 *    the same wallet, and so is one rdns in two namespaces. The row then has the page's name and icon, and the entry's links.
 * 2. A row stands in the first group that it belongs to.
 * 3. Excluded wallets are never shown; with an include list no others are. Both hold for the page's wallets too.
 * 4. Featured ones stand in the dapp's order, recommended ones in the directory's, four at most (spec §9).
 * 5. Only wallets of the configured namespaces are shown.
 * 6. A recent wallet that is neither in the page nor in the directory is left out: there is nothing to do with it.
 */
export function walletRows(sources: WalletSources): readonly WalletRow[] {
  const candidates = mergeCandidates(sources).filter((candidate) => isWanted(candidate, sources))
  const taken = new Set<string>()
  const rows: WalletRow[] = []

  function take(group: ConnectorGroup, candidate: Candidate | undefined): void {
    if (candidate === undefined || taken.has(candidate.id)) return
    taken.add(candidate.id)
    const { names: _names, isInPage: _isInPage, ...row } = candidate
    rows.push({ ...row, group })
  }
  const named = (name: string | undefined) => candidates.find(({ names }) => name !== undefined && names.includes(name))

  for (const { id, rdns } of sources.recent.slice(0, limits.recentWallets)) take('recent', named(id) ?? named(rdns))
  for (const candidate of candidates) if (candidate.isInPage) take('injected', candidate)
  for (const name of sources.featured) take('featured', named(name))
  const rest = candidates.filter(({ id }) => !taken.has(id))
  for (const candidate of rest.slice(0, limits.recommendedWallets)) take('recommended', candidate)
  return rows
}

/** Page wallets first, in the order of their announcement, then what only the directory knows. */
function mergeCandidates({ pageWallets, entries, namespaces, imageUrl }: WalletSources): readonly Candidate[] {
  const byId = new Map<string, Candidate>()
  for (const wallet of pageWallets) {
    if (!namespaces.includes(wallet.namespace)) continue
    const id = stableIdOf(wallet)
    const entry = wallet.rdns === undefined ? undefined : entries.find(({ rdns }) => rdns === wallet.rdns)
    const known = byId.get(id)
    const connectors = known?.connectors ?? []
    if (connectors.some(({ namespace }) => namespace === wallet.namespace)) continue
    const picture = known?.imageUrl ?? wallet.icon ?? (entry && imageUrl(entry))
    byId.set(id, {
      id,
      name: known?.name ?? wallet.name,
      ...(picture !== undefined && { imageUrl: picture }),
      connectors: [...connectors, { connectorId: wallet.id, namespace: wallet.namespace }],
      ...(entry && { entry }),
      names: [id, wallet.id, ...(entry ? [entry.id] : [])],
      isInPage: true,
    })
  }
  for (const entry of entries) {
    if (!servesNamespaces(entry, namespaces) || (entry.rdns && byId.has(entry.rdns))) continue
    const id = entry.id
    if (byId.has(id)) continue
    const picture = imageUrl(entry)
    byId.set(id, {
      id,
      name: entry.name,
      ...(picture !== undefined && { imageUrl: picture }),
      connectors: [],
      entry,
      names: [id, ...(entry.rdns ? [entry.rdns] : [])],
      isInPage: false,
    })
  }
  return [...byId.values()]
}

function isWanted({ names }: Candidate, { include, exclude }: WalletSources): boolean {
  if (names.some((name) => exclude.includes(name))) return false
  return include.length === 0 || names.some((name) => include.includes(name))
}

/** As the directory has it: an entry that names no chain serves none that was asked for. */
function servesNamespaces({ chains }: WalletEntry, namespaces: readonly Namespace[]): boolean {
  return (chains ?? []).some((chain) => namespaces.some((namespace) => chain.startsWith(`${namespace}:`)))
}
