/** What one source says of one wallet. Absent means that the source does not say. */
export type Found = {
  readonly source: SourceName
  readonly name: string
  /** The source's own id, where it is one that lasts. */
  readonly id?: string
  readonly homepage?: string
  readonly rdns?: string
  readonly namespaces: readonly KnownNamespace[]
  readonly links: Partial<Record<LinkName, string>>
  /** Flags by which a legacy `window.ethereum` is told apart. */
  readonly injected: readonly string[]
  /** Raw pictures, best first. */
  readonly icons: readonly Uint8Array[]
}

export const sourceNames = [
  'thirdweb',
  'rainbowkit',
  'wallet-book',
  'sats-connect',
  'solana-adapters',
  'lasereyes',
] as const
export type SourceName = (typeof sourceNames)[number]

export type KnownNamespace = 'eip155' | 'solana' | 'bip122'

/** The network that stands for its namespace in an entry's `chains`. */
export const referenceNetworks: Readonly<Record<KnownNamespace, string>> = {
  eip155: 'eip155:1',
  solana: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  bip122: 'bip122:000000000019d6689c085ae165831e93',
}

export type LinkName =
  | 'mobile_link'
  | 'desktop_link'
  | 'webapp_link'
  | 'link_mode'
  | 'app_store'
  | 'play_store'
  | 'chrome_store'

const https = /^https:\/\/[^\s]+$/
/** A scheme of an app's own. */
const native = /^(?!https?:|javascript:|data:|file:|blob:|vbscript:|about:|intent:)[a-z][a-z0-9+.-]*:\/\/[^\s]*$/

const accepts: Readonly<Record<LinkName, (link: string) => boolean>> = {
  mobile_link: (link) => https.test(link) || native.test(link),
  desktop_link: (link) => https.test(link) || native.test(link),
  webapp_link: (link) => https.test(link),
  link_mode: (link) => https.test(link),
  app_store: (link) => /^https:\/\/(apps|itunes)\.apple\.com\//.test(link),
  play_store: (link) => /^https:\/\/play\.google\.com\/store\/apps\//.test(link),
  chrome_store: (link) => /^https:\/\/(chromewebstore\.google\.com\/detail|chrome\.google\.com\/webstore)\//.test(link),
}

/** Keeps the links that are what they say they are; sources carry "-", "nothing" and bare host names too. */
export function cleanLinks(
  links: Partial<Record<LinkName, string | null | undefined>>,
): Partial<Record<LinkName, string>> {
  const clean: Partial<Record<LinkName, string>> = {}
  for (const name of linkNames) {
    const link = links[name]?.trim() ?? ''
    if (link !== '' && accepts[name](link)) clean[name] = link
  }
  return clean
}

export const linkNames: readonly LinkName[] = [
  'mobile_link',
  'desktop_link',
  'webapp_link',
  'link_mode',
  'app_store',
  'play_store',
  'chrome_store',
]

export function decodeDataUri(uri: string): Uint8Array | undefined {
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
