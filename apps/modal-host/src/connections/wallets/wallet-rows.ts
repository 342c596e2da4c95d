import { type ConnectorGroup, connectorGroups, limits, type WalletEntry } from '@postern/protocol'
import type { WalletRow } from '../../snapshot/contract'
import type { StoredRecent } from '../sessions/stored'
import { mergeWallets, type WalletCandidate, type WalletKnowledge } from './merge-wallets'

export type WalletSources = WalletKnowledge & {
  readonly recent: readonly StoredRecent[]
  /** Ids, rdns, directory ids or explorer ids (spec §2). An empty list has no effect. */
  readonly featured: readonly string[]
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly order: readonly ConnectorGroup[]
}

export const walletConnectRowId = 'walletConnect'

/**
 * Returns the rows of Connect in the order of spec §2.
 *
 * 1. A wallet is one row (see `mergeWallets`). Two wallets under one name are two rows, not marked as recent.
 * 2. A row is in the first group that it belongs to. The dapp's groups come first, in its order; recommended has only
 *    wallets of no other group.
 * 3. Excluded wallets are never shown; with an include list, only its wallets are.
 * 4. Featured and custom wallets are in the dapp's order, recommended ones in the directory's, four at most (spec §9).
 * 5. Only wallets of the configured namespaces are shown, or of the wanted one.
 * 6. A recent wallet that is neither in the page nor in the directory cannot be connected, and is omitted. Two are
 *    stored (spec §9).
 * 7. WalletConnect has its own row while offered and not connected. While offered, it reaches wallets that have a link.
 */
export function walletRows(sources: WalletSources): readonly WalletRow[] {
  const candidates = mergeWallets(sources).filter((candidate) => isWanted(candidate, sources))
  const named = (name: string) => candidates.filter(({ names }) => names.includes(name))
  const members: Record<Exclude<ConnectorGroup, 'walletConnect' | 'recommended'>, WalletCandidate[]> = {
    recent: sources.recent
      .slice(0, limits.recentWallets)
      .flatMap(({ id, rdns }) => onlyOne(named(id)) ?? onlyOne(named(rdns ?? id)) ?? []),
    injected: candidates.filter(({ place }) => place === 'page'),
    featured: sources.featured.flatMap(named),
    custom: sources.custom.flatMap(({ id }) => named(id)),
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
      if (!rows.has(candidate.id)) rows.set(candidate.id, toRow(candidate, group))
  }
  return [...rows.values()]
}

/** The wallet of that name, unless excluded. Null if several have the name: the user chooses. */
export function findRow(name: string, sources: WalletSources): WalletRow | null | undefined {
  const [candidate, other] = mergeWallets(sources).filter(({ names }) => names.includes(name))
  if (other !== undefined) return null
  if (candidate === undefined || !isWanted(candidate, sources)) return undefined
  return toRow(candidate, candidate.place === 'page' ? 'injected' : 'recommended')
}

export function rowOfEntry(entry: WalletEntry, sources: WalletSources): WalletRow {
  const entries = [...sources.entries.filter(({ id }) => id !== entry.id), entry]
  const find = (pageWallets: WalletSources['pageWallets']) =>
    onlyOne(mergeWallets({ ...sources, entries, pageWallets }).filter(({ names }) => names.includes(entry.id)))
  const candidate = find(sources.pageWallets) ?? find([])
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

function onlyOne<T>(found: readonly T[]): T | undefined {
  return found.length === 1 ? found[0] : undefined
}

function toRow({ names: _names, place: _place, ...row }: WalletCandidate, group: ConnectorGroup): WalletRow {
  return { ...row, group }
}

function isWanted({ names }: WalletCandidate, { include, exclude }: WalletSources): boolean {
  if (names.some((name) => exclude.includes(name))) return false
  return include.length === 0 || names.some((name) => include.includes(name))
}
