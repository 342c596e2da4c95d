import { parseUrl } from '@postern/base/parse-url'
import type { WalletEntry } from '@postern/protocol'
import type { WalletRow } from '../../snapshot/contract'

export function knownRow(entry: WalletEntry, rows: readonly WalletRow[]): WalletRow | undefined {
  return rows.find((row) => row.id === entry.id || row.entry?.id === entry.id || row.id === (entry.rdns ?? undefined))
}

export function rowOfEntry(entry: WalletEntry, imageUrl: string | undefined): WalletRow {
  return {
    id: entry.id,
    name: entry.name,
    group: 'recommended',
    connectors: [],
    entry,
    ...(imageUrl !== undefined && { imageUrl }),
  }
}

export type InstallLink = { readonly kind: 'chrome' | 'apple' | 'google' | 'website'; readonly href: string }
export type Platform = 'desktop' | 'ios' | 'android'

const linkKinds: Readonly<Record<Platform, readonly InstallLink['kind'][]>> = {
  desktop: ['chrome', 'website', 'apple', 'google'],
  ios: ['apple', 'website'],
  android: ['google', 'website'],
}

/** Web links only: a directory may contain anything. */
export function installLinks(entry: WalletEntry | undefined, platform: Platform): readonly InstallLink[] {
  if (entry === undefined) return []
  const { chrome_store: chrome, app_store: apple, play_store: google, homepage: website } = entry
  const hrefs = { chrome, apple, google, website }
  return linkKinds[platform].flatMap((kind) => {
    const href = hrefs[kind]
    return isWebLink(href) ? [{ kind, href }] : []
  })
}

export function platformOf(userAgent: string): Platform {
  if (/android/i.test(userAgent)) return 'android'
  return /iphone|ipad|ipod/i.test(userAgent) ? 'ios' : 'desktop'
}

export function isWebLink(href: string | null | undefined): href is string {
  return /^https?:$/.test(parseUrl(href ?? '')?.protocol ?? '')
}

/** Ignores case and accents. Create it once: a search tests a thousand names. */
export function searchFor(typed: string): (name: string) => boolean {
  const folded = fold(typed.trim())
  return (name) => folded === '' || fold(name).includes(folded)
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
