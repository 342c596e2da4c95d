import { limits, type Namespace, type WalletEntry, type WalletPage } from '@postern/protocol'
import type { Icon } from '../../platform/images/icon'
import type { WalletQuery } from './query'
import { fold, type Rank, rank, type Searchable, searchable } from './search'

export type DirectoryData = {
  /** In display order, unless `order` is set. */
  readonly wallets: readonly WalletEntry[]
  readonly icons: {
    /** By `image_id`. */
    readonly wallets: ReadonlyMap<string, Icon>
    /** By CAIP-2 id and by image id. */
    readonly networks: ReadonlyMap<string, Icon>
    /** By ISO 4217 code, upper case. */
    readonly currencies: ReadonlyMap<string, Icon>
    /** By symbol, upper case. */
    readonly tokens: ReadonlyMap<string, Icon>
  }
}

export type Directory = {
  /** A page of the matches, and their total number. */
  query(query: Partial<WalletQuery>): WalletPage
  /** For any subset of `namespaces`: the first `each` of every namespace (spec §9: 4). */
  recommended(namespaces: readonly Namespace[], each?: number): readonly WalletEntry[]
  count(namespaces: readonly Namespace[]): number
  walletImage(imageId: string): Icon | undefined
  networkImage(id: string): Icon | undefined
  currencyImage(code: string): Icon | undefined
  tokenImage(symbol: string): Icon | undefined
}

type Indexed = {
  readonly wallet: WalletEntry
  readonly search: Searchable
  readonly namespaces: ReadonlySet<string>
}

/**
 * Requirements of `query`:
 * 1. Results are in the directory's order; a search puts better matches first.
 * 2. Search ignores case, accents and surrounding space. A blank term is no search.
 * 3. `chains` filters by namespace: `eip155:8453` finds a wallet with `eip155:1`, which works with any EVM network.
 *    Wallets without chains match no `chains`.
 * 4. `include` and `exclude` take directory ids, reverse domain names and explorer ids; `exclude` wins. An empty list
 *    does not filter.
 * 5. `count` is the number of all matches; a page past the end is empty, not an error.
 */
export function createDirectory({ wallets, icons }: DirectoryData): Directory {
  const index: readonly Indexed[] = inOrder(wallets).map((wallet) => ({
    wallet,
    search: searchable(wallet),
    namespaces: new Set((wallet.chains ?? []).map(namespaceOf)),
  }))

  const speaking = (namespaces: readonly Namespace[]) =>
    index.filter((entry) => namespaces.some((namespace) => entry.namespaces.has(namespace)))

  return {
    query({ page = 1, entries = limits.walletPageEntries, search, ...filters }) {
      const matching = index.filter(matches(filters))
      const term = fold(search ?? '')
      const results = term === '' ? matching : ranked(matching, term)
      const start = (page - 1) * entries
      return { data: results.slice(start, start + entries).map((entry) => entry.wallet), count: results.length }
    },
    recommended(namespaces, each = limits.recommendedWallets) {
      const chosen = new Set(namespaces.flatMap((namespace) => speaking([namespace]).slice(0, each)))
      return index.filter((entry) => chosen.has(entry)).map((entry) => entry.wallet)
    },
    count: (namespaces) => speaking(namespaces).length,
    walletImage: (imageId) => icons.wallets.get(imageId),
    networkImage: (id) => icons.networks.get(id),
    currencyImage: (code) => icons.currencies.get(code.toUpperCase()),
    tokenImage: (symbol) => icons.tokens.get(symbol.toUpperCase()),
  }
}

type Filters = Omit<Partial<WalletQuery>, 'page' | 'entries' | 'search'>

function matches(filters: Filters): (entry: Indexed) => boolean {
  const include = setOf(filters.include)
  const exclude = setOf(filters.exclude)
  const rdns = setOf(filters.rdns)
  const names = setOf(filters.names?.map(fold))
  const namespaces = setOf(filters.chains?.map(namespaceOf))
  const named = ({ id, rdns, explorer_ids }: WalletEntry, ids: ReadonlySet<string>) =>
    [id, rdns, ...(explorer_ids ?? [])].some((name) => typeof name === 'string' && ids.has(name))

  return ({ wallet, search, namespaces: spoken }) =>
    (include === undefined || named(wallet, include)) &&
    (exclude === undefined || !named(wallet, exclude)) &&
    (rdns === undefined || (typeof wallet.rdns === 'string' && rdns.has(wallet.rdns))) &&
    (names === undefined || names.has(search.name)) &&
    (namespaces === undefined || [...namespaces].some((namespace) => spoken.has(namespace))) &&
    (filters.badge_type === undefined || (wallet.badge_type ?? 'none') === filters.badge_type)
}

function setOf(values: readonly string[] | undefined): ReadonlySet<string> | undefined {
  return values === undefined || values.length === 0 ? undefined : new Set(values)
}

function ranked(entries: readonly Indexed[], term: string): readonly Indexed[] {
  const results: { entry: Indexed; rank: Rank }[] = []
  for (const entry of entries) {
    const value = rank(entry.search, term)
    if (value !== undefined) results.push({ entry, rank: value })
  }
  return results.sort((a, b) => a.rank - b.rank).map(({ entry }) => entry)
}

/** By `order`; the rest follow in original order. */
function inOrder(wallets: readonly WalletEntry[]): readonly WalletEntry[] {
  const position = (wallet: WalletEntry) => wallet.order ?? Number.POSITIVE_INFINITY
  return [...wallets].sort((a, b) => {
    const [first, second] = [position(a), position(b)]
    return first === second ? 0 : first - second
  })
}

function namespaceOf(chain: string): string {
  return chain.split(':', 1)[0] ?? chain
}
