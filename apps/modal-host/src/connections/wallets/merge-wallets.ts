import type { CustomWallet, Namespace, PageWallet, WalletEntry } from '@postern/protocol'
import { stableIdOf } from '../../connectors/connector'
import type { WalletRow } from '../../snapshot/contract'

export type WalletKnowledge = {
  readonly pageWallets: readonly PageWallet[]
  /** The directory's first page and the featured wallets. */
  readonly entries: readonly WalletEntry[]
  readonly custom: readonly CustomWallet[]
  readonly namespaces: readonly Namespace[]
  readonly wanted: Namespace | null
  /** `connected`: not offered again by default (spec §2). */
  readonly walletConnect: 'off' | 'offered' | 'connected'
  readonly imageUrl: (entry: WalletEntry) => string | undefined
}

export type WalletCandidate = Omit<WalletRow, 'group'> & {
  readonly names: readonly string[]
  /** `external`: the dapp brought it, not the user. */
  readonly place: 'page' | 'external' | 'directory'
}

type Announced = { readonly wallets: PageWallet[]; entry: WalletEntry | undefined }

/**
 * Merges the wallets of all sources: page wallets in order of announcement, then the dapp's and the directory's.
 *
 * 1. An announcement and an entry are one wallet if they match by rdns, by the entry's injected ids, or, without an
 *    rdns (Wallet Standard, Bitcoin's injected wallets), by name.
 * 2. Announcements of several namespaces are one wallet if they match by rdns, key, entry or name. Two of one namespace
 *    are two wallets, even with one rdns or key: nothing tells whose it is. The dapp's connectors (EXTERNAL) are never
 *    merged.
 * 3. The row has the page's name and icon, the entry's links, and one connector per namespace. Its id is the rdns if
 *    any; a second row of an rdns has its wallet's id in this page.
 * 4. A custom wallet overrides the directory's entry with the same id or rdns.
 */
export function mergeWallets(sources: WalletKnowledge): readonly WalletCandidate[] {
  const shown = sources.wanted === null ? sources.namespaces : [sources.wanted]
  const images = new Map(sources.custom.flatMap(({ id, imageUrl }) => (imageUrl === undefined ? [] : [[id, imageUrl]])))
  const entries = withCustom(sources.entries, sources.custom, sources.namespaces)
  const pictureOf = (entry: WalletEntry) => images.get(entry.id) ?? sources.imageUrl(entry)

  const announced: Announced[] = []
  for (const wallet of sources.pageWallets) {
    if (!shown.includes(wallet.namespace)) continue
    const entry = entries.find((one) => isEntryOf(one, wallet))
    const existing = announced.find((one) => isSameWallet(one, wallet, entry))
    if (existing === undefined) announced.push({ wallets: [wallet], entry })
    else {
      existing.wallets.push(wallet)
      existing.entry ??= entry
    }
  }

  const inPage: WalletCandidate[] = []
  for (const one of announced) inPage.push(ofPage(one))
  const taken = new Set(inPage.flatMap(({ names }) => names))
  const listed: WalletCandidate[] = []
  for (const entry of entries) {
    if (!servesAny(entry, shown) || taken.has(entry.id) || (entry.rdns && taken.has(entry.rdns))) continue
    taken.add(entry.id)
    listed.push(ofDirectory(entry))
  }
  return [...inPage, ...listed]

  function ofPage({ wallets, entry }: Announced): WalletCandidate {
    const ids = wallets.map(stableIdOf)
    const stable = wallets.find(({ rdns }) => rdns !== undefined)?.rdns ?? ids[0] ?? ''
    const id = inPage.some((other) => other.id === stable) ? (wallets[0]?.id ?? '') : stable
    const picture = wallets.find(({ icon }) => icon !== undefined)?.icon ?? (entry && pictureOf(entry))
    return {
      id,
      name: wallets[0]?.name ?? id,
      ...(picture !== undefined && { imageUrl: picture }),
      connectors: shown.flatMap((namespace) =>
        wallets
          .filter((wallet) => wallet.namespace === namespace)
          .map((wallet) => ({ connectorId: wallet.id, namespace })),
      ),
      ...(entry && { entry, ...byWalletConnect(entry) }),
      names: [id, ...ids, ...wallets.map((wallet) => wallet.id), ...(entry ? namesOf(entry) : [])],
      place: wallets[0]?.type === 'EXTERNAL' ? 'external' : 'page',
    }
  }

  function ofDirectory(entry: WalletEntry): WalletCandidate {
    const picture = pictureOf(entry)
    return {
      id: entry.id,
      name: entry.name,
      ...(picture !== undefined && { imageUrl: picture }),
      connectors: [],
      entry,
      ...byWalletConnect(entry),
      names: namesOf(entry),
      place: 'directory',
    }
  }

  function byWalletConnect(entry: WalletEntry): { walletConnect?: true } {
    return sources.walletConnect !== 'off' && hasWalletLink(entry) ? { walletConnect: true } : {}
  }
}

export function namesOf({ id, rdns, explorer_ids }: Pick<WalletEntry, 'id' | 'rdns' | 'explorer_ids'>): string[] {
  return [id, rdns || id, ...(explorer_ids ?? [])]
}

/** Whether that may be opened is checked on use. */
function hasWalletLink({ mobile_link, desktop_link, webapp_link }: WalletEntry): boolean {
  return Boolean(mobile_link || desktop_link || webapp_link)
}

function isEntryOf(entry: WalletEntry, wallet: PageWallet): boolean {
  if (wallet.type === 'EXTERNAL') return false
  if (wallet.rdns !== undefined && entry.rdns === wallet.rdns) return true
  if (wallet.key !== undefined && isSameName(entry.name, wallet.name)) return true
  const own = [wallet.rdns, wallet.key, wallet.key?.slice(wallet.key.indexOf(':') + 1)]
  return (entry.injected ?? []).some(
    ({ namespace, injected_id: id }) => namespace === wallet.namespace && id !== undefined && own.includes(id),
  )
}

function isSameWallet(
  { wallets, entry: known }: Announced,
  wallet: PageWallet,
  entry: WalletEntry | undefined,
): boolean {
  if (wallet.type === 'EXTERNAL' || wallets.some(({ type }) => type === 'EXTERNAL')) return false
  if (wallets.some(({ namespace }) => namespace === wallet.namespace)) return false
  if (wallets.some((one) => stableIdOf(one) === stableIdOf(wallet))) return true
  return (entry !== undefined && known?.id === entry.id) || wallets.some(({ name }) => isSameName(name, wallet.name))
}

function isSameName(left: string, right: string): boolean {
  return left.trim().toLowerCase() === right.trim().toLowerCase()
}

function withCustom(
  entries: readonly WalletEntry[],
  custom: readonly CustomWallet[],
  namespaces: readonly Namespace[],
): readonly WalletEntry[] {
  if (custom.length === 0) return entries
  const customEntries = custom.map(({ imageUrl: _imageUrl, ...entry }) => ({
    ...entry,
    chains: entry.chains ?? namespaces,
  }))
  const isReplaced = ({ id, rdns }: WalletEntry) =>
    customEntries.some((one) => one.id === id || (one.rdns !== undefined && one.rdns === rdns))
  return [
    ...customEntries.map((one) => ({ ...one, chains: [...one.chains] })),
    ...entries.filter((entry) => !isReplaced(entry)),
  ]
}

/** As the directory does: no chains means no namespace; a bare namespace means all of its chains. */
function servesAny({ chains }: WalletEntry, namespaces: readonly Namespace[]): boolean {
  return (chains ?? []).some((chain) =>
    namespaces.some((namespace) => chain === namespace || chain.startsWith(`${namespace}:`)),
  )
}
