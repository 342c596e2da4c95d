import { isOpenableLink, parseWalletLink, type WalletEntry } from '@postern/protocol'

export type WalletLinkKind = 'mobile' | 'desktop' | 'webapp'

/**
 * `scheme://wc?uri=…` or `https://host/wc?uri=…`; null without such a link, or if it may not be opened. App links keep
 * the page; others open a tab. Source: https://docs.walletconnect.network/wallet-sdk/ios/mobile-linking
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

/** Opens the wallet's app to answer a request; null if unknown or not allowed. */
export function walletHome(entry: WalletEntry | undefined): string | null {
  const link = entry?.mobile_link ? parseWalletLink(entry.mobile_link) : null
  return link !== null && isOpenableLink(link.href) ? link.href : null
}
