import type { WalletEntry } from '@postern/protocol'
import type { WalletRow } from '../session/contract'

/** In the page: can be connected at once. */
export function isInstalled(row: WalletRow): boolean {
  return row.connectors.length > 0
}

/** The row of a directory entry: the wallet in the page that it stands for, or one of its own. */
export function rowOfEntry(entry: WalletEntry, rows: readonly WalletRow[], imageUrl: string | undefined): WalletRow {
  const known = rows.find(
    (row) => row.id === entry.id || row.entry?.id === entry.id || row.id === (entry.rdns ?? undefined),
  )
  if (known !== undefined) return known
  return {
    id: entry.id,
    name: entry.name,
    group: 'recommended',
    connectors: [],
    entry,
    ...(imageUrl !== undefined && { imageUrl }),
  }
}

/** Where a wallet that is not here can be had: stores and its own site, links that are links only. */
export function installLinks(entry: WalletEntry | undefined): readonly InstallLink[] {
  if (entry === undefined) return []
  const links = [
    { kind: 'chrome', href: entry.chrome_store },
    { kind: 'apple', href: entry.app_store },
    { kind: 'google', href: entry.play_store },
    { kind: 'website', href: entry.homepage },
  ] as const
  return links.flatMap(({ kind, href }) => (isWebLink(href) ? [{ kind, href }] : []))
}

export type InstallLink = { readonly kind: 'chrome' | 'apple' | 'google' | 'website'; readonly href: string }

function isWebLink(href: string | null | undefined): href is string {
  return href !== null && href !== undefined && URL.canParse(href) && /^https?:$/.test(new URL(href).protocol)
}

/** Whether a name is meant by what was typed: no case, no accents. */
export function matchesSearch(name: string, search: string): boolean {
  return fold(name).includes(fold(search.trim()))
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
