import { type ConnectorGroup, connectorGroups, limits, type WalletEntry } from '@postern/protocol'
import type { WalletRow } from '../snapshot/contract'
import { mergeWallets, type WalletCandidate, type WalletKnowledge } from './merge-wallets'
import type { StoredRecent } from './stored'

export type WalletSources = WalletKnowledge & {
  readonly recent: readonly StoredRecent[]
  /** Ids, rdns or directory ids (spec §2). An empty list says nothing. */
  readonly featured: readonly string[]
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  /** Groups that come first (`connectorTypeOrder`). */
  readonly order: readonly ConnectorGroup[]
}

/** Id of the row that is WalletConnect itself: a code for any wallet. */
export const walletConnectRowId = 'walletConnect'

/**
 * The rows of Connect in the order of spec §2: walletConnect, recent, injected, featured, custom, external, recommended.
 *
 * 1. A wallet is one row, however often it is announced or listed (see `mergeWallets`).
 * 2. A row stands in the first group that it belongs to. Groups that the dapp named come first, in its order; recommended is what no other
 *    group has, wherever it stands.
 * 3. Excluded wallets are never shown; with an include list no others are. Both hold for the page's wallets too.
 * 4. Featured and custom ones stand in the dapp's order, recommended ones in the directory's, four at most (spec §9).
 * 5. Only wallets of the configured namespaces are shown, and of the wanted one while one is wanted.
 * 6. A recent wallet that is neither in the page nor in the directory is left out: there is nothing to do with it. Two are kept (spec §9).
 * 7. WalletConnect itself is a row while it is offered and nobody is connected by it. Wallets with a link of their own can be reached by it
 *    while it is offered.
 */
export function walletRows(sources: WalletSources): readonly WalletRow[] {
  const candidates = mergeWallets(sources).filter((candidate) => isWanted(candidate, sources))
  const named = (name: string | undefined) => candidates.find(({ names }) => name !== undefined && names.includes(name))
  const members: Record<Exclude<ConnectorGroup, 'walletConnect' | 'recommended'>, (WalletCandidate | undefined)[]> = {
    recent: sources.recent.slice(0, limits.recentWallets).map(({ id, rdns }) => named(id) ?? named(rdns)),
    injected: candidates.filter(({ place }) => place === 'page'),
    featured: sources.featured.map(named),
    custom: sources.custom.map(({ id }) => named(id)),
    external: candidates.filter(({ place }) => place === 'external'),
  }
  const elsewhere = new Set(Object.values(members).flat())
  const recommended = candidates.filter((candidate) => !elsewhere.has(candidate)).slice(0, limits.recommendedWallets)

  const rows = new Map<string, WalletRow>()
  for (const group of new Set([...sources.order, ...connectorGroups])) {
    if (group === 'walletConnect') {
      if (sources.walletConnect === 'offered' && !sources.exclude.includes(walletConnectRowId))
        rows.set(walletConnectRowId, walletConnectRow)
      continue
    }
    for (const candidate of group === 'recommended' ? recommended : members[group])
      if (candidate !== undefined && !rows.has(candidate.id)) rows.set(candidate.id, toRow(candidate, group))
  }
  return [...rows.values()]
}

/** The row of an entry of the directory: the wallet in the page that it stands for, or one of its own. */
export function rowOfEntry(entry: WalletEntry, sources: WalletSources): WalletRow {
  const entries = [...sources.entries.filter(({ id }) => id !== entry.id), entry]
  const candidate = mergeWallets({ ...sources, entries }).find(({ names }) => names.includes(entry.id))
  return candidate === undefined
    ? { id: entry.id, name: entry.name, group: 'recommended', connectors: [], entry }
    : toRow(candidate, candidate.place === 'page' ? 'injected' : 'recommended')
}

export const walletConnectRow: WalletRow = {
  id: walletConnectRowId,
  name: 'WalletConnect',
  group: 'walletConnect',
  connectors: [],
  walletConnect: true,
}

function toRow({ names: _names, place: _place, ...row }: WalletCandidate, group: ConnectorGroup): WalletRow {
  return { ...row, group }
}

function isWanted({ names }: WalletCandidate, { include, exclude }: WalletSources): boolean {
  if (names.some((name) => exclude.includes(name))) return false
  return include.length === 0 || names.some((name) => include.includes(name))
}
