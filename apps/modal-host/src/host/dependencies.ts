import { type hostMethods, ProjectPage, projectPageElementId, type ThemeMode } from '@postern/protocol'
import { type Clock, systemClock } from '@postern/protocol/clock'
import type { MultiConnector } from '../connectors/connector'
import type { WalletFrameDom } from '../connectors/embedded/wallet-frame/dom'
import type { WalletConnectOptions } from '../connectors/walletconnect/contract'
import type { DescribeApproval } from '../intent/contract'
import type { FrameWindow } from '../page-link/handshake'
import type { ClickPowers } from '../snapshot/popup'
import { loadParts } from './load-parts'

/** Everything that the host takes from the outside. */
export type HostDependencies = {
  readonly window: FrameWindow
  /** The project as the gateway put it into the page; null when it put none, or none that parses. */
  readonly project: ProjectPage | null
  /** Origin of the gateway: the page's own. */
  readonly baseUrl: string
  readonly fetch: typeof fetch
  readonly clock: Clock
  /** A new unguessable id. */
  readonly randomId: () => string
  /** The frame's localStorage; throws where the browser denies it. */
  readonly frameStorage: () => Storage
  /** A telephone or a tablet. */
  readonly isMobile: boolean
  /** Loads WalletConnect. */
  readonly createWalletConnect: (options: WalletConnectOptions) => Promise<MultiConnector>
  /** What only a click may do. */
  readonly clickPowers: ClickPowers
  /** Where the wallet's hidden frame is added. */
  readonly walletFrameDom: () => Promise<WalletFrameDom>
  /** Loads the decoder of what the visitor approves. */
  readonly describeApproval: () => Promise<DescribeApproval>
  readonly themeMode: ThemeMode
  /** BCP 47 tag of the browser. */
  readonly locale: string
  /** Checks what the host answers against the protocol's schemas: for tests. */
  readonly checked?: typeof hostMethods
}

/** The browser's own. */
export function browserDependencies(window: Window & typeof globalThis): HostDependencies {
  return {
    window,
    project: readProject(window.document),
    baseUrl: window.location.origin,
    fetch: window.fetch.bind(window),
    clock: systemClock(),
    randomId: () => window.crypto.randomUUID(),
    frameStorage: () => window.localStorage,
    isMobile: isMobile(window.navigator),
    createWalletConnect: async (options) => (await (await loadParts()).walletConnect()).createWalletConnect(options),
    clickPowers: {
      // A window of its own each time: one that is reused would be closed with the attempt before.
      openPopup: (url) => window.open(url, '_blank', 'popup,width=480,height=720'),
      requestStorageAccess: () => requestStorageAccess(window.document),
    },
    walletFrameDom: async () => (await (await loadParts()).walletFrameDom()).browserFrameDom(window),
    describeApproval: async () => (await (await loadParts()).describeApproval()).describeApproval,
    themeMode: window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
    locale: window.navigator.language,
  }
}

/** All kinds of storage where the browser can, cookies alone elsewhere. */
async function requestStorageAccess(document: {
  readonly requestStorageAccess?: (types?: { readonly all: boolean }) => Promise<unknown>
}): Promise<unknown> {
  if (document.requestStorageAccess === undefined) throw new Error('This browser grants no storage')
  return document.requestStorageAccess({ all: true })
}

/** By what the browser says of itself; a tablet of Apple's says that it is a Mac, which has no touch screen. */
export function isMobile({ userAgent, maxTouchPoints }: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>): boolean {
  return /android|iphone|ipad|ipod|mobile/i.test(userAgent) || (/macintosh/i.test(userAgent) && maxTouchPoints > 1)
}

function readProject(document: Document): ProjectPage | null {
  const text = document.getElementById(projectPageElementId)?.textContent
  if (!text) return null
  try {
    const parsed = ProjectPage.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
