import { isOpenableLink, parseWalletLink, type WalletEntry } from '@postern/protocol'

export type WalletLinkKind = 'mobile' | 'desktop' | 'webapp'

/**
 * The link that hands a pairing to a wallet: `scheme://wc?uri=…`, `https://host/wc?uri=…`. Null where the wallet has none of that kind, or one
 * that may not be opened. What the system opens leaves the page as it is; a wallet that is a site, or a desktop's universal link, gets a tab.
 * Source: https://docs.walletconnect.network/wallet-sdk/ios/mobile-linking
 */
export function walletLink(
  entry: WalletEntry | undefined,
  kind: WalletLinkKind,
  uri: string,
): { readonly url: string; readonly target: 'app' | 'tab' } | null {
  const text = entry && { mobile: entry.mobile_link, desktop: entry.desktop_link, webapp: entry.webapp_link }[kind]
  const link = text === null || text === undefined ? null : parseWalletLink(text)
  if (link === null) return null
  const url = `${link.href}wc?uri=${encodeURIComponent(uri)}`
  if (!isOpenableLink(url)) return null
  return { url, target: link.kind === 'native' || kind === 'mobile' ? 'app' : 'tab' }
}

/** What opens the wallet's app by itself, to answer a request that waits there. Null where that is not known, or may not be opened. */
export function walletHome(entry: WalletEntry | undefined): string | null {
  const link = entry?.mobile_link ? parseWalletLink(entry.mobile_link) : null
  return link !== null && isOpenableLink(link.href) ? link.href : null
}
