import { builtInNetworks, type CaipNetworkId, type Namespace, namespaceOf } from '@postern/protocol'
import { isAppScheme, isHttps, pairingLink } from '../../src/site/directory/links'

export type SourceEntry = {
  readonly source: SourceName
  readonly name: string
  /** The source's own id, if it is stable. */
  readonly id?: string
  readonly homepage?: string
  readonly rdns?: string
  readonly namespaces: readonly Namespace[]
  readonly links: Partial<Record<LinkName, string>>
  /** Flags that identify the wallet in a legacy `window.ethereum`. */
  readonly injected: readonly string[]
  /** Raw image bytes, best first. */
  readonly icons: readonly Uint8Array[]
}

export type SourceName = 'thirdweb' | 'rainbowkit' | 'wallet-book' | 'sats-connect' | 'solana-adapters' | 'lasereyes'

/** Represents a namespace in an entry's `chains`: its first built-in mainnet. */
export function referenceNetwork(namespace: Namespace): CaipNetworkId | undefined {
  return Object.values(builtInNetworks).find(({ id, testnet }) => testnet !== true && namespaceOf(id) === namespace)?.id
}

export type LinkName = 'mobile_link' | 'desktop_link' | 'webapp_link' | 'app_store' | 'play_store' | 'chrome_store'

/** Some sources list a store page as the wallet's own page. */
export function isStore(link: string): boolean {
  return /(^|\.)(google|apple|mozilla|microsoft)\.(com|org)$/.test(new URL(link).hostname)
}

const accepts: Readonly<Record<LinkName, (link: string) => boolean>> = {
  mobile_link: (link) => isHttps(link) || isAppScheme(link),
  desktop_link: (link) => isAppScheme(link) || (isHttps(link) && !isStore(link)),
  webapp_link: (link) => isHttps(link) && !isStore(link),
  app_store: (link) => /^https:\/\/(apps|itunes)\.apple\.com\//.test(link),
  play_store: (link) => /^https:\/\/play\.google\.com\/store\/apps\//.test(link),
  chrome_store: (link) => /^https:\/\/(chromewebstore\.google\.com\/detail|chrome\.google\.com\/webstore)\//.test(link),
}

/** Drops "-", "nothing", bare host names and the like. */
export function cleanLinks(
  links: Partial<Record<LinkName, string | null | undefined>>,
): Partial<Record<LinkName, string>> {
  const clean: Partial<Record<LinkName, string>> = {}
  for (const name of linkNames) {
    const link = links[name]?.trim() ?? ''
    if (link === '' || !accepts[name](link)) continue
    const ready = isPairing(name) ? pairingLink(link) : link
    if (ready !== undefined) clean[name] = ready
  }
  return clean
}

function isPairing(name: LinkName): boolean {
  return name === 'mobile_link' || name === 'desktop_link' || name === 'webapp_link'
}

export const linkNames: readonly LinkName[] = [
  'mobile_link',
  'desktop_link',
  'webapp_link',
  'app_store',
  'play_store',
  'chrome_store',
]

function decodeDataUri(uri: string): Uint8Array | undefined {
  const match = /^data:image\/[-+.\w]+(?:;[-\w=]+)*?(;base64)?,(.*)$/s.exec(uri)
  if (match === null) return undefined
  const [, base64, body = ''] = match
  return base64 === undefined
    ? new TextEncoder().encode(decodeURIComponent(body))
    : new Uint8Array(Buffer.from(body, 'base64'))
}

export function iconsOf(uri: string | undefined): Uint8Array[] {
  const bytes = uri === undefined ? undefined : decodeDataUri(uri)
  return bytes === undefined ? [] : [bytes]
}
